import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findSystemService } from "../../../cli/system-service.ts";
import { ok, refuse, sessions, startFakeRelay } from "./fake-relay.ts";
import { runCli } from "./run-cli.ts";

const id = "Abcdefgh12345678";
const inShell = (url: string) => ({ SERVICE_URL: url, SERVICE_TOKEN: "k", SERVICE_SESSION: id, SERVICE_SHELL_ID: "3" });

test("needs no option inside a shell, and prints JSON into a pipe", async () => {
  await using relay = await startFakeRelay((_, response) => ok(response, { key: 2, shellId: 4 }));
  expect(await runCli(["func", "split-h"], { env: inShell(relay.url) })).toEqual({
    code: 0,
    out: '{"key":2,"shellId":4}\n',
    err: "",
  });
  expect(relay.received[0]?.body).toEqual({
    method: "splitShell",
    params: { direction: "horizontal" },
    source_shell_id: 3,
  });
  const terminal = await runCli(["func", "split-h"], { env: inShell(relay.url), isTTY: true });
  expect(terminal.out).toBe("tile 2, shell 4\n");
  expect((await runCli(["func", "split-h", "--json"], { env: inShell(relay.url), isTTY: true })).out).toBe(
    '{"key":2,"shellId":4}\n',
  );
});

test.each([
  ["a code that a program ends with", 3, 3],
  ["what is no whole number", 1.5, 1],
  ["no number", "3", 1],
  ["nothing", null, 1],
])("a command that was waited for ends this one too: %s", async (_, exitCode, exit) => {
  await using relay = await startFakeRelay((_, response) => ok(response, { exitCode }));
  const { code, err } = await runCli(["func", "run", "--wait", "--tile", "2", "true"], { env: inShell(relay.url) });
  expect([code, err]).toEqual([exit, ""]);
});

test.each([
  [400, "invalid_params", 2],
  [400, "invalid_request", 1],
  [401, "unauthenticated", 3],
  [409, "ambiguous_client", 1],
  [504, "no_client", 4],
  [504, "no_answer", 1],
])("a refusal with %d %s is exit code %d, its sentence as it came", async (status, code, exit) => {
  await using relay = await startFakeRelay((_, response) =>
    refuse(response, status, code, "Choose one:\n1 a desktop\n2 b browser"),
  );
  expect(await runCli(["func", "list-tiles"], { env: inShell(relay.url) })).toEqual({
    code: exit,
    out: "",
    err: "Choose one:\n1 a desktop\n2 b browser\n",
  });
});

test("output is printed as it is, and a command that was waited for gives its exit code", async () => {
  let exitCode: number | null = 0;
  await using relay = await startFakeRelay((_, response) =>
    ok(response, { id: 1, output: "a\u001b[1mb\n", exitCode, missed: 12 }),
  );
  const env = inShell(relay.url);
  expect(await runCli(["func", "get-shell-output", "1"], { env })).toEqual({
    code: 0,
    out: "a\u001b[1mb\n",
    err: "patchbay: 12 bytes before this are no longer kept.\n",
  });
  // The exact bytes are for programs; a terminal must not be acted on.
  expect((await runCli(["func", "get-shell-output", "1"], { env, isTTY: true })).out).toBe("a\u001b[1mb\n\u001b[0m");
  expect((await runCli(["func", "get-shell-output", "1", "--raw"], { env, isTTY: true })).out).toBe("a\u001b[1mb\n");
  exitCode = 37;
  expect(await runCli(["func", "run", "--wait", "false"], { env })).toMatchObject({ code: 37 });
  expect(JSON.parse((await runCli(["func", "run", "--wait", "--json", "x"], { env })).out)).toMatchObject({
    exitCode: 37,
  });
  exitCode = null;
  expect(await runCli(["func", "run", "--wait", "false"], { env })).toMatchObject({ code: 1 });
});

test("draws the layout with the tiles of the client that it came from", async () => {
  const answers: Record<string, unknown> = {
    getLayoutTree: {
      kind: "split",
      direction: "horizontal",
      ratio: 0.3,
      first: { kind: "leaf", tiles: [1, 3], active: 3 },
      second: { kind: "leaf", tiles: [2] },
    },
    getTiles: [
      { key: 1, type: "shell", id: 7, active: false },
      { key: 3, type: "tunnel", id: 3000, active: true },
      { key: 2, type: "shell", id: 8, active: false },
    ],
    getTerminalNames: [
      { id: 7, title: "vi\u001b[2J" },
      { id: 8, title: "make" },
    ],
  };
  await using relay = await startFakeRelay(({ body }, response) =>
    ok(response, answers[(body as { method: string }).method], { "X-Service-Client": "5" }),
  );
  const { out } = await runCli(["func", "show-tree"], { env: inShell(relay.url) });
  expect(out).toBe(
    [
      "horizontal 0.3",
      "├─ tabs",
      "│  ├─ [1] shell 7 vi\\u001b[2J",
      "│  └─ [3] tunnel 3000 * (in front)",
      "└─ [2] shell 8 make",
      "",
    ].join("\n"),
  );
  expect(relay.received.slice(1).map(({ body }) => body)).toEqual([
    expect.objectContaining({ target_client_id: 5 }),
    expect.objectContaining({ target_client_id: 5 }),
  ]);
});

test("lists, makes, renames and closes sessions", async () => {
  await using relay = await startFakeRelay(({ method }, response) =>
    ok(response, method === "GET" ? sessions : sessions[0]),
  );
  const env = inShell(relay.url);
  expect(JSON.parse((await runCli(["sessions"], { env })).out)).toEqual(sessions);
  await runCli(["sessions", "create", "work"], { env });
  await runCli(["sessions", "rename", "default", "main"], { env });
  await runCli(["sessions", "close", id], { env });
  await runCli(["sessions", "close", id, "--force"], { env });
  expect(relay.received.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["GET", "/v1/sessions", undefined],
    ["POST", "/v1/sessions", { name: "work" }],
    ["GET", "/v1/sessions", undefined],
    ["PATCH", `/v1/sessions/${id}`, { name: "main" }],
    ["DELETE", `/v1/sessions/${id}?force=false`, undefined],
    ["DELETE", `/v1/sessions/${id}?force=true`, undefined],
  ]);
  expect(await runCli(["sessions", "renam"], { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining("rename"),
  });
  expect(await runCli(["sessions", "create"], { env })).toMatchObject({ code: 2 });
  expect(await runCli(["sessions", "list", "--force"], { env })).toMatchObject({ code: 2 });
});

test("prints the events that are kept, one a line", async () => {
  await using relay = await startFakeRelay((_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end('id: b:1\ndata: {"seq":1,"at":"t","type":"toast","data":{"message":"hi"}}\n\n');
  });
  const env = inShell(relay.url);
  expect(await runCli(["func", "events", "--types", "toast"], { env })).toEqual({
    code: 0,
    out: '{"id":"b:1","seq":1,"at":"t","type":"toast","data":{"message":"hi"}}\n',
    err: "",
  });
  expect(relay.received[0]?.url).toBe(`/v1/sessions/${id}/events?types=toast&follow=false`);
  expect(await runCli(["func", "events", "--follow"], { env })).toMatchObject({ code: 5 });
});

test("tells usage, missing key and missing relay apart", async () => {
  const nowhere = { PATCHBAY_DATA: "/nonexistent" };
  expect(await runCli(["func", "list-tils"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("Did you mean `patchbay func list-tiles`?"),
  });
  expect(await runCli(["fnuc"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("Did you mean `patchbay func`?"),
  });
  expect(await runCli(["list-tiles"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("patchbay func list-tiles"),
  });
  expect(await runCli(["constructor"])).toMatchObject({ code: 2 });
  expect(await runCli(["func", "list-tiles"], { env: nowhere })).toMatchObject({ code: 5, out: "" });
  const noKey = await runCli(["func", "list-tiles"], { env: { ...nowhere, SERVICE_URL: "http://127.0.0.1:9" } });
  expect(noKey).toMatchObject({ code: 3, err: expect.stringContaining("patchbay keys create") });
  const status = await runCli(["status"], { env: { ...nowhere, SERVICE_URL: "http://127.0.0.1:9" } });
  expect(status).toMatchObject({ code: 3, out: '{"relay":"http://127.0.0.1:9","key":"none"}\n' });
});

test.each(["patchbay", "service"] as const)("sentences name commands of %s, where that was called", async (program) => {
  const noRelay = await runCli(["agents", "--all"], { env: { PATCHBAY_DATA: "/nonexistent" }, program });
  expect(noRelay.err).toContain(`\`${program} remotes add NAME --url URL\` adds one.`);
  const sentence = "Turn the history on with `service history on`; the service has none.";
  await using relay = await startFakeRelay((_, response) => refuse(response, 400, "invalid_request", sentence));
  expect((await runCli(["func", "list-tiles"], { env: inShell(relay.url), program })).err).toBe(
    `Turn the history on with \`${program} history on\`; the service has none.\n`,
  );
});

test.each([
  ["unknown_webhook", "`patchbay webhooks` lists the webhooks"],
  ["unknown_policy", "`patchbay policies` lists the policies."],
  ["unknown_invite", "`patchbay invite list` lists the open invites."],
  ["unknown_budget", "`patchbay budgets` lists the budgets."],
  ["unknown_question", "`patchbay questions` lists the open questions"],
  ["unknown_receipt", "`patchbay receipts --all` lists the receipts."],
])("a refusal with %s is followed by what lists them", async (code, step) => {
  await using relay = await startFakeRelay((_, response) => refuse(response, 404, code, "There is none."));
  const { err } = await runCli(["func", "list-tiles"], { env: inShell(relay.url) });
  expect(err.startsWith(`There is none. ${step}`)).toBe(true);
});

test("agents start without --acp says how an agent gets a tile of its own", async () => {
  expect(await runCli(["agents", "start", "claude"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("`patchbay func create-shell -- claude` starts it with its own screen. Usage: "),
  });
});

test.each([
  [[]],
  [["--help"]],
  [["func", "--help"]],
  [["help", "sessions"]],
  [["status", "--help"]],
  [["func", "events", "--help"]],
  [["func", "help", "run"]],
  [["completion", "--help"]],
  [["serve", "--help"]],
  [["keys", "--help"]],
  [["help", "token"]],
  [["approve", "-h"]],
  [["help", "keys", "create"]],
])("%j is help", async (args) => {
  expect(await runCli(args)).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: patchbay /), err: "" });
});

test("serve runs the relay's module with its options", async () => {
  const calls: unknown[] = [];
  const loadModule = async (name: string) => ({
    async main(...args: unknown[]) {
      calls.push([name, ...args]);
      return 7;
    },
  });
  expect(await runCli(["serve", "--port", "0"], { loadModule })).toEqual({ code: 7, out: "", err: "" });
  expect(calls).toEqual([["serve", ["--port", "0"]]]);
  expect(await runCli(["serve", "--prot", "0"], { loadModule })).toMatchObject({
    code: 2,
    err: expect.stringMatching(/unknown option '--prot' \(Did you mean --port\?\)\. Usage: patchbay serve \[options\]/),
  });
  expect(calls).toHaveLength(1);
});

test.each(["serve", "keys list", "token --scope plugins:install", "approve"])(
  "%s tells when its module is not installed",
  async (line) => {
    expect(await runCli(line.split(" "), { loadModule: async () => ({}) })).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^patchbay: This installation has no module main\/(serve|local)\.cjs: build or install/,
      ),
    });
  },
);

test("finds the operating system's service program, never itself", () => {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-cli-"));
  try {
    const [self, link, real] = ["self", "link", "real"].map((name) => join(folder, name)) as [string, string, string];
    for (const file of [self, real]) writeFileSync(file, "#!/bin/sh\n");
    chmodSync(self, 0o755);
    symlinkSync(self, link);
    expect(findSystemService({}, { self, places: [link, real] })).toBeUndefined();
    chmodSync(real, 0o755);
    expect(findSystemService({}, { self, places: [link, real] })).toBe(real);
    expect(findSystemService({ PATCHBAY_HANDED_OVER: "1" }, { self, places: [real] })).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("options of every command may stand before the first word, and a relative path is seen from here", async () => {
  await using relay = await startFakeRelay((_, response) => ok(response, { shellId: 1 }));
  const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "token" };
  const cwd = async (...args: string[]) => {
    const ran = await runCli(["--session", id, "--json", "func", "create-shell", ...args], { env, program: "service" });
    expect(ran).toMatchObject({ code: 0, out: '{"shellId":1}\n' });
    const { url, body } = relay.received.at(-1) ?? {};
    expect(url).toBe(`/v1/sessions/${id}/remote/command`);
    return (body as { params: { cwd?: string } }).params.cwd;
  };
  expect(await cwd("--cwd", "below")).toBe(`${process.cwd()}/below`);
  expect(await cwd("--cwd=.")).toBe(process.cwd());
  expect(await cwd("--cwd", "..")).toBe(process.cwd().replace(/\/[^/]*$/, ""));
  for (const kept of ["/tmp", "~", "~/x"]) expect(await cwd("--cwd", kept)).toBe(kept);
});

test.each([
  ["splitShell", "`patchbay func split-h` or `patchbay func split-v`"],
  ["rename", "`patchbay func rename-tile` or `patchbay func rename-workspace` or `patchbay sessions rename`"],
  ["listUsers", "`patchbay func list-users`"],
  ["getTiles", "`patchbay func list-tiles` or `patchbay func list-user-tiles`"],
  ["list-sessions", "`patchbay sessions list`"],
])("func %s is answered with %s", async (word, meant) => {
  expect(await runCli(["func", word])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`Did you mean ${meant}?`),
  });
});

test("a number that JSON cannot carry is refused here", async () => {
  expect(await runCli(["func", "focus-tile", "1e309"])).toMatchObject({
    code: 2,
    err: 'patchbay: key: expected a number, got "1e309".\n',
  });
});

test("a notice is told on the error output, and not with --json", async () => {
  await using relay = await startFakeRelay((_, response) =>
    ok(response, { key: 2, shellId: 3, cwd: "/home", notice: "The folder /x is gone: the shell starts in /home." }),
  );
  const env = inShell(relay.url);
  const shown = await runCli(["func", "split-h"], { env, isTTY: true });
  expect(shown).toMatchObject({
    out: "tile 2, shell 3, cwd /home\n",
    err: "patchbay: The folder /x is gone: the shell starts in /home.\n",
  });
  expect(await runCli(["func", "split-h", "--json"], { env })).toMatchObject({ err: "" });
});

test("func without a command is an invalid command line, with the help", async () => {
  const { code, out, err } = await runCli(["func"], {});
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("func <command>");
});

test.each(["0", "99", "-1"])("--timeout %s is refused before anything is sent", async (seconds) => {
  await using relay = await startFakeRelay((_, response) => refuse(response, 500, "internal", "was sent"));
  const ran = await runCli(["func", "list-tiles", `--timeout=${seconds}`], { env: inShell(relay.url) });
  expect(ran).toMatchObject({
    code: 2,
    err: expect.stringContaining("--timeout: expected seconds, above 0 and up to 60"),
  });
  expect(relay.received).toEqual([]);
});

test("--format with a field that no record can have names the fields, and sends nothing", async () => {
  await using relay = await startFakeRelay((_, response) => refuse(response, 500, "internal", "was sent"));
  const ran = await runCli(["func", "list-tiles", "--format", "{titel}"], { env: inShell(relay.url) });
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toMatch(/no field "titel"\. Did you mean title\? It has: key, type, id/);
  expect(relay.received).toEqual([]);
});

test("an empty SERVICE_SESSION counts as unset", async () => {
  await using relay = await startFakeRelay((received, response) =>
    ok(response, received.method === "GET" ? [{ id: "a-session-1", name: "only" }] : []),
  );
  const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "key", SERVICE_SESSION: "" };
  expect(await runCli(["func", "list-tiles", "--json"], { env })).toMatchObject({ code: 0, err: "" });
});

describe("what a relay says does nothing to the terminal that it is printed to", () => {
  const words = "x\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u202e";
  const login = { code: words, name: words, address: words, since: words };
  const fleet = { state: "off", problem: words, broker: words, owner: words, name: words, conflicts: [], members: [] };
  const chain = { ok: true, entries: 1, removed: 0, unchained: 0, head: words };

  test.each<[command: string, result: unknown]>([
    ["func create-shell", { key: 1, notice: words }],
    ["approve", [login]],
    ["fleet", fleet],
    ["audit verify", chain],
    ["remotes add box", { user: words }],
  ])("%s", async (command, result) => {
    await using relay = await startFakeRelay(({ url }, response) => {
      if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: words }));
      else ok(response, result);
    });
    const folder = mkdtempSync(join(tmpdir(), "patchbay-words-"));
    const env = { ...inShell(relay.url), PATCHBAY_DATA: folder, SERVICE_TOKEN_BOX: `pbk_${"x".repeat(43)}` };
    const args = [...command.split(" "), ...(command.startsWith("remotes") ? ["--url", relay.url] : [])];
    const { out, err } = await runCli(args, { env, isTTY: true });
    rmSync(folder, { recursive: true });
    expect(out + err).toContain(String.raw`x\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u202e`);
    expect(out + err).not.toContain(words);
  });
});
