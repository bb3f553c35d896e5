import { describe, expect, test } from "vitest";
import { operationsOf } from "../../../../cli/parse/words.ts";
import { ok, refuse, sessions, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

const id = "Abcdefgh12345678";
const envOf = (url: string) => ({ SERVICE_URL: url, SERVICE_TOKEN: "k", SERVICE_SESSION: id });
const url = `http://127.0.0.1:7717/s/${id}#pbi_x`;
const invite = { id: "i1", session: id, role: "writer", usesLeft: 1, createdAt: "c", expiresAt: "e" };
const budgets = { day: 20, session: null };
const host = { state: "running", pid: 7, silentMs: 0 };
const promptDefaults = { when: "idle", expiresIn: 3600, guard: true };
const notice = { at: "2026-11-21T04:00:00Z", title: "done", body: "make", kind: "command" };

interface Case {
  readonly line: string;
  /** Method, path below `/v1/`, body. */
  readonly sent: readonly [string, string, unknown?];
  readonly result: unknown;
  /** What a terminal shows. */
  readonly shown: RegExp;
}

const commands = [{ id: "3.10", startedAt: "2026-11-24T10:00:00.000Z", exitCode: 2, command: "make test" }];
const cases: readonly Case[] = [
  {
    line: "invite",
    sent: ["POST", `sessions/${id}/invites`, { role: "writer", ttl: 3600, uses: 1, outside: false }],
    result: { ...invite, url, urls: [url] },
    shown: /^http:\/\/127\.0\.0\.1:7717\/s\/Abcdefgh12345678#pbi_x\n$/,
  },
  {
    line: "invite create --role reader --ttl 600 --uses 3 --outside",
    sent: ["POST", `sessions/${id}/invites`, { role: "reader", ttl: 600, uses: 3, outside: true }],
    result: { ...invite, url, urls: [url] },
    shown: /^http:\S+\n$/,
  },
  { line: "invite list", sent: ["GET", `sessions/${id}/invites`], result: [invite], shown: /id {2}session .*\ni1 / },
  {
    line: "invite revoke i1",
    sent: ["DELETE", `sessions/${id}/invites/i1`],
    result: { id: "i1" },
    shown: /^id: i1\n$/,
  },
  {
    line: "clients role 3 reader",
    sent: ["PATCH", `sessions/${id}/clients/3`, { role: "reader" }],
    result: { client: 3, role: "reader" },
    shown: /^client: 3\nrole: +reader\n$/,
  },
  {
    line: "clients disconnect 3",
    sent: ["DELETE", `sessions/${id}/clients/3`],
    result: { client: 3 },
    shown: /^client: 3\n$/,
  },
  {
    line: "send-prompt 3 continue",
    sent: ["POST", `sessions/${id}/prompts`, { shellId: 3, text: "continue", ...promptDefaults }],
    result: { id: 12, state: "queued" },
    shown: /^id: +12\nstate: +queued\n$/,
  },
  {
    line: "send-prompt --agent-session-id a-1 --when now --no-guard stop",
    sent: [
      ...(["POST", `sessions/${id}/prompts`] as const),
      { agentSessionId: "a-1", text: "stop", ...promptDefaults, when: "now", guard: false },
    ],
    result: { id: 12 },
    shown: /^id: 12\n$/,
  },
  {
    line: "edit-prompt 12 --position 1",
    sent: ["PATCH", `sessions/${id}/receipts/12`, { position: 1 }],
    result: { id: 12 },
    shown: /^id: 12\n$/,
  },
  { line: "budgets", sent: ["GET", "budgets"], result: budgets, shown: /^day: +20\nsession: +-\n$/ },
  { line: "budgets show", sent: ["GET", "budgets"], result: budgets, shown: /^day: +20\n/ },
  {
    line: "budgets set --day 20 --session 2.5",
    sent: ["PUT", "budgets", { day: 20, session: 2.5 }],
    result: budgets,
    shown: /^day: +20\n/,
  },
  {
    line: "budgets set --session none",
    sent: ["PUT", "budgets", { session: null }],
    result: budgets,
    shown: /session: +-\n$/,
  },
  { line: "notifications", sent: ["GET", "notifications"], result: [notice], shown: /done/ },
  { line: "sessions", sent: ["GET", "sessions"], result: sessions, shown: /default.*\n.*production/ },
  { line: "sessions list", sent: ["GET", "sessions"], result: sessions, shown: /production/ },
  {
    line: "sessions create work",
    sent: ["POST", "sessions", { name: "work" }],
    result: sessions[0],
    shown: /^id: +Abcdefgh12345678\n/,
  },
  {
    line: `sessions rename ${id} main`,
    sent: ["PATCH", `sessions/${id}`, { name: "main" }],
    result: sessions[0],
    shown: /name: +default\n/,
  },
  {
    line: `sessions close ${id} --force`,
    sent: ["DELETE", `sessions/${id}?force=true`],
    result: sessions[0],
    shown: /name: +default\n/,
  },
  {
    line: "history",
    sent: ["GET", `sessions/${id}/commands?regex=false&failed=false&limit=50`],
    result: commands,
    shown: /make test/,
  },
  {
    line: "history test --failed",
    sent: ["GET", `sessions/${id}/commands?text=test&failed=true&regex=false&limit=50`],
    result: commands,
    shown: /make test/,
  },
  {
    line: "history output 3.10",
    sent: ["GET", `sessions/${id}/commands/3.10/output?plain=true`],
    result: { ...commands[0], output: "ok" },
    shown: /^ok\n$/,
  },
  { line: "shell-host", sent: ["GET", "shell-host"], result: host, shown: /^state: +running\n/ },
  { line: "shell-host status", sent: ["GET", "shell-host"], result: host, shown: /^state: +running\n/ },
  {
    line: "shell-host restart",
    sent: ["POST", "shell-host/restart", { force: false }],
    result: { pid: 8, ended: [] },
    shown: /^pid: +8\n/,
  },
];

describe.each(cases)("$line", ({ line, sent: [method, path, body], result, shown }) => {
  test("sends one request, and prints for people or for programs", async () => {
    await using relay = await startFakeRelay((_, response) => ok(response, result));
    const env = envOf(relay.url);
    const words = line.split(" ");
    const terminal = await runCli(words, { env, isTTY: true });
    expect(terminal).toEqual({ code: 0, out: expect.stringMatching(shown), err: "" });
    expect(await runCli(words, { env })).toEqual({ code: 0, out: `${JSON.stringify(result)}\n`, err: "" });
    expect((await runCli([...words, "--json"], { env, isTTY: true })).out).toBe(`${JSON.stringify(result)}\n`);
    // A prompt that is to be written now is waited for, too.
    const sent = relay.received.filter(({ url }) => url === `/v1/${path}`);
    expect(sent).toHaveLength(3);
    for (const got of sent) {
      expect([got.method, got.url, got.body]).toEqual([method, `/v1/${path}`, body]);
      expect(got.headers["x-service-token"]).toBe("k");
    }
  });
});

test("an exported file is printed alone, into a pipe too; --json prints the whole result", async () => {
  const result = { content: '{"version":2}\n[0,"o","x"]\n', isCut: false };
  await using relay = await startFakeRelay((_, response) => ok(response, result));
  const env = envOf(relay.url);
  const words = ["history", "export", "--shell", "3", "--since", "10m"];
  expect(await runCli(words, { env })).toEqual({ code: 0, out: result.content, err: "" });
  expect(await runCli(words, { env, isTTY: true })).toEqual({ code: 0, out: result.content, err: "" });
  expect((await runCli([...words, "--json"], { env })).out).toBe(`${JSON.stringify(result)}\n`);
});

test.each(["history --folder .", "policy test --folder .", "conversations --cwd ."])(
  "%s sends the full path of the folder that the caller is in",
  async (line) => {
    await using relay = await startFakeRelay((_, response) => ok(response, []));
    expect(await runCli(line.split(" "), { env: envOf(relay.url) })).toMatchObject({ code: 0, err: "" });
    const { searchParams } = new URL(relay.received.at(-1)?.url ?? "", relay.url);
    expect(searchParams.get("folder") ?? searchParams.get("cwd")).toBe(process.cwd());
  },
);

test.each([
  ["invite creat", 'invite: no action "creat". Did you mean create?'],
  ["invite list more", 'invite list: unexpected argument "more"'],
  ["invite revoke", "invite revoke: invite is missing."],
  ["invite list --role reader", "--role is not an option of `invite list`."],
  ["invite --ttl soon", '--ttl: expected a number, got "soon".'],
  ["invite --ttl none", '--ttl: expected a number, got "none".'],
  ["invite --role boss", "Allowed choices are admin, writer, reader. Usage"],
  ["invite --rol reader", "unknown option '--rol' (Did you mean --role?). Usage"],
  ["clients", "clients: expected one of role, disconnect."],
  ["clients role 3", "clients role: role is missing."],
  ["clients role x reader", 'client: expected a number, got "x".'],
  ["clients role 3 boss", "role: expected one of"],
  ["clients disconnect 3 4", 'clients disconnect: unexpected argument "4"'],
  ["budgets show --day 20", "--day is not an option of `budgets show`."],
  ["budgets --day 20", "--day is not an option of `budgets show`."],
  ["budgets show --session 5", "--session is not an option of `budgets show`."],
  ["budgets set --day never", '--day: expected a number, got "never".'],
  ["budgets set 20", 'budgets set: unexpected argument "20"'],
  ["notifications all", 'notifications: unexpected argument "all"'],
  ["sessions renam", 'sessions: no action "renam". Did you mean rename?'],
  ["sessions create", "sessions create: name is missing."],
  ["sessions create my work", 'unexpected argument "work"; put text with spaces in quotes.'],
  ["sessions list --force", "--force is not an option of `sessions list`."],
  ["shell-host stop", 'shell-host: no action "stop".'],
  ["shell-host status --force", "--force is not an option of `shell-host status`."],
])("%s is a usage error, with the usage, and nothing is sent", async (line, message) => {
  await using relay = await startFakeRelay((_, response) => ok(response, {}));
  const ran = await runCli(line.split(" "), { env: envOf(relay.url) });
  const [word = ""] = line.split(" ");
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toContain(message);
  expect(ran.err).toContain(`Usage: patchbay ${word}`);
  expect(relay.received).toEqual([]);
});

test.each([
  ["invite --ttl 0", "body.ttl: expected a number from 1 to 2592000, got 0.", "--ttl: expected a number from 1"],
  [
    "budgets set --day -1",
    "body.day: expected a number above 0, or null, got -1.",
    "--day: expected a number above 0, or none,",
  ],
  ["clients role 3 reader", "path.client: expected an id.", "client: expected an id."],
  ["sessions close x", "query.force: expected a boolean.", "--force: expected a boolean."],
  ["sessions create a", "No body.name here.", "No body.name here."],
])("%s: a refusal names the option as the user wrote it", async (line, sentence, told) => {
  await using relay = await startFakeRelay(({ url: path, method }, response) => {
    if (method === "GET" && path === "/v1/sessions") ok(response, [{ ...sessions[0], name: "x" }]);
    else refuse(response, 400, "invalid_params", sentence);
  });
  const { code, err } = await runCli(line.split(" "), { env: envOf(relay.url) });
  expect([code, err.startsWith(told)]).toEqual([2, true]);
});

describe.each(["invite", "clients", "budgets", "notifications", "sessions", "shell-host"])("%s --help", (word) => {
  const rows = operationsOf(word);
  const optionsOf = (row: (typeof rows)[number]) =>
    row.cli.params
      .filter(({ byPosition }) => !byPosition)
      .map(({ word: option, ...param }) => `--${param.default === true ? "no-" : ""}${option}`);

  test("lists every action and groups the options by action", async () => {
    const { code, out, err } = await runCli([word, "--help"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(new RegExp(`^Usage: patchbay ${word}[\\s\\S]*Examples:\\n  patchbay ${word}`));
    for (const row of rows) {
      const { action, params } = row.cli;
      if (action !== undefined) expect(out).toMatch(new RegExp(`^  ${action}.*  ${row.summary}`, "m"));
      for (const param of params) if (param.byPosition) expect(out).toContain(`<${param.word}>`);
      for (const option of optionsOf(row)) expect(out).toContain(option);
      if (action !== undefined && optionsOf(row).length > 0)
        expect(out).toMatch(new RegExp(`^Options of (.* )?${action}(,| and .*)?:$`, "m"));
    }
  });

  test.each(rows.flatMap((row) => (row.cli.action === undefined ? [] : [{ row, action: row.cli.action }])))(
    "$action --help is about that action alone",
    async ({ row, action }) => {
      const { code, out } = await runCli([word, action, "--help"]);
      expect([code, out]).toEqual([0, expect.stringContaining(`Usage: patchbay ${word} ${action}`)]);
      expect(out).toContain(row.summary);
      for (const option of optionsOf(row)) expect(out).toContain(option);
      // Of every machine, where the action is for all of them.
      const own = [...optionsOf(row), ...(row.cli.allMachines === true ? ["--all"] : [])];
      for (const option of rows.flatMap(optionsOf)) {
        if (!own.includes(option)) expect(out).not.toMatch(new RegExp(`^  ${option}\\b`, "m"));
      }
      expect((await runCli(["help", word, action])).out).toBe(out);
    },
  );
});

test.each(["budgets", "budgets set", "settings set"])("%s --help says that new budgets only warn", async (line) => {
  const { out } = await runCli([...line.split(" "), "--help"]);
  expect(out.replace(/\s+/g, " ")).toMatch(/only warns?\b/);
});

test("what is printed alone acts on no terminal, except for text and colours, and is whole in a file", async () => {
  const text = "\u001b[31mred\u001b[m \u001b]52;c;czNjcmV0\u0007\u009b6n \u202eend";
  const content = `${text}\n`;
  await using relay = await startFakeRelay((_received, response) => ok(response, { output: text, content, text }));
  const env = envOf(relay.url);
  for (const words of [
    ["history", "output", "3.10", "--no-plain"],
    ["history", "export", "--shell", "3", "--format", "text"],
    ["conversations", "text", "a-1", "0.m.1"],
  ]) {
    const { out } = await runCli(words, { env, isTTY: true });
    expect(out).toBe("\u001b[31mred\u001b[m  \\u202eend\n");
  }
  expect((await runCli(["history", "export", "--shell", "3"], { env })).out).toBe(content);
});

test("a dash for a prompt reads the standard input, without its last line end", async () => {
  await using relay = await startFakeRelay((_received, response) => ok(response, { id: 12 }));
  const stdin = async function* () {
    yield Buffer.from("first line\nsecond ");
    yield Buffer.from("line\n");
  };
  const { code } = await runCli(["send-prompt", "3", "-"], { env: envOf(relay.url), stdin });
  expect(code).toBe(0);
  expect(relay.received.at(-1)?.body).toMatchObject({ shellId: 3, text: "first line\nsecond line" });
});

test("receipts --all lists the final ones, of this session alone", async () => {
  await using relay = await startFakeRelay((_received, response) => ok(response, []));
  expect(await runCli(["receipts", "--all"], { env: envOf(relay.url) })).toMatchObject({ code: 0, err: "" });
  expect(relay.received.at(-1)?.url).toMatch(/\/receipts\?all=true$/);
});

test("send-prompt --when now tells a refusal that follows at once", async () => {
  await using relay = await startFakeRelay(({ url }, response) => {
    if (url?.endsWith("/prompts")) ok(response, { id: 12 });
    else refuse(response, 409, "prompt_undelivered", "Prompt 12 was refused: shell 3 is at its prompt.");
  });
  const ran = await runCli(["send-prompt", "3", "--when", "now", "go on"], { env: envOf(relay.url) });
  expect(ran).toMatchObject({ code: 1, out: "", err: expect.stringContaining("Prompt 12 was refused") });
});

test("send-prompt --when now waits for the agent to take the prompt, and tells a prompt that is not written", async () => {
  const pasteSeconds = 20;
  await using relay = await startFakeRelay(({ url, body }, response) => {
    if (url?.endsWith("/prompts")) ok(response, { id: 12, state: "queued" });
    else if (Number((body as { params: { timeout?: number } }).params.timeout) < pasteSeconds) {
      refuse(response, 504, "wait_timeout", "Prompt 12 was not written. It is queued: with an agent.");
    } else refuse(response, 409, "prompt_undelivered", "Prompt 12 is refused (terminal_mode): no pastes.");
  });
  const words = ["send-prompt", "3", "--when", "now", "go on"];
  const late = await runCli(words, { env: envOf(relay.url) });
  expect(late).toMatchObject({ code: 1, out: "", err: expect.stringContaining("Prompt 12 is refused") });
  await using slow = await startFakeRelay(({ url }, response) => {
    if (url?.endsWith("/prompts")) ok(response, { id: 12, state: "queued" });
    else refuse(response, 504, "wait_timeout", "Prompt 12 was not written within 25 s. It is queued: with an agent.");
  });
  const unknown = await runCli(words, { env: envOf(slow.url) });
  expect(unknown).toMatchObject({ code: 1, out: "", err: expect.stringContaining("Prompt 12 was not written") });
});

test.each([
  ["written", 0, ""],
  ["queued", 1, "Prompt 12 is still queued"],
  ["refused", 1, "Prompt 12 is refused"],
])("send-prompt --when now in a session without a client goes by the receipt: %s", async (state, code, said) => {
  await using relay = await startFakeRelay(({ url }, response) => {
    if (url?.endsWith("/prompts")) ok(response, { id: 12, state: "queued" });
    else if (url?.endsWith("/receipts/12")) ok(response, { id: 12, state, prompt: "go on" });
    else refuse(response, 504, "no_client", "No client connected to the session within 10 s.");
  });
  const ran = await runCli(["send-prompt", "3", "--when", "now", "go on"], { env: envOf(relay.url) });
  expect(ran).toMatchObject({ code, err: expect.stringContaining(said) });
});

test("send-prompt --wait answers with the receipt in that state", async () => {
  await using relay = await startFakeRelay(({ url }, response) => {
    if (url?.endsWith("/prompts")) ok(response, { id: 12, state: "queued" });
    else if (url?.endsWith("/receipts/12")) ok(response, { id: 12, state: "accepted", prompt: "go on" });
    else ok(response, { id: 3, kind: "receipt", match: "accepted", end: 0 });
  });
  const words = ["send-prompt", "3", "--wait", "accepted", "--timeout", "300", "go on"];
  const ran = await runCli(words, { env: envOf(relay.url) });
  expect(ran).toMatchObject({ code: 0, out: '{"id":12,"state":"accepted"}\n' });
  expect(relay.received.map(({ body }) => body)).toContainEqual(
    expect.objectContaining({ params: { receipt: 12, state: "accepted", timeout: 300 } }),
  );
});
