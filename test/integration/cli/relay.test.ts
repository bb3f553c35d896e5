import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServeLab } from "../../support/start-serve.ts";
import { until } from "../../support/until.ts";
import { builtProgram } from "./built-program.ts";

let program: Awaited<ReturnType<typeof builtProgram>>;
let relay: ChildProcess;
let token = "";

beforeAll(async () => {
  program = await builtProgram();
  relay = program.start(["serve", "--port", "0", "--client"]);
  const told: string[] = [];
  relay.stdout?.on("data", (piece) => told.push(String(piece)));
  relay.stderr?.on("data", (piece) => told.push(String(piece)));
  await until("the relay to be up", () => told.join("").includes("Try next") || relay.exitCode !== null);
  expect(relay.exitCode, told.join("")).toBeNull();
  token = (await program.run(["keys", "create", "--name", "me"])).out.trim();
});

afterAll(async () => {
  if (relay.exitCode === null && relay.kill("SIGTERM")) await once(relay, "exit");
  program[Symbol.dispose]();
});

const func = (...words: string[]) => program.run(["func", ...words], { SERVICE_TOKEN: token });

test("makes a shell, types into it, waits for it and prints what it printed", async () => {
  const made = await func("create-shell");
  expect(made).toMatchObject({ code: 0, err: "" });
  const { shellId } = JSON.parse(made.out) as { shellId: number };
  const shell = String(shellId);
  expect(await func("write-to-shell", shell, "echo hello-$((40+2))\\n")).toMatchObject({ code: 0 });
  expect(await func("wait-for", shell, "--text", "hello-42", "--since", "0")).toMatchObject({ code: 0 });
  expect((await func("get-shell-output", shell, "--plain")).out).toMatch(/^hello-42\r?$/m);
  expect(await func("run", "--wait", "echo out; sh -c 'exit 7'")).toMatchObject({
    code: 7,
    out: expect.stringMatching(/^out\r?\n/),
  });
});

test("draws the tree, and refuses with the service's own sentences", async () => {
  expect(await func("create-workspace")).toMatchObject({ code: 0 });
  const { key } = JSON.parse((await func("create-shell")).out) as { key: number };
  expect(await func("split-v", "--tile", String(key))).toMatchObject({ code: 0 });
  expect((await func("show-tree")).out).toMatch(
    /^vertical 0\.5\n├─ \[\d+\] shell \d+ .*\n└─ \[\d+\] shell \d+ .*\*\n$/,
  );
  expect(await func("set-ratio", "2")).toEqual({
    code: 2,
    out: "",
    err: "ratio: expected a number from 0.1 to 0.9, got 2.\n",
  });
  expect(await func("focus-tile", "999")).toMatchObject({ code: 1, err: expect.stringContaining("No tile 999.") });
  expect(await func("list-tiles", "--client", "-1")).toMatchObject({ code: 2, err: expect.stringContaining("got -1") });
  expect(await func("list-tiles", "--token", "wrong")).toMatchObject({ code: 3 });
  expect(await func("list-tiles", "--client", "desktop", "--session", "default")).toMatchObject({ code: 0 });
  expect(await func("list-tiles", "--session", "nowhere")).toMatchObject({ code: 1 });
});

test("inside a shell of the relay no option is needed, and its terminal gets text for people", async () => {
  await func("create-shell");
  const line = `PATCHBAY_PROGRAM=service node ${program.main} func get-role`;
  expect(await func("run", "--wait", line)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^role: admin\r?\n$/),
  });
});

test("follows events until it is stopped", async () => {
  const follower = program.start(["func", "events", "--follow", "--types", "chat.message"], { SERVICE_TOKEN: token });
  const seen: string[] = [];
  follower.stdout?.on("data", (piece) => seen.push(String(piece)));
  const chats = async () => (await func("events", "--types", "chat.message")).out.split("\n").filter(Boolean).length;
  const before = await chats();
  let sent = 0;
  await until("an event", async () => {
    // Sent again until the follower has joined.
    await func("send-chat", `hello ${sent++}`);
    return seen.length > 0;
  });
  const [first = ""] = seen.join("").split("\n");
  expect(JSON.parse(first)).toMatchObject({
    type: "chat.message",
    data: { text: expect.stringMatching(/^hello \d+$/) },
  });
  follower.kill("SIGINT");
  await once(follower, "exit");
  expect((await chats()) - before).toBe(sent);
});

test("a session without a client is exit code 4, a relay that died exit code 5", async () => {
  await using lab = await startServeLab();
  const served = await lab.serve();
  const key = await lab.makeKey();
  const run = (...args: string[]) => program.run(args, { PATCHBAY_DATA: lab.data, SERVICE_TOKEN: key });
  const { sessions } = JSON.parse((await run("status")).out) as { sessions: { name: string }[] };
  expect(sessions.map(({ name }) => name)).toEqual(["default"]);
  expect(await run("func", "list-tiles", "--timeout", "0.5")).toMatchObject({ code: 4, out: "" });
  await served.kill();
  expect(await run("func", "list-tiles")).toMatchObject({
    code: 5,
    err: expect.stringContaining("has ended without notice"),
  });
});

test("what `patchbay keys`, `token` and `approve` change stands in the audit log, beside a running relay too", async () => {
  const made = await program.run(["keys", "create", "--name", "audited"]);
  expect(made.code).toBe(0);
  expect((await program.run(["token", "--scope", "plugins:install"])).code).toBe(0);
  expect((await program.run(["keys", "revoke", "audited"])).code).toBe(0);
  expect((await program.run(["keys", "revoke", "audited"])).code).not.toBe(0);
  expect((await program.run(["approve", "NONE-NONE"])).code).not.toBe(0);
  const { out } = await program.run(["audit", "--kind", "call"], { SERVICE_TOKEN: token });
  const entries = JSON.parse(out) as { action: string; outcome: string; from: string; credential: string }[];
  expect(entries.filter(({ from }) => from === "command line").map(({ action, outcome }) => [action, outcome])).toEqual(
    [
      ["answerLogin", "unknown_login"],
      ["revokeKey", "unknown_key"],
      ["revokeKey", "ok"],
      ["createToken", "ok"],
      ["createKey", "ok"],
      ["createKey", "ok"],
    ],
  );
  expect(out).not.toContain(made.out.trim());
});

test("`audit verify` tells whether the log is untouched, and exits with 1 where it is not", async () => {
  const verify = (...words: string[]) => program.run(["audit", "verify", ...words], { SERVICE_TOKEN: token });
  const untouched = await verify();
  expect(untouched).toMatchObject({ code: 0, err: "" });
  const { head } = JSON.parse(untouched.out) as { head: string };
  expect(await verify("--head", head)).toMatchObject({ code: 0 });
  expect(await verify("--text", "x")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--text is not an option"),
  });
  const other = head.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const changed = await verify("--head", other);
  expect(changed.code).toBe(1);
  expect(JSON.parse(changed.out)).toMatchObject({ ok: false, broken: { reason: expect.any(String) } });
});
