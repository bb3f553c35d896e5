import { readFileSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { OperationResult } from "../../core/operations/index.ts";
import { CommandQuery, SearchQuery } from "../../core/protocol/history-search.ts";
import { SessionId } from "../../core/protocol/ids.ts";
import { RelayFile } from "../../core/protocol/relay-file.ts";
import { ChatRows } from "../../main/relay/store/chat-rows.ts";
import { checkAtStart } from "../../main/relay/store/check-rows.ts";
import { openStore } from "../../main/relay/store/open-store.ts";
import { HistoryReader } from "../../main/shells/history/history-reader.ts";
import { masterKey } from "../../main/shells/history/segment.ts";
import { listSegments } from "../../main/shells/history/trim.ts";
import { HistoryIndex } from "../../main/shells/history-index/history-index.ts";
import { builtProgram } from "../integration/cli/built-program.ts";
import { endShellHost } from "../support/end-shell-host.ts";
import { type ServeProcess, startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { attempt } from "./acknowledged.ts";

const COPIES = Number(process.env.CHAOS_COPIES ?? 200);
/** Of so many copies one is opened by a relay. */
const STARTED_EACH = 20;
/** Of the machine that the copy is taken from: its processes and their sockets are not on another one. */
const LEFT_BEHIND = /^(shell-host\.json|relay\.json|lock\.db.*|.*\.sock)$/;

/** What was acknowledged when a copy began. */
interface Acknowledged {
  readonly messages: number;
  readonly commands: number;
  /** Output of the shell that prints, in bytes. */
  readonly printed: number;
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
    history: <T>(path: string, body?: object) => call<T>(`/../history${path}`, body),
  };
}

/** Opens what a relay would, and returns what is missing or wrong. */
async function objections(
  copy: string,
  session: string,
  shells: { printer: Shell; typist: Shell },
  least: Acknowledged,
) {
  const found: string[] = [];
  const { database, lost } = openStore(copy);
  if (lost !== undefined) found.push(lost);
  found.push(...checkAtStart(database, true));
  const said = new ChatRows(database).list(SessionId.parse(session));
  const messages = said.map(({ text }) => Number(text.replace("message ", "")));
  if ((messages.at(-1) ?? 0) < least.messages)
    found.push(`message ${messages.at(-1)} is the last, not ${least.messages}`);
  if (messages.some((number, index) => number !== (messages[0] ?? 0) + index)) found.push("messages are missing");
  database.close();

  const folder = join(copy, "history");
  const key = masterKey(undefined);
  const reader = new HistoryReader({ folder: () => folder, keys: () => [key], flush: async () => undefined });
  const owner = { session, shell: shells.printer.shellId };
  let output = Buffer.alloc(0);
  for await (const frame of reader.frames(owner)) {
    if (frame.kind === "event") continue;
    if (frame.offset > output.length) found.push(`a gap from ${output.length} to ${frame.offset}`);
    output = Buffer.concat([output, frame.bytes.subarray(output.length - frame.offset)]);
  }
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

/** Starts a relay on a folder. Returns in how many ms its first shell could be used. */
async function firstShell(
  program: Awaited<ReturnType<typeof builtProgram>>,
  data: string,
  key: string,
): Promise<number> {
  const began = performance.now();
  const child = program.start(["serve", "--client", "--port", "0", "--data", data]);
  let said = "";
  child.stdout?.on("data", (piece) => (said += String(piece)));
  child.stderr?.on("data", (piece) => (said += String(piece)));
  try {
    await until("the relay", () => said.includes("Try next") || child.exitCode !== null, 45_000);
    const { url, session = "" } = RelayFile.parse(JSON.parse(readFileSync(join(data, "relay.json"), "utf8")));
    const now = { url, session } as ServeProcess;
    const { command } = callsOf(now, key);
    const { key: tile } = await command<Shell>("createShell", { focus: false });
    await command("runCommand", { tile, command: "echo usable", wait: true });
    return performance.now() - began;
  } finally {
    child.kill("SIGTERM");
    await until("the end of the relay", () => child.exitCode !== null || child.signalCode !== null, 45_000);
    await endShellHost(data);
  }
}

test(`of ${COPIES} copies of the data folder taken while it is written, each has all that was acknowledged`, async () => {
  await using lab = await startServeLab();
  using other = await builtProgram();
  const relay = await lab.serve(["--client"]);
  const key = await lab.makeKey();
  const { command, history } = callsOf(relay, key);
  await history("/start", { unencrypted: true });
  const printer = await command<Shell>("createShell", { focus: false });
  const typist = await command<Shell>("createShell", { focus: false });
  const print = "i=0; while :; do i=$((i+1)); echo row $i; [ $((i % 50)) = 0 ] && sleep 0.02; done";
  await command("runCommand", { tile: printer.key, command: print, wait: false });

  const done = { messages: 0, commands: 0 };
  let isOver = false;
  const chatting = (async () => {
    while (!isOver) {
      await command("sendChat", { message: `message ${done.messages + 1}` });
      done.messages += 1;
    }
  })();
  const typing = (async () => {
    while (!isOver) {
      await command("runCommand", { tile: typist.key, command: `echo command-${done.commands + 1}`, wait: true });
      done.commands += 1;
    }
  })();
  const wrong: string[] = [];
  const times: number[] = [];
  const ordinary: number[] = [];
  try {
    for (let number = 1; number <= COPIES; number++) {
      await delay(Math.random() * 100);
      const { end } = await command<{ end: number }>("getShellOutput", { id: printer.shellId, lines: 1 });
      const { messages, commands } = done;
      // What was printed until now is on disk.
      const { lost, trouble } = await history<Status>("");
      expect({ lost, trouble }).toEqual({ lost: 0, trouble: null });
      const copy = join(lab.data, "..", `copy-${number}`);
      await mkdir(copy);
      await cp(lab.data, copy, { recursive: true, filter: (from) => !LEFT_BEHIND.test(basename(from)) });
      const least = { messages, commands, printed: end };
      if (number % STARTED_EACH === 0) {
        const started = `${copy}-started`;
        await cp(copy, started, { recursive: true });
        times.push(await firstShell(other, started, key));
        await rm(started, { recursive: true });
        const empty = `${copy}-empty`;
        const { out } = await other.run(["keys", "create", "--name", "test", "--data", empty]);
        ordinary.push(await firstShell(other, empty, out.trim()));
      }
      const found = await objections(copy, relay.session, { printer, typist }, least).catch((error) => [String(error)]);
      wrong.push(...found.map((one) => `copy ${number}: ${one}`));
      await rm(copy, { recursive: true });
    }
  } finally {
    isOver = true;
    await Promise.allSettled([chatting, typing]);
  }
  await Promise.all([chatting, typing]);
  process.stdout.write(
    `${JSON.stringify({ ...done, times: times.map(Math.round), ordinary: ordinary.map(Math.round) })}\n`,
  );
  expect(wrong).toEqual([]);
  expect(done.messages).toBeGreaterThan(0);
  expect(done.commands).toBeGreaterThan(0);
  // On a busy machine the start of any relay takes longer than the 2 s that a copy may take.
  if (times.length > 0) expect(Math.min(...times)).toBeLessThan(Math.max(2000, 2 * Math.min(...ordinary)));
}, 1_800_000);
