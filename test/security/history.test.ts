import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { OperationResult } from "../../core/operations/index.ts";
import type { SearchAnswer } from "../../core/protocol/history-search.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import { searchPattern, THREAD_MS } from "../../core/protocol/search-pattern.ts";
import { exportHistory } from "../../main/shells/history/export-history.ts";
import { hitsIn } from "../../main/shells/history-index/text-hits.ts";
import { enterAsGuest } from "../support/guest.ts";
import { type RecordedRelay, startRecordedRelay } from "../support/recorded-relay.ts";
import { until } from "../support/until.ts";
import { historyLab, owner, PrintingShell } from "../unit/main/shells/history/history-lab.ts";

const PLAYER = join(import.meta.dirname, "../../node_modules/asciinema-player/dist/bundle");
const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const [FIRST, REST] = [TOKEN.slice(4, 20), TOKEN.slice(20)];

let recorded: RecordedRelay;
beforeAll(async () => {
  recorded = await startRecordedRelay();
});
afterAll(() => recorded[Symbol.asyncDispose]());

type Commands = OperationResult<"getCommands">;

/** Asks for something below the session; with the owner's key unless another is given. */
async function get<T>(path: string, key?: string): Promise<T> {
  const { request, session } = recorded.relay;
  const headers = key === undefined ? {} : { "X-Service-Token": key };
  const { status, text } = await request("GET", `/v1/sessions/${session}/${path}`, { headers });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return (JSON.parse(text) as { result: T }).result;
}

/** Opens a shell and runs a line in it, until its record is there. */
async function run(line: string): Promise<{ shellId: ShellId; key: number }> {
  const { command } = recorded.relay;
  const shell = await command<{ shellId: ShellId; key: number }>("createShell", { focus: false });
  await command("runCommand", { tile: shell.key, command: line, wait: true });
  await until("the record", async () => (await get<Commands>(`commands?shell=${shell.shellId}`))[0]?.outputTo);
  return shell;
}

test("a guest is told nothing of closed shells: not by a hit, by how many there are, nor by what is left out", async () => {
  const { relay } = recorded;
  await using _owner = await relay.join();
  const shown = await run("echo deploy-log shown");
  const closed = await run("echo deploy-log hunter2");
  const [secret] = await get<Commands>(`commands?shell=${closed.shellId}`);
  await relay.command("closeShell", { id: closed.shellId });
  using guest = await enterAsGuest(relay, { role: "reader", name: "a reader" });
  const tab = await guest.tab();
  const find = async (query: object) => {
    const answer = await tab.ask("searchSession", { in: "session", ...query });
    return answer.type === "answer" ? (answer.value as SearchAnswer).hits : answer.error.code;
  };
  // The latest line is the closed shell's. A guest who knows an older one would learn its text letter by letter.
  for (const of of ["output", "commands"]) {
    for (const query of ["deploy-log", "deploy-log (?:shown|hunter)"]) {
      const hits = await find({ query, regex: query.includes("("), in: of, limit: 1 });
      expect(hits).toMatchObject([{ in: of, shellId: shown.shellId }]);
    }
    expect(await find({ query: "hunter2", in: of })).toEqual([]);
    expect(await find({ query: "deploy-log", in: of, shell: closed.shellId })).toEqual([]);
  }

  // A program in a guest's shell reads what the guest does.
  const { token } = relay.relay.keys.createShellToken(relay.relay.user, relay.session, shown.shellId);
  expect((await get<SearchAnswer>("search?query=deploy-log&in=output&limit=1", token)).hits).toMatchObject([
    { shellId: shown.shellId },
  ]);
  expect((await get<SearchAnswer>("search?query=hunter2&in=session", token)).hits).toEqual([]);
  expect(await get<Commands>("commands?limit=1", token)).toMatchObject([{ shellId: shown.shellId }]);
  const refusalOf = (path: string) =>
    get(path, token).then(
      () => "none",
      (error: Error) => error.message,
    );
  const never = "9.10";
  const refused = await refusalOf(`commands/${secret?.id}/output`);
  expect(refused.replaceAll(secret?.id ?? "", never)).toBe(await refusalOf(`commands/${never}/output`));
  const exported = await refusalOf(`history/${closed.shellId}/export`);
  expect(exported.replace(`shell ${closed.shellId}`, "shell 9")).toBe(await refusalOf("history/9/export"));
  expect((await get<SearchAnswer>("search?query=hunter2&in=output")).hits.length).toBeGreaterThan(0);
});

test("a key that is revoked while its search waits gets no answer", async () => {
  const { relay, history } = recorded;
  const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "searching" });
  const settle = vi.spyOn(history, "settle").mockReturnValue(new Promise(() => undefined));
  onTestFinished(() => settle.mockRestore());
  const search = get("search?query=deploy-log&wait=60", secret);
  await until("the search to wait", () => settle.mock.calls.length > 0);
  relay.relay.keys.revoke("searching");
  await expect(search).rejects.toThrow(/401 .*no longer valid/);
});

test("a program that has a person's terminal answer it does not pass for that person in the record of a command", async () => {
  const { relay } = recorded;
  await using person = await relay.join({ over: "socket" });
  const { shellId } = await run("true");
  const { token } = relay.relay.keys.createShellToken(relay.relay.user, relay.session, shellId, {
    role: "admin",
    guest: false,
  });
  const latest = async () => (await get<Commands>(`commands?shell=${shellId}&limit=1`))[0];
  await relay.command("writeToShell", { id: shellId, data: "sleep 1\\n" });
  await until("the command before", async () => (await latest())?.command === "sleep 1");
  const headers = { "X-Service-Token": token };
  const typed = { method: "writeToShell", params: { id: shellId, data: "echo by-a-program\\n" } };
  expect((await relay.post(typed, headers)).status).toBe(200);
  // What xterm.js sends when a program has printed ESC [ 6 n.
  await person.client.ask("writeShell", { shell: shellId, data: "\u001b[3;7R", raw: true });
  const by = await until("the record", async () => {
    const record = await latest();
    return record?.command?.includes("by-a-program") === true ? record.by : undefined;
  });
  expect(by).toMatchObject({ kind: "program", shellId });
});

test("a token that a program breaks over lines stands in no export and no hit of a search", async () => {
  await using lab = historyLab();
  lab.recorder.configure(lab.options);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const shell = new PrintingShell(lab.recorder);
  const printed = [
    `plain ghp_${FIRST}\r\n${REST} end\r\n`,
    `  \x1b[32mghp_${FIRST}\x1b[0m\r\n  \x1b[32m${REST}\x1b[0m\r\n`,
    `│ ghp_${FIRST} │\r\n│ ${REST} │\r\n`,
  ].join("");
  shell.print(printed);
  await lab.recorder.flush();
  const wish = { owner, since: 0, until: Number.MAX_SAFE_INTEGER, redacts: true };
  for (const format of ["text", "asciicast", "asciicast3", "html"] as const) {
    const { content = "" } = (await exportHistory(lab.reader, { ...wish, format }, PLAYER)) ?? {};
    const shown = format === "html" ? recordingIn(content) : content;
    expect(shown).toContain("ghp_•••");
    expect(shown).not.toContain(FIRST);
    expect(shown).not.toContain(REST);
  }
  const pattern = searchPattern({ query: "ghp_", regex: false }, THREAD_MS);
  const hits = hitsIn(Buffer.from(printed), { start: 0, begins: 0, ends: printed.length, pattern });
  expect(hits).toHaveLength(3);
  expect(JSON.stringify(hits)).not.toMatch(new RegExp(`${FIRST}|${REST}`));
});

test("a key from which secrets are hidden is shown no part of one: not by a cut, a wait, a stream, an event or a shell of its own", async () => {
  const { relay } = recorded;
  await using _owner = await relay.join();
  const { shellId: id, key: tile } = await run(`echo ${TOKEN}`);
  await relay.command("sendChat", { message: `the token is ${TOKEN}` });
  const { keys, user } = relay.relay;
  const restrictions = { secrets: "hide" } as const;
  const { secret } = keys.create({ owner: user, name: "shown no secrets", restrictions });
  const call = (method: string, params: object, token = secret) =>
    relay.post({ method, params }, { "X-Service-Token": token });
  const inSession = (path: string, token = secret) =>
    relay.request("GET", `/v1/sessions/${relay.session}/${path}`, { headers: { "X-Service-Token": token } });
  const seen: string[] = [];
  const read = async (params: object, token?: string) => {
    const { status, text } = await call("getShellOutput", { id, ...params }, token);
    expect([params, status]).toEqual([params, 200]);
    seen.push(text);
    return text;
  };

  const { output } = await relay.command<{ output: string }>("getShellOutput", { id });
  const at = Buffer.from(output).lastIndexOf(TOKEN);
  for (const since of [0, at - 2, at, at + 1, at + 9, at + 30]) {
    for (const plain of [true, false]) await read({ since, plain });
    await read({ since, maxBytes: 8 });
  }
  for (const lines of [1, 2, 3, 20]) {
    await read({ lines });
    await read({ lines, screen: true });
  }
  await read({ lastCommand: true });
  expect(seen[0]).toContain("ghp_•");
  const ran = await call("runCommand", { tile, command: `printf '%s\\n' ${TOKEN}`, wait: true });
  expect(ran.text).toContain("ghp_•");
  const [record] = await get<Commands>(`commands?shell=${id}&limit=1`, secret);
  for (const since of ["", `&since=${at + 9}`]) {
    const printed = await inSession(`commands/${record?.id}/output?plain=true${since}`);
    seen.push(printed.text);
  }
  seen.push(ran.text, JSON.stringify(await get("search?query=ghp_", secret)));

  const found = await call("waitFor", { id, text: "echo", since: 0, timeout: 5 });
  expect(found.status).toBe(200);
  const guessed = await call("waitFor", { id, text: TOKEN.slice(0, 9), fixed: true, since: 0, timeout: 1 });
  expect(guessed.text).toBe("It did not happen within 1 s.\n");
  const wrong = await call("waitFor", { id, text: "ghp_zzzzz", fixed: true, since: 0, timeout: 1 });
  expect(guessed.text).toBe(wrong.text);
  expect((await call("waitFor", { id, text: "ghp_a.*", since: 0, timeout: 1 })).status).toBe(403);
  seen.push(guessed.text);

  for (const place of [`shells/${id}/output`, "socket", `history/${id}/export?secrets=keep`]) {
    expect([place, (await inSession(place)).status]).toEqual([place, 403]);
  }
  const events = await inSession("events?follow=false&types=chat.message");
  expect(events.text).toContain("the token is ghp_•");
  seen.push(events.text);

  const made = await call("createShell", { tile: false });
  const { shellId } = (JSON.parse(made.text) as { result: { shellId: ShellId } }).result;
  const admin = { role: "admin", guest: false } as const;
  const { token } = keys.createShellToken(user, relay.session, shellId, admin);
  await read({ plain: true }, token);
  expect((await inSession(`shells/${id}/output`, token)).status).toBe(403);

  const letters = TOKEN.slice(4, 30);
  const parts = [...letters.slice(3)].map((_, place) => letters.slice(place, place + 4));
  for (const text of seen) expect(parts.filter((part) => text.includes(part))).toEqual([]);
});

function recordingIn(page: string): string {
  return Buffer.from(/base64,([A-Za-z0-9+/=]+)/.exec(page)?.[1] ?? "", "base64").toString("utf8");
}
