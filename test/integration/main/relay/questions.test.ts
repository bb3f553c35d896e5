import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import { hookScript } from "../../../../main/agents/hooks/hook-script.ts";
import { readOpencodeHook } from "../../../../main/agents/hooks/opencode-hooks.ts";
import { OPENCODE_PLUGIN_NAME, opencodePlugin } from "../../../../main/agents/hooks/opencode-plugin.ts";
import { HookSigns } from "../../../../main/system/hook-signs.ts";
import { Answered, answer, decision, event, list, openShell, report } from "../../../support/agent-questions.ts";
import { noAgents } from "../../../support/no-agents.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

/** Runs the hook's script as an agent does. */
function runHook(
  env: Record<string, string>,
  input: object,
  mode: "ask" | "tell" | "note" | "status",
  sh: readonly string[] = ["sh"],
  agent = "claude",
) {
  const script = join(env.PATCHBAY_DATA ?? "", "agent-hook");
  writeFileSync(script, hookScript);
  const [program = "sh", ...words] = sh;
  const child = spawn(program, [...words, script, agent, mode], { env: { PATH: process.env.PATH ?? "", ...env } });
  let output = "";
  child.stdout.on("data", (data) => {
    output += String(data);
  });
  const ended = new Promise<string>((resolve) => child.on("close", () => resolve(output)));
  // A script that does not report ends before it has read the event.
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(input));
  return { child, ended };
}

const environment = (relay: TestRelay, token: string) => ({
  PATCHBAY_DATA: relay.folder,
  SERVICE_URL: relay.url,
  SERVICE_SESSION: relay.session,
  SERVICE_TOKEN: token,
  CLAUDE_CODE_ENTRYPOINT: "cli",
});

test("a question of a hook is listed at once, answered over HTTP, printed by the hook and in the audit log", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const { shell, token } = await openShell(relay);
  const waiting = relay.command<{ kind: string; question: number }>("waitFor", { id: shell, question: true });
  const hook = runHook(environment(relay, token), event("PermissionRequest", "it's \"touch\" 'made' $HOME \\n"), "ask");
  const opened = await client.event("question.opened");
  expect(opened.data).toMatchObject({ shellId: shell, detail: { command: "it's \"touch\" 'made' $HOME \\n" } });
  expect(await waiting).toMatchObject({ kind: "question", question: 1 });
  expect(await list(relay)).toEqual([{ ...opened.data, answerable: true }]);
  expect(client.client.mirror?.questions).toHaveLength(1);
  const given = await answer(relay, 1, { option: "yes" });
  expect(Answered.parse(JSON.parse(given.text)).result).toMatchObject({
    state: "answered",
    answeredBy: { kind: "user", name: "test" },
    receipt: { state: "pending" },
  });
  expect(JSON.parse(await hook.ended)).toEqual({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
  });
  expect(new HookSigns(relay.folder).at("claude", "fired")).toBeDefined();
  const again = await answer(relay, 1, { option: "no" });
  expect([again.status, again.headers.get("x-service-error")]).toEqual([409, "question_closed"]);
  expect(again.text).toMatch(/answered by test at .*: yes/);
  const entries = relay.relay.audit
    .list({ limit: 100, kind: "call" })
    .filter(({ action }) => action === "answerQuestion");
  expect(entries.map(({ who, outcome }) => [who, outcome])).toEqual(
    expect.arrayContaining([
      ["test", "ok"],
      ["test", "question_closed"],
    ]),
  );
  expect(relay.errors).toEqual([]);
});

test("an answer with another digest is refused, and an event with a question's key gets none of its answer", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const { shell, token } = await openShell(relay);
  const shown = report(relay, token, event("PermissionRequest", "ls"), "key");
  await client.event("question.opened");
  const hidden = report(relay, token, event("PermissionRequest", "rm -rf work"), "key");
  const [first, second] = await until("both questions", async () => {
    const found = await list(relay);
    return found.length === 2 ? found : undefined;
  });
  expect([first?.detail.command, second?.detail.command]).toEqual(["ls", "rm -rf work"]);
  const refused = await answer(relay, 1, { option: "yes", digest: second?.digest });
  expect([refused.status, refused.headers.get("x-service-error")]).toEqual([409, "question_changed"]);
  await expect(client.client.ask("answerQuestion", { id: 1, option: "yes", digest: "x" })).rejects.toMatchObject({
    code: "question_changed",
  });
  expect((await answer(relay, 1, { option: "yes", digest: first?.digest })).status).toBe(200);
  expect(await shown).toContain('"allow"');
  // A caller that knows nothing of digests answers what the question shows.
  expect((await answer(relay, 2, { option: "no" })).status).toBe(200);
  expect(await hidden).toContain('"deny"');
  const [entry] = relay.relay.audit.list({
    limit: 10,
    kind: "call",
    outcome: "question_changed",
    text: "reportAgentHook",
  });
  expect(entry).toMatchObject({ who: `shell ${shell}`, params: { agent: "claude", question: 1, asked: 2 } });
  expect(relay.errors).toEqual([]);
});

test("a hook that is ended closes its question as answered in the terminal", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const { token } = await openShell(relay);
  const hook = runHook(environment(relay, token), event("PermissionRequest", "touch made"), "ask");
  await client.event("question.opened");
  hook.child.kill("SIGTERM");
  const closed = await client.event("question.answered");
  expect(closed.data).toMatchObject({ answeredBy: { kind: "terminal" } });
  expect(await hook.ended).toBe("");
  expect((await answer(relay, 1, { option: "yes" })).text).toMatch(/answered in the terminal/);
  expect(relay.errors).toEqual([]);
});

test("a policy answers what it fits at once and in the audit log, until it is removed; shells have no say in it", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const { token } = await openShell(relay);
  const cwd = realpathSync(relay.folder);
  writeFileSync(join(cwd, "notes"), "");
  const url = `/v1/sessions/${relay.session}/policies`;
  const call = (method: string, path: string, body?: object, key = relay.key) =>
    relay.request(method, url + path, { ...(body && { body }), headers: { "X-Service-Token": key } });
  const rule = { effect: "allow", what: "reads", folder: cwd };
  expect((await call("POST", "", rule, token)).status).toBe(403);
  expect((await call("GET", "/test", undefined, token)).status).toBe(403);
  const before = await call("GET", `/test?${new URLSearchParams({ ...rule })}`);
  expect(JSON.parse(before.text)).toEqual({ result: [] });
  expect((await call("POST", "", rule)).status).toBe(201);
  expect(JSON.parse((await call("GET", "")).text).result).toMatchObject([{ ...rule, id: 1, addedBy: "test" }]);

  const ask = (command: string) => report(relay, token, event("PermissionRequest", command, { cwd }), command);
  expect(JSON.parse(await ask("cat notes"))).toMatchObject(decision("allow"));
  const answered = await client.event("question.answered");
  const by = { kind: "policy", name: "policy 1", policy: 1 };
  expect(answered.data).toMatchObject({ id: 1, answer: { option: "yes" }, answeredBy: by });
  expect(client.events.some(({ type }) => type === "question.opened")).toBe(false);
  expect((await answer(relay, 1, { option: "no" })).text).toMatch(/answered by policy 1 /);
  const [entry] = relay.relay.audit.list({ limit: 10, kind: "call", text: "policy 1" });
  expect(entry).toMatchObject({
    who: "policy 1",
    action: "answerQuestion",
    outcome: "ok",
    params: { id: 1, policy: 1 },
  });

  const denied = ask("cat notes; rm notes");
  const opened = await client.event("question.opened");
  expect(opened.data).toMatchObject({ id: 2, state: "open" });
  await answer(relay, 2, { option: "no" });
  expect(JSON.parse(await denied)).toMatchObject(decision("deny"));
  const tried = JSON.parse((await call("GET", "/test?id=1")).text).result;
  expect(tried).toMatchObject([
    { id: 1, would: "allow", policy: 1, answered: "yes by policy 1" },
    { id: 2, would: "ask", policy: null, answered: "no by test" },
  ]);

  expect((await call("DELETE", "/1", undefined, token)).status).toBe(403);
  expect((await call("DELETE", "/1")).status).toBe(200);
  expect((await call("DELETE", "/1")).headers.get("x-service-error")).toBe("unknown_policy");
  const later = ask("cat  notes");
  await until("the question", async () => (await list(relay)).some(({ id, state }) => id === 3 && state === "open"));
  await answer(relay, 3, { option: "no" });
  expect(JSON.parse(await later)).toMatchObject(decision("deny"));
  expect(relay.errors).toEqual([]);
});

/** opencode as its plugin sees it: takes events from standard input, and prints what the plugin sends to opencode's API. */
const OPENCODE = `
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
const { connect } = await import(pathToFileURL(process.argv[1]).href);
const client = {
  _client: { post: async ({ url, path, body }) => console.log(JSON.stringify({ url, path, body })) },
  session: { get: async ({ path }) => ({ data: { parentID: path.id === "ses_child" ? "ses_root" : undefined } }) },
};
const { event } = connect({ client, directory: "/project" });
for await (const line of createInterface({ input: process.stdin })) await event({ event: JSON.parse(line) });
`;

test("opencode's plugin passes a question on, gives its answer to opencode's API, and tells of the terminal's", async () => {
  await using relay = await startTestRelay({ readHook: (_agent, given) => readOpencodeHook(given) });
  await using client = await relay.join();
  const { shell, token } = await openShell(relay);
  writeFileSync(join(relay.folder, "agent-hook"), hookScript);
  const plugin = join(relay.folder, OPENCODE_PLUGIN_NAME);
  writeFileSync(plugin, opencodePlugin);
  const env = { PATH: process.env.PATH ?? "", ...environment(relay, token) };
  const opencode = spawn(process.execPath, ["--input-type=module", "-e", OPENCODE, plugin], { env });
  let sent = "";
  opencode.stdout.on("data", (data) => {
    sent += String(data);
  });
  const tell = (type: string, properties: object) => {
    opencode.stdin.write(`${JSON.stringify({ type, properties })}\n`);
  };
  const ask = (id: string) =>
    tell("permission.asked", { id, sessionID: "ses_child", permission: "bash", metadata: { command: `touch ${id}` } });
  try {
    // opencode has answered this one itself at once: no question.
    ask("per_0");
    tell("permission.replied", { requestID: "per_0", sessionID: "ses_child", reply: "once" });
    ask("per_1");
    const opened = await client.event("question.opened");
    expect(opened.data).toMatchObject({ shellId: shell, agentType: "opencode", agentSessionId: "ses_root" });
    expect(opened.data.detail.command).toBe("touch per_1");
    expect((await answer(relay, 1, { text: "not here" })).status).toBe(200);
    await until("the reply", () => sent !== "");
    expect(JSON.parse(sent)).toEqual({
      url: "/permission/{requestID}/reply",
      path: { requestID: "per_1" },
      body: { reply: "reject", message: "not here" },
    });
    tell("permission.replied", { requestID: "per_1", sessionID: "ses_child", reply: "reject" });
    await until("the proof", async () => (await list(relay, "?all=true"))[0]?.receipt?.state === "confirmed");

    ask("per_2");
    await until("the next question", async () => (await list(relay)).length === 1);
    tell("permission.replied", { requestID: "per_2", sessionID: "ses_child", reply: "once" });
    const closed = await until("its end", async () =>
      (await list(relay, "?all=true")).find(({ id, state }) => id === 2 && state !== "open"),
    );
    expect(closed).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    expect(sent.trim().split("\n")).toHaveLength(1);
    expect(relay.errors).toEqual([]);
  } finally {
    opencode.kill();
  }
});

test("of two answers one wins, 1,000 times: over HTTP against HTTP, and against the terminal", {
  timeout: 180_000,
  tags: "slow",
}, async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { token } = await openShell(relay);
  const path = `/v1/sessions/${relay.session}`;
  const post = async (url: string, key: string, body: object) => {
    const headers = { "X-Service-Token": key, "Content-Type": "application/json" };
    const response = await fetch(relay.url + path + url, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
  const tally = { first: 0, second: 0, terminal: 0 };
  const race = async (id: number) => {
    const command = `touch made-${id}`;
    const asked = { key: `hook-${id}`, event: event("PermissionRequest", command) };
    const hook = post("/agent-hooks/claude", token, asked);
    await relay.relay.sessions.get(relay.session).questions.waitForOpen(1 as ShellId, 10_000);
    const give = (option: string) => post(`/questions/${id}/answer`, relay.key, { option, wait: 0 });
    const ran = { key: `ran-${id}`, event: event("PostToolUse", command) };
    const rival = id % 2 === 0 ? () => give("no") : () => post("/agent-hooks/claude", token, ran);
    const isFirst = id % 3 === 0;
    const late = isFirst ? undefined : rival();
    const first = give("yes");
    const [one, other] = await Promise.all([first, late ?? rival()]);
    const output = (await hook).text;
    const { questions } = relay.relay.sessions.get(relay.session);
    const question = questions.list({ all: true }).find((one) => one.id === id);
    return { first: one, second: other, output, question };
  };
  for (let id = 1; id <= 1000; id++) {
    const { first, second, output, question } = await race(id);
    const winner = question?.answer?.option ?? "terminal";
    if (id % 2 === 0) {
      expect([first?.status, second?.status].sort()).toEqual([200, 409]);
      const loser = first?.status === 409 ? first : second;
      expect(loser?.text).toContain(`answered by test at ${question?.closedAt}: ${winner}`);
      expect(output).toContain(winner === "yes" ? '"allow"' : '"deny"');
      tally[winner === "yes" ? "first" : "second"] += 1;
    } else if (winner === "terminal") {
      expect([first?.status, output]).toEqual([409, "{}"]);
      expect(first?.text).toContain("answered in the terminal");
      tally.terminal += 1;
    } else {
      expect([first?.status, output.includes('"allow"')]).toEqual([200, true]);
      tally.first += 1;
    }
  }
  expect(tally.first + tally.second + tally.terminal).toBe(1000);
  expect(relay.errors).toEqual([]);
});

describe("an agent", () => {
  test("reports for its own shell only, and nothing with a key", async () => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    await expect(report(relay, relay.key, event("PermissionRequest", "x"), "k")).rejects.toThrow(/403/);
    const { shell, token } = await openShell(relay);
    void report(relay, token, event("PermissionRequest", "x"), "k").catch(() => undefined);
    const [question] = await until("the question", async () => {
      const found = await list(relay);
      return found.length > 0 ? found : undefined;
    });
    expect(question?.shellId).toBe(shell);
    expect(await report(relay, token, { hook_event_name: "Notification", session_id: "a" }, "k2")).toBe("{}");
    expect(await report(relay, token, { anything: true }, "k3")).toBe("{}");
  });
});

test("a key that only answers, a writing guest and an admin may answer; a reader sees the question", async () => {
  await using relay = await startTestRelay();
  await using _owner = await relay.join();
  const { token } = await openShell(relay);
  const ask = (number: number) => {
    void report(relay, token, event("PermissionRequest", `c${number}`), `hook-${number}`).catch(() => undefined);
    return until("the question", async () =>
      (await list(relay)).some(({ id, state }) => id === number && state === "open"),
    );
  };
  await using reader = await relay.join({ role: "reader" });
  await using writer = await relay.join({ role: "writer", name: "bob" });
  await ask(1);
  await until("the mirror", () => reader.client.mirror?.questions.length === 1);
  await expect(reader.client.ask("answerQuestion", { id: 1, option: "yes" })).rejects.toMatchObject({
    code: "role_forbids",
  });
  const { answeredBy } = await writer.client.ask("answerQuestion", { id: 1, option: "no" });
  expect(answeredBy).toMatchObject({ kind: "user", client: writer.id });
  await ask(2);
  const keyWith = (restrictions: object) =>
    relay.relay.keys.create({ owner: relay.relay.user, name: "phone", restrictions }).secret;
  expect((await answer(relay, 2, { option: "yes" }, keyWith({ readOnly: true }))).status).toBe(403);
  expect((await answer(relay, 2, { option: "yes" }, keyWith({ methods: ["getQuestions"] }))).status).toBe(403);
  expect((await answer(relay, 2, { option: "yes" }, keyWith({ methods: ["answerQuestion"] }))).status).toBe(200);
});

const shells = [["sh"], ["dash"], ["bash"], ["zsh", "--emulate", "sh"], ["/usr/bin/busybox", "sh"]].filter(
  ([program = "", ...words]) => spawnSync(program, [...words, "-c", ":"]).status === 0,
);

test.each(shells)("the keys of the hook's script are 128 random bits: under %s", async (...sh) => {
  const keys: string[] = [];
  const server = createServer(async (request, response) => {
    const { key } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    keys.push(key);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(join(tmpdir(), "patchbay-hooks-"));
  try {
    const { port } = server.address() as AddressInfo;
    const env = {
      ...{ PATCHBAY_DATA: folder, SERVICE_URL: `http://127.0.0.1:${port}`, SERVICE_SESSION: "s" },
      ...{ SERVICE_TOKEN: "t", CLAUDE_CODE_ENTRYPOINT: "cli" },
    };
    for (const mode of ["ask", "ask", "tell"] as const)
      expect(await runHook(env, event("PermissionRequest", "ls"), mode, sh).ended).toBe("{}");
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(3);
});

describe("the hook's script fails open", () => {
  test("prints nothing and ends where the relay is away, refuses, or the shell is not Patchbay's", async () => {
    await using relay = await startTestRelay();
    const asked = event("PermissionRequest", "touch made");
    const good = environment(relay, "wrong");
    expect(await runHook(good, asked, "ask").ended).toBe("");
    expect(await runHook({ ...good, SERVICE_URL: "http://127.0.0.1:9" }, asked, "tell").ended).toBe("");
    expect(await runHook({ PATCHBAY_DATA: relay.folder }, asked, "ask").ended).toBe("");
    expect(await runHook({ ...good, PATH: relay.folder }, asked, "ask", ["/bin/sh"]).ended).toBe("");
  });

  test("does not hold up an agent without a user at its dialog", async () => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    const { token } = await openShell(relay);
    const asked = event("PermissionRequest", "touch made");
    const base = environment(relay, token);
    for (const more of [{ CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, { CLAUDE_CODE_SESSION_ATTENDED: "0" }])
      expect(await runHook({ ...base, ...more }, asked, "ask").ended).toBe("");
    expect(await list(relay, "?all=true")).toEqual([]);
  });

  test("that only notes an event passes it on, and does not wait for a relay that hangs", async () => {
    await using relay = await startTestRelay();
    let reported = "";
    let gaveUp = false;
    const server = createServer((request) => {
      request.socket.on("close", () => {
        gaveUp = true;
      });
      request.on("data", (data) => {
        reported += String(data);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const env = { ...environment(relay, "t"), SERVICE_URL: `http://127.0.0.1:${port}` };
    const hook = runHook(env, event("Notification", "x"), "note");
    expect(await hook.ended).toBe("");
    await until("the event", () => reported.includes("Notification"));
    expect(gaveUp).toBe(false);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("connects again to a relay that was started again, with the same key", async () => {
    await using relay = await startTestRelay();
    const keys: string[] = [];
    const answers = ["reset", "answered"];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (data) => {
        body += String(data);
      });
      request.on("end", () => {
        keys.push(z.object({ key: z.string() }).parse(JSON.parse(body)).key);
        if (answers.shift() === "reset") request.socket.destroy();
        else response.end('{"decision":1}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const env = { ...environment(relay, "t"), SERVICE_URL: `http://127.0.0.1:${port}` };
    expect(await runHook(env, event("PermissionRequest", "x"), "ask").ended).toBe('{"decision":1}');
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    server.close();
  });
});

test("opencode's report that its turn has ended is taken for the agent in this shell, not for its sub-agents", async () => {
  const idle: unknown[] = [];
  await using relay = await startTestRelay({
    agents: { ...noAgents, reportIdle: (...given) => void idle.push(given) },
  });
  await using _client = await relay.join();
  const { shell, token } = await openShell(relay);
  for (const sessionID of ["ses_child", "ses_root"]) {
    const event = { type: "session.idle", properties: { sessionID }, root: "ses_root", cwd: "/work" };
    await runHook(environment(relay, token), event, "tell", ["sh"], "opencode").ended;
  }
  await until("the report", () => idle.length > 0);
  expect(idle).toEqual([[relay.session, shell, "opencode", "ses_root"]]);
  expect(relay.errors).toEqual([]);
});

test("what an agent gives its status line is printed again, and reported for the agent in this shell", async () => {
  const reports: unknown[] = [];
  const port = { ...noAgents, reportLimits: (...given: unknown[]) => void reports.push(given) };
  await using relay = await startTestRelay({ agents: port });
  await using _client = await relay.join();
  const { shell, token } = await openShell(relay);
  const status = {
    session_id: "a-1",
    context_window: { context_window_size: 200_000, total_input_tokens: 900 },
    rate_limits: { five_hour: { used_percentage: 61, resets_at: 1_800_000_000 } },
  };
  const hook = runHook(environment(relay, token), status, "status");
  expect(JSON.parse(await hook.ended)).toEqual(status);
  await until("the report", () => reports.length > 0);
  const windows = [{ minutes: 300, usedPercent: 61, resetsAt: 1_800_000_000_000 }];
  expect(reports).toEqual([
    [relay.session, shell, "claude", { kind: "limits", agentSessionId: "a-1", contextSize: 200_000, windows }],
  ]);
  expect(await list(relay)).toEqual([]);
  expect(relay.errors).toEqual([]);
});
