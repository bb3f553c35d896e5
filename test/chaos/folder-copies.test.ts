import { existsSync, readFileSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { OperationResult } from "../../core/operations/index.ts";
import { CommandQuery, SearchQuery } from "../../core/protocol/history-search.ts";
import { SessionId, ShellId } from "../../core/protocol/ids.ts";
import { RelayFile } from "../../core/protocol/relay-file.ts";
import type { RestorableShell } from "../../core/protocol/restore.ts";
import { agentMigrations, createAgents, usageStore } from "../../main/agents/agents.ts";
import { reconcileShells } from "../../main/relay/session/reconcile-shells.ts";
import { ChatRows } from "../../main/relay/store/chat-rows.ts";
import { checkAtStart } from "../../main/relay/store/check-rows.ts";
import { openStore } from "../../main/relay/store/open-store.ts";
import { Store } from "../../main/relay/store/store.ts";
import { HistoryReader } from "../../main/shells/history/history-reader.ts";
import { masterKey } from "../../main/shells/history/segment.ts";
import { listSegments } from "../../main/shells/history/trim.ts";
import { HistoryIndex } from "../../main/shells/history-index/history-index.ts";
import { builtProgram } from "../integration/cli/built-program.ts";
import { endShellHost } from "../support/end-shell-host.ts";
import { startRestoreLab } from "../support/restore-lab.ts";
import type { ServeProcess } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { attempt } from "./acknowledged.ts";

const COPIES = Number(process.env.CHAOS_COPIES ?? 200);
/** Of so many copies one is opened by a relay. */
const STARTED_EACH = Number(process.env.CHAOS_STARTED_EACH ?? 20);
/** Of so many of these, one is followed by a relay on an empty folder, which tells how busy the machine is. */
const COMPARED_EACH = Math.max(1, Math.round(20 / STARTED_EACH));
/** What a shell has printed and run is on disk this much later, whether anything asks for it or not. */
const ON_DISK_MS = 1000;
/** A conversation is followed by another one after so many prompts. */
const PROMPTS = 8;
/** Of the machine that the copy is taken from: its processes and their sockets are not on another one. */
const LEFT_BEHIND = /^(shell-host\.json|relay\.json|lock\.db.*|.*\.sock)$/;

/** What was acknowledged when a copy began, and what was recorded by then. */
interface Acknowledged {
  readonly messages: number;
  /** How many commands had ended. */
  readonly commands: number;
  /** Output of the shell that prints, in bytes. */
  readonly printed: number;
  /** The conversation in each shell with an agent, and how many prompts its transcript has. */
  readonly conversations: ReadonlyMap<number, Talk>;
}

interface Talk {
  readonly conversation: string;
  readonly prompts: number;
}

type Shell = { readonly shellId: number; readonly key: number };
type Status = OperationResult<"getHistory">;

function callsOf(now: ServeProcess, key: string) {
  const relay = { now, key };
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const answer = await attempt(relay, path, { body, timeoutMs: 60_000 });
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
    return (JSON.parse(answer.text) as { result: T }).result;
  };
  return {
    command: <T>(method: string, params: object) => call<T>("/SESSION/remote/command", { method, params }),
    inSession: <T>(path: string, body: object) => call<T>(`/SESSION/${path}`, body),
    history: <T>(path: string, body?: object) => call<T>(`/../history${path}`, body),
  };
}

/** The prompts of a conversation name it, so that another one's transcript shows. */
const promptOf = (conversation: string, number: number) => `prompt ${number} of ${conversation}`;

/** Compares the conversations that are offered of a shell with the one in it. */
function faultsIn(
  shell: number,
  { conversation, prompts }: Talk,
  offered: readonly { readonly sessionId: string; readonly lastPrompt?: string | undefined }[],
): string[] {
  const [latest] = offered;
  const last = Number(/^prompt (\d+) of /.exec(latest?.lastPrompt ?? "")?.[1] ?? 0);
  const isRight = latest?.sessionId === conversation && offered.length === 1 && last >= prompts;
  const isOwn = last === 0 || latest?.lastPrompt === promptOf(conversation, last);
  return isRight && isOwn
    ? []
    : [`shell ${shell} with prompt ${prompts} of ${conversation} offers ${JSON.stringify(offered)}`];
}

/**
 * Copies a folder that is written, the log of a database before the database: what is written back from the log in between is
 * in both then. Where a file went (a segment is compressed, a shell was closed) its folder is listed again.
 */
async function copyInUse(from: string, to: string): Promise<void> {
  await mkdir(to);
  const done = new Set<string>();
  for (let hasGone = true; hasGone; ) {
    hasGone = false;
    const entries = await readdir(from, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? 1 : -1))) {
      const { name } = entry;
      if (done.has(name) || LEFT_BEHIND.test(name)) continue;
      done.add(name);
      const copying = entry.isDirectory() ? copyInUse : copyFile;
      await copying(join(from, name), join(to, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        hasGone = true;
      });
    }
  }
}

/** Opens what a relay would, and returns what is missing or wrong. */
async function objections(
  copy: string,
  session: string,
  shells: { printer: Shell; typist: Shell },
  least: Acknowledged,
) {
  const found: string[] = [];
  const { database, lost } = openStore(copy, { agents: agentMigrations });
  if (lost !== undefined) found.push(lost);
  found.push(...checkAtStart(database, true));
  const said = new ChatRows(database).list(SessionId.parse(session));
  const messages = said.map(({ text }) => Number(text.replace("message ", "")));
  if ((messages.at(-1) ?? 0) < least.messages)
    found.push(`message ${messages.at(-1)} is the last, not ${least.messages}`);
  if (messages.some((number, index) => number !== (messages[0] ?? 0) + index)) found.push("messages are missing");
  const agents = createAgents({ store: usageStore(database), shells: () => [], log: () => {}, onChange: () => {} });
  reconcileShells(new Store(database).shells, SessionId.parse(session), []);
  for (const [shell, talk] of least.conversations) {
    const offered = await agents.resumes.list(SessionId.parse(session), ShellId.parse(shell), undefined);
    found.push(...faultsIn(shell, talk, offered));
  }
  agents[Symbol.dispose]();
  database.close();

  const folder = join(copy, "history");
  const key = masterKey(undefined);
  const reader = new HistoryReader({ folder: () => folder, keys: () => [key], flush: async () => undefined });
  const owner = { session, shell: shells.printer.shellId };
  const pieces: Buffer[] = [];
  let end = 0;
  for await (const frame of reader.frames(owner)) {
    if (frame.kind === "event") continue;
    if (frame.offset > end) found.push(`a gap from ${end} to ${frame.offset}`);
    pieces.push(frame.bytes.subarray(Math.max(0, end - frame.offset)));
    end = Math.max(end, frame.offset + frame.bytes.length);
  }
  const output = Buffer.concat(pieces);
  if (output.length < least.printed) found.push(`${output.length} bytes of output, of ${least.printed}`);
  const rows = [...output.toString().matchAll(/^row (\d+)\r$/gm)].map(([, row]) => Number(row));
  // The first one stands behind the mark of its command.
  if (rows.some((row, index) => row !== index + 2)) found.push("rows are missing");
  found.push(...[...reader.damage].map(([file, why]) => `${basename(file)}: ${why}`));

  using index = new HistoryIndex({
    file: `${folder}-index.db`,
    key,
    reader,
    segments: () => listSegments(folder),
  });
  await index.catchUp();
  const last = rows.at(-1);
  const query = SearchQuery.parse({ query: `row ${last}\r`.trim(), in: "output", shell: owner.shell, limit: 1000 });
  const hits = await index.search(session, query);
  if (last !== undefined && !hits.some(({ line }) => line === `row ${last}`)) found.push(`row ${last} is not found`);
  const commands = index.commands(session, CommandQuery.parse({ shell: shells.typist.shellId, limit: 1000 }));
  const numbers = commands.flatMap(({ command }) => /^echo command-(\d+)$/.exec(command ?? "")?.[1] ?? []).map(Number);
  for (let number = Math.max(1, least.commands - 500); number <= least.commands; number++) {
    if (!numbers.includes(number)) found.push(`command ${number} has no record`);
  }
  return found;
}

/**
 * Starts a relay on a folder. Returns in how many ms its first shell could be used, what it offers to start again, and what
 * agents run in it.
 */
async function startOn(program: Awaited<ReturnType<typeof builtProgram>>, data: string, key: string, agents: string) {
  const began = performance.now();
  const child = program.start(["serve", "--client", "--port", "0", "--data", data], {
    PATH: `${agents}:${process.env.PATH}`,
  });
  let said = "";
  child.stdout?.on("data", (piece) => (said += String(piece)));
  child.stderr?.on("data", (piece) => (said += String(piece)));
  try {
    await until("the relay", () => said.includes("Try next") || child.exitCode !== null, 45_000);
    const { url, session = "" } = RelayFile.parse(JSON.parse(readFileSync(join(data, "relay.json"), "utf8")));
    const { command, inSession } = callsOf({ url, session } as ServeProcess, key);
    const { key: tile } = await command<Shell>("createShell", { focus: false });
    await command("runCommand", { tile, command: "echo usable", wait: true });
    const ms = performance.now() - began;
    return {
      ms,
      offers: await inSession<RestorableShell[]>("restore", {}),
      agents: await command<object[]>("getAgents", {}),
    };
  } finally {
    child.kill("SIGTERM");
    await until("the end of the relay", () => child.exitCode !== null || child.signalCode !== null, 45_000);
    await endShellHost(data);
  }
}

test(`of ${COPIES} copies of the data folder taken while it is written, each has all that was acknowledged`, async () => {
  await using lab = await startRestoreLab();
  using other = await builtProgram();
  await lab.start();
  const relay = lab.serve;
  const key = await lab.makeKey();
  const { command, history } = callsOf(relay, key);
  await history("/start", { unencrypted: true });
  const printer = await command<Shell>("createShell", { focus: false });
  const typist = await command<Shell>("createShell", { focus: false });
  const print = "i=0; while :; do i=$((i+1)); echo row $i; [ $((i % 50)) = 0 ] && sleep 0.1; done";
  await command("runCommand", { tile: printer.key, command: print, wait: false });

  const done = { messages: 0, commands: 0, conversations: 0 };
  const talks = new Map<number, Talk>();
  /** How much the printer had printed, and how many commands had ended, at which time. */
  let past: { readonly at: number; readonly end: number; readonly commands: number }[] = [];
  let isOver = false;
  const unlessOver = async (turn: () => Promise<void>) => {
    while (!isOver) await turn();
  };
  const printedNow = async () => {
    const { commands } = done;
    const { end } = await command<{ end: number }>("getShellOutput", { id: printer.shellId, lines: 1 });
    return { end, commands };
  };
  const chatting = unlessOver(async () => {
    await command("sendChat", { message: `message ${done.messages + 1}` });
    done.messages += 1;
  });
  const typing = unlessOver(async () => {
    await command("runCommand", { tile: typist.key, command: `echo command-${done.commands + 1}`, wait: true });
    done.commands += 1;
  });
  const watching = unlessOver(async () => {
    past = [...past.slice(-1000), { at: performance.now(), ...(await printedNow()) }];
    await delay(50);
  });
  const cwd = lab.folder("work");
  const talk = async () => {
    const { shellId } = await command<Shell>("createShell", { focus: false, cwd });
    const conversation = await lab.claude(shellId);
    talks.set(shellId, { conversation, prompts: 0 });
    done.conversations += 1;
    for (let number = 1; number <= PROMPTS && !isOver; number++) {
      await lab.say(shellId, `ask ${promptOf(conversation, number)}`);
      const isTold = () => lab.lastPrompt(conversation, cwd) === promptOf(conversation, number);
      await until(`prompt ${number} in the transcript`, isTold, 45_000);
      talks.set(shellId, { conversation, prompts: number });
      await delay(1000);
    }
    talks.delete(shellId);
    await command("closeShell", { id: shellId });
  };
  const working = [chatting, typing, watching, unlessOver(talk), unlessOver(talk)];
  const wrong: string[] = [];
  const times: number[] = [];
  const ordinary: number[] = [];
  const agents = join(lab.home, "bin");
  try {
    for (let number = 1; number <= COPIES; number++) {
      await delay(Math.random() * 100);
      const { messages } = done;
      // Every second copy is taken as the disk is, the others when what was printed until now is on it.
      const isAsIs = number % 2 === 0;
      const { end, commands } = isAsIs
        ? (past.findLast(({ at }) => at < performance.now() - ON_DISK_MS) ?? { end: 0, commands: 0 })
        : await printedNow();
      if (!isAsIs) {
        const { lost, trouble } = await history<Status>("");
        expect({ lost, trouble }).toEqual({ lost: 0, trouble: null });
      }
      const least = { messages, commands, printed: end, conversations: new Map(talks) };
      const copy = join(lab.data, "..", `copy-${number}`);
      await copyInUse(lab.data, copy);
      // A shell that was closed meanwhile is in the copy or not.
      for (const shell of least.conversations.keys()) if (!talks.has(shell)) least.conversations.delete(shell);
      if (number % STARTED_EACH === 0) {
        const started = `${copy}-started`;
        await cp(copy, started, { recursive: true });
        const { ms, offers, agents: running } = await startOn(other, started, key, agents);
        times.push(ms);
        const faults = [...least.conversations].flatMap(([shell, talk]) => {
          const offer = offers.find(({ shellId }) => shellId === shell);
          return offer?.state === "offered" ? faultsIn(shell, talk, offer.agents) : [`shell ${shell} is not offered`];
        });
        for (const { shellId } of [printer, typist]) {
          if (!offers.some((offer) => offer.shellId === shellId)) faults.push(`shell ${shellId} is not offered`);
        }
        if (running.length > 0 || existsSync(join(other.folder, "starts.jsonl"))) faults.push("an agent was started");
        wrong.push(...faults.map((one) => `copy ${number}, started: ${one}`));
        await rm(started, { recursive: true });
      }
      if (number % (STARTED_EACH * COMPARED_EACH) === 0) {
        const empty = `${copy}-empty`;
        const { out } = await other.run(["keys", "create", "--name", "test", "--data", empty]);
        ordinary.push((await startOn(other, empty, out.trim(), agents)).ms);
        await rm(empty, { recursive: true });
      }
      const found = await objections(copy, relay.session, { printer, typist }, least).catch((error) => [String(error)]);
      wrong.push(...found.map((one) => `copy ${number}: ${one}`));
      await rm(copy, { recursive: true });
    }
  } finally {
    isOver = true;
    await Promise.allSettled(working);
  }
  await Promise.all(working);
  process.stdout.write(
    `${JSON.stringify({ ...done, times: times.map(Math.round), ordinary: ordinary.map(Math.round) })}\n`,
  );
  expect(wrong).toEqual([]);
  expect(done.messages).toBeGreaterThan(0);
  expect(done.commands).toBeGreaterThan(0);
  expect(done.conversations).toBeGreaterThan(0);
  // On a busy machine the start of any relay takes longer than the 2 s that a copy may take.
  if (times.length > 0) expect(Math.min(...times)).toBeLessThan(Math.max(2000, 2 * Math.min(...ordinary)));
}, 1_800_000);
