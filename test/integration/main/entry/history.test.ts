import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { OperationResult } from "../../../../core/operations/index.ts";
import type { ShellCallResult } from "../../../../core/protocol/shell-host.ts";
import { freePort } from "../../../support/free-port.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../../../support/start-serve.ts";
import { until } from "../../../support/until.ts";

type Read = ShellCallResult<"read">;
type Command = OperationResult<"getCommands">[number];
type Answer = OperationResult<"search">;
type Rerun = OperationResult<"rerunCommand">;
type NewShell = { readonly shellId: number; readonly key: number };
type Status = OperationResult<"getHistory">;

/** Printed by a shell: 7.6 MB, nearly twice what memory keeps. */
const LAST = 600_000;
const PRINT = `seq -f 'row %.0f' 1 ${LAST}`;

function callsOf({ url, session }: ServeProcess, key: string) {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { "X-Service-Token": key, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return (JSON.parse(text) as { result: T }).result;
  };
  return {
    call,
    inSession: <T>(method: string, path: string, body?: object) => call<T>(method, `sessions/${session}/${path}`, body),
    search: async (query: string) => (await call<Answer>("GET", `sessions/${session}/search?${query}`)).hits,
    command: <T>(method: string, params: object = {}) =>
      call<T>("POST", `sessions/${session}/remote/command`, { method, params }),
    status: () => call<Status>("GET", "history"),
  };
}

/** Reads a shell's output from its first byte on, page by page. */
async function readAll({ command }: ReturnType<typeof callsOf>, id: number) {
  let text = "";
  let missed = 0;
  for (let since = 0; ; ) {
    const page = await command<Read>("getShellOutput", { id, since });
    expect(Buffer.byteLength(page.output)).toBe(page.end - page.offset);
    text += page.output;
    missed += page.missed;
    if (page.end === since) return { text, missed, end: since };
    since = page.end;
  }
}

function rowsIn(text: string): number[] {
  return [...text.matchAll(/row (\d+)\r$/gm)].map(([, row]) => Number(row));
}

function hostPid({ data }: ServeLab): number {
  return (JSON.parse(readFileSync(join(data, "shell-host.json"), "utf8")) as { pid: number }).pid;
}

test("what left memory is read whole, also after kill -9 of relay and shell host, until it is forgotten", {
  tags: "slow",
  timeout: 180_000,
}, async () => {
  await using lab = await startServeLab();
  const args = ["--client", "--port", String(await freePort())];
  const first = await lab.serve(args);
  const key = await lab.makeKey();
  const before = callsOf(first, key);
  expect(await before.status()).toMatchObject({ choice: "unasked", recording: false, segments: 0 });
  // There is no session bus in the test's environment, so no keychain.
  await expect(before.call("POST", "history/start", {})).rejects.toThrow(/400 .*No keychain can be reached/);
  await before.call("POST", "history/start", { unencrypted: true });
  const { shellId: id, key: tile } = await before.command<NewShell>("createShell", { focus: false });
  await before.command("runCommand", { tile, command: PRINT, wait: true, timeout: 60 });
  const whole = await readAll(before, id);
  expect(whole.missed).toBe(0);
  expect(rowsIn(whole.text)).toHaveLength(LAST);
  expect(rowsIn(whole.text).findIndex((row, index) => row !== index + 1)).toBe(-1);
  expect(await before.status()).toMatchObject({ recording: true, trouble: null, lost: 0, waiting: 0, unreadable: [] });

  await first.kill();
  const second = await lab.serve(args);
  const after = callsOf(second, key);
  expect((await readAll(after, id)).text.startsWith(whole.text)).toBe(true);

  process.kill(hostPid(lab), "SIGKILL");
  await until("the end of the shell", async () => {
    const shells = await after.command<{ id: number; running: boolean }[]>("getShells");
    return shells.some((shell) => shell.id === id && !shell.running);
  });
  const left = await readAll(after, id);
  expect(rowsIn(left.text)).toHaveLength(LAST);
  expect((await after.command<Read>("getShellOutput", { id, lines: 3 })).output).not.toBe("");

  // The next shell host compresses what the killed one left open.
  const { shellId: next, key: nextTile } = await after.command<NewShell>("createShell", { focus: false });
  await until("compression", async () => (await after.status()).bytes < 3_000_000);
  expect((await readAll(after, id)).text).toBe(left.text);

  const removed = await after.inSession<{ segments: number }>("DELETE", `history?shell=${id}`);
  expect(removed.segments).toBeGreaterThan(1);
  expect(await after.command("getShellOutput", { id, since: 0 })).toMatchObject({ output: "", end: 0 });
  await after.command("runCommand", { tile: nextTile, command: "echo still recorded", wait: true });
  await after.call("DELETE", "history");
  expect((await after.command<Read>("getShellOutput", { id: next, since: 0 })).output).toContain("still recorded");
  expect((await after.status()).segments).toBe(0);
  await after.command("runCommand", { tile: nextTile, command: "echo recorded again", wait: true });
  await until("new segments", async () => (await after.status()).segments > 0);
});

test("a session that is left out is not recorded, and nothing is after recording was turned off", async () => {
  await using lab = await startServeLab();
  const serve = await lab.serve(["--client"]);
  const { call, inSession, command, status } = callsOf(serve, await lab.makeKey());
  const { key: tile } = await command<NewShell>("createShell", { focus: false });
  await inSession("PUT", "history", { record: "off" });
  await call("POST", "history/start", { unencrypted: true });
  await command("runCommand", { tile, command: "echo private", wait: true });
  expect(await status()).toMatchObject({ except: [serve.session], segments: 0 });
  await inSession("PUT", "history", { record: "on" });
  await until("a segment", async () => (await status()).segments === 1);
  await call("POST", "history/stop", {});
  const { bytes } = await status();
  await command("runCommand", { tile, command: "seq 1 10000", wait: true });
  expect(await status()).toMatchObject({ choice: "off", recording: false, segments: 1 });
  expect((await status()).bytes).toBeLessThanOrEqual(bytes);
});

test("commands and output are found with who entered them, by their session only, in a closed shell too", async () => {
  await using lab = await startServeLab();
  const serve = await lab.serve(["--client"]);
  const { call, inSession, search, command } = callsOf(serve, await lab.makeKey());
  await expect(inSession("GET", "commands")).rejects.toThrow(/400 .*history on/);
  await call("POST", "history/start", { unencrypted: true });
  const { shellId: id, key: tile } = await command<NewShell>("createShell", { focus: false });
  await command("runCommand", { tile, command: "cd /usr && printf 'needle %s\\n' in-a-haystack", wait: true });
  await command("runCommand", { tile, command: "false", wait: true });
  // What a shell's program enters is told from what a person enters.
  const { output: token } = await command<{ output: string }>("runCommand", {
    tile,
    command: "printf %s $SERVICE_TOKEN",
    wait: true,
  });
  const inShell = callsOf(serve, token);
  await inShell.command("runCommand", { tile, command: "echo by a program", wait: true });

  const listed = await inSession<Command[]>("GET", "commands");
  expect(listed.map((one) => one.command)).toEqual([
    "echo by a program",
    "printf %s $SERVICE_TOKEN",
    "false",
    "cd /usr && printf 'needle %s\\n' in-a-haystack",
  ]);
  expect(listed[0]?.by).toMatchObject({ kind: "program", name: `shell ${id}`, shellId: id });
  expect(listed[2]).toMatchObject({ exitCode: 1, cwd: "/usr", by: { kind: "person", name: "test" } });
  expect(await inSession("GET", "commands?failed=true")).toMatchObject([{ command: "false" }]);
  const [first] = await inSession<Command[]>("GET", "commands?text=needle");
  expect(await inSession("GET", `commands/${first?.id}/output`)).toMatchObject({
    output: "needle in-a-haystack\n",
    missed: 0,
    exitCode: 0,
  });
  await expect(inSession("GET", "commands/1.999999/output")).rejects.toThrow(/400 .*No command/);

  await command("closeShell", { id });
  const hits = await search("query=NEEDLE%20in-a");
  expect(hits).toMatchObject([{ in: "output", shellId: id, line: "needle in-a-haystack", from: 0, length: 11 }]);
  expect(await search("query=needle&in=commands")).toMatchObject([{ in: "commands", id: first?.id }]);
  // What the index's own language would read as more than text.
  for (const text of [`"""`, "***", "needle OR x", "NEAR(needle)"]) {
    expect(await search(`query=${encodeURIComponent(text)}`)).toEqual([]);
  }
  await expect(search("query=a%00b")).rejects.toThrow(/400 .*without a NUL/);
  await command("sendChat", { message: "found the needle" });
  expect(await search("query=needle&in=chat")).toMatchObject([{ in: "chat", line: "found the needle" }]);
  const { id: other } = await call<{ id: string }>("POST", "sessions", { name: "other" });
  expect(await call("GET", `sessions/${other}/search?query=needle`)).toEqual({ hits: [], complete: true });
  await call("DELETE", "history");
  expect(await search("query=needle&in=output")).toEqual([]);
  expect(await inSession("GET", "commands")).toEqual([]);
});

test("what was printed just before a search is found, or the answer says that it is not complete", async () => {
  await using lab = await startServeLab();
  const serve = await lab.serve(["--client"]);
  const { call, inSession, command } = callsOf(serve, await lab.makeKey());
  await call("POST", "history/start", { unencrypted: true });
  const { shellId: id } = await command<NewShell>("createShell", { focus: false });
  const find = (round: number, wait: number) =>
    inSession<Answer>("GET", `search?query=round-${round}-done&in=output&wait=${wait}`);
  for (let round = 1; round <= 6; round++) {
    await command("writeToShell", { id, data: `seq 1 20000; echo round-$((${round}))-done\n` });
    await command("waitFor", { id, text: `round-${round}-done`, since: 0, skipEcho: true, timeout: 30 });
    const now = await find(round, 0.01);
    expect(now.complete ? now.hits.length : 1).toBe(1);
    expect(await find(round, 30)).toMatchObject({ complete: true, hits: [{ line: `round-${round}-done` }] });
  }
});

test("the keychain is asked for by a relay that runs from kept code, too", async () => {
  await using lab = await startServeLab();
  const first = await lab.serve();
  const key = await lab.makeKey();
  const start = async ({ url }: { readonly url: string }) => {
    const headers = { "X-Service-Token": key, "Content-Type": "application/json" };
    return (await fetch(`${url}/v1/history/start`, { method: "POST", headers, body: "{}" })).text();
  };
  // There is none here, which the library of the system says.
  const reason = await start(first);
  expect(reason).toMatch(/No keychain can be reached \(Platform failure/);
  await first.stop();
  expect(await start(await lab.serve())).toBe(reason);
});

test("conversations are found by the relay's owner only, and output by regular expressions too", async () => {
  await using lab = await startServeLab();
  cpSync(join(import.meta.dirname, "../../../fixtures/agents/claude"), dirname(lab.data), { recursive: true });
  const serve = await lab.serve(["--client"]);
  const { call, search, command } = callsOf(serve, await lab.makeKey());
  await call("POST", "history/start", { unencrypted: true });
  const said = (query: string) => search(`query=${encodeURIComponent(query)}&in=conversations`);
  await until("the index", async () => (await said("Resumed fine")).length > 0);
  const [hit] = await said("SAY\\{Resumed");
  expect(hit).toBeUndefined();
  const [found] = await search("query=resumed%20f%5Ba-z%5D%2B&regex=true&in=conversations");
  expect(found).toMatchObject({ in: "conversations", conversation: { agentType: "claude" } });
  const everything = await search("query=Resumed%20fine");
  expect(everything.some((one) => one.in === "conversations")).toBe(true);

  const { key: tile } = await command<NewShell>("createShell", { focus: false });
  const printed = await command<{ output: string }>("runCommand", {
    tile,
    command: "echo $SERVICE_TOKEN; printf 'built 12 files in 3 s\\n' >&2",
    wait: true,
  });
  const pattern = encodeURIComponent("built \\d+ files in \\d+ s$");
  expect(await search(`query=${pattern}&regex=true&in=output`)).toMatchObject([
    { line: expect.stringContaining("built 12 files in 3 s") },
  ]);
  await expect(search("query=(abc&regex=true")).rejects.toThrow(/400 .*regular expression/);

  // A shell's token and a restricted key find no conversation, and are told so only where they ask for conversations.
  const token = printed.output.split(/\s/)[0] ?? "";
  const { secret } = await call<{ secret: string }>("POST", "keys", {
    name: "search",
    restrictions: { readOnly: true },
  });
  for (const other of [callsOf(serve, token), callsOf(serve, secret)]) {
    await expect(other.search("query=Resumed%20fine&in=conversations")).rejects.toThrow(/403 .*owner/);
    const hits = await other.search("query=Resumed%20fine");
    expect(hits.filter((one) => one.in === "conversations")).toEqual([]);
  }
});

test("a command is run again where it ran, or in a new shell, once that is agreed; its branch and signal are kept", async () => {
  await using lab = await startServeLab();
  const serve = await lab.serve(["--client"]);
  const { call, inSession, command } = callsOf(serve, await lab.makeKey());
  await call("POST", "history/start", { unencrypted: true });
  const folder = join(realpathSync(dirname(lab.data)), "project");
  mkdirSync(folder);
  execFileSync("git", ["init", "-q", "-b", "topic/one"], { cwd: folder });
  const { shellId: id, key: tile } = await command<NewShell>("createShell", { focus: false });
  const run = (line: string) => command("runCommand", { tile, command: line, wait: true });
  await run(`cd ${folder}`);
  await run("echo ran >>runs.txt");
  await run("sh -c 'kill -9 $$'");
  await run("echo password=Tr0ub4dor3xyz");
  const [hidden, killed, echo] = await until("the records of all four", async () => {
    const records = await inSession<Command[]>("GET", "commands");
    return records.length === 4 && records.every(({ durationMs }) => durationMs !== null) ? records : undefined;
  });
  expect(killed).toMatchObject({ exitCode: 137, signal: "SIGKILL", branch: "topic/one" });
  expect(echo).toMatchObject({ command: "echo ran >>runs.txt", exitCode: 0, signal: null, branch: "topic/one" });

  const rerun = (body: object = {}, of = echo) => inSession<Rerun>("POST", `commands/${of?.id}/rerun`, body);
  const runs = () => readFileSync(join(folder, "runs.txt"), "utf8").split("ran").length - 1;
  expect(await rerun()).toEqual({ state: "shown", command: "echo ran >>runs.txt", cwd: folder, shellId: id });
  expect(runs()).toBe(1);
  expect(await rerun({ yes: true })).toMatchObject({ state: "started", shellId: id });
  await until("the second run", () => runs() === 2);
  const latest = () => inSession<Command[]>("GET", "commands?limit=1");
  await until("its record", async () => (await latest())[0]?.command === "echo ran >>runs.txt");
  expect((await latest())[0]?.by).toMatchObject({ kind: "person", name: "test" });

  await expect(rerun({}, hidden)).rejects.toThrow(/400 .*held a secret/);
  await run("cd /");
  await expect(rerun({ yes: true })).rejects.toThrow(/400 .*is in \/; run it in a new shell with `new` \(--new\)/);
  expect(await rerun({ new: true })).toMatchObject({ state: "shown", shellId: null });
  const { shellId: next } = await rerun({ new: true, yes: true });
  await until("the third run", () => runs() === 3);
  expect(await command("getShells")).toMatchObject([{ id }, { id: next, cwd: folder }]);

  // A key for its own shells starts nothing in another's, and new ones only as its patterns say.
  const made = (restrictions: object) => call<{ secret: string }>("POST", "keys", { name: "narrow", restrictions });
  const rerunBy = async (restrictions: object, body: object) =>
    callsOf(serve, (await made(restrictions)).secret).inSession("POST", `commands/${echo?.id}/rerun`, body);
  await run(`cd ${folder}`);
  await expect(rerunBy({ ownShells: true }, { yes: true })).rejects.toThrow(/403 .*only its own shells/);
  await expect(rerunBy({ readOnly: true }, {})).rejects.toThrow(/403 .*read-only/);
  const patterns = { methods: ["rerunCommand"] };
  await expect(rerunBy(patterns, { new: true, yes: true })).rejects.toThrow(/403 .*createShell is not among it/);
  expect(runs()).toBe(3);
});

test("a pattern of one's own is hidden from then on, in what was recorded before too, and is the owner's to set", async () => {
  await using lab = await startServeLab();
  const serve = await lab.serve(["--client"]);
  const { call, inSession, search, command, status } = callsOf(serve, await lab.makeKey());
  await call("POST", "history/start", { unencrypted: true });
  const { key: tile, shellId } = await command<NewShell>("createShell", { focus: false });
  await command("runCommand", { tile, command: "echo billed ACME-123456", wait: true });
  const found = () => search("query=ACME-123456&in=output");
  await until("the index", async () => (await found()).length > 0);
  for (const [pattern, reason] of [
    ["(ACME", /400 .*params\.pattern: expected a regular expression/],
    ["(?:a{30}){30}", /400 .*repeats less/],
    [".*", /400 .*does not match the empty text/],
  ] as const) {
    await expect(call("PUT", "history/patterns/customer", { pattern })).rejects.toThrow(reason);
  }
  await call("PUT", "history/patterns/customer", { pattern: "ACME-[0-9]{6}" });
  await until("the index anew", async () => (await found()).length === 0 && (await status()).redacted > 0);
  expect((await status()).patterns).toEqual({ customer: "ACME-[0-9]{6}" });
  const [hit] = await search("query=billed&in=output");
  expect(hit?.line).toContain("billed •••••••••••");
  expect(await call("GET", "history/redactions?rule=customer")).toContainEqual(
    expect.objectContaining({ rule: "customer", session: serve.session, shellId, length: 11 }),
  );
  const exported = await inSession<{ content: string; redacted: number }>(
    "GET",
    `history/${shellId}/export?format=text`,
  );
  expect(exported.content).not.toContain("ACME-1");
  expect(exported.redacted).toBeGreaterThan(0);
  const { secret } = await call<{ secret: string }>("POST", "keys", { name: "r", restrictions: { readOnly: true } });
  await expect(callsOf(serve, secret).call("GET", "history/redactions")).rejects.toThrow(/403/);
  await call("DELETE", "history/patterns/customer");
  await until("the index anew", async () => (await found()).length > 0);
  await expect(call("DELETE", "history/patterns/customer")).rejects.toThrow(/400 .*one of your own patterns/);
});
