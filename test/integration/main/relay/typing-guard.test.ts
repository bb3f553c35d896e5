import { expect, test } from "vitest";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import { event, openShell, report } from "../../../support/agent-questions.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

/** Writes into a shell over HTTP with a credential; resolves to the status and the error code. */
async function write(relay: TestRelay, token: string, params: object, method = "writeToShell") {
  const { status, headers } = await relay.post({ method, params }, { "X-Service-Token": token });
  return [status, headers.get("x-service-error")];
}

const OK = [200, null];
const call = (relay: TestRelay, method: string, path: string, token: string, body?: object) =>
  relay.request(method, `/v1/sessions/${relay.session}${path}`, {
    headers: { "X-Service-Token": token },
    ...(body === undefined ? {} : { body }),
  });

/** A relay with two shells, of which the first has a person at its terminal. */
async function twoShells() {
  const relay = await startTestRelay();
  const client = await relay.join();
  const mine = await openShell(relay, "mine");
  const other = await openShell(relay, "other");
  const press = (data: string, shell: ShellId = mine.shell) =>
    client.client.ask("writeShell", { shell, data, raw: true });
  const atPrompt = (shell: ShellId) =>
    until("the prompt", async () => {
      const { host } = relay.relay.sessions.get(relay.session).shells;
      return (await host.info({ shell })).atPrompt === true;
    });
  await atPrompt(mine.shell);
  await atPrompt(other.shell);
  const automation = relay.relay.keys.create({
    owner: relay.relay.user,
    name: "robot",
    restrictions: { automation: true },
  });
  return {
    ...{ relay, client, mine, other, press, atPrompt, robot: automation.secret },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    },
  };
}

test("over a person's unsent text, programs in other shells and keys for automation write nothing; callers that ask for nothing write", async () => {
  await using place = await twoShells();
  const { relay, mine, other, robot, press, atPrompt } = place;
  const line = { id: mine.shell, data: "x" };
  expect(await write(relay, other.token, line)).toEqual(OK);
  const { host } = relay.relay.sessions.get(relay.session).shells;
  const prompts: number[] = [];
  host.onEvent((event) => event.kind === "signal" && event.signal.kind === "prompt-end" && prompts.push(event.id));
  await press("\u0003");
  await until("the next prompt", () => prompts.includes(mine.shell));
  await press("git comm");
  const refused = [409, "draft_unsent"];
  expect(await write(relay, other.token, line)).toEqual(refused);
  expect(await write(relay, robot, line)).toEqual(refused);
  expect(await write(relay, robot, { id: mine.shell, keys: ["Enter"] }, "sendKeys")).toEqual(refused);
  expect(await write(relay, relay.key, { ...line, guard: true })).toEqual(refused);
  // A key that asks for nothing, a shell's programs in their own shell, and a program that does not want the guard.
  expect(await write(relay, relay.key, line)).toEqual(OK);
  expect(await write(relay, mine.token, line)).toEqual(OK);
  expect(await write(relay, other.token, { ...line, guard: false })).toEqual(OK);
  await press("\u0003");
  await atPrompt(mine.shell);
  expect(await write(relay, robot, line)).toEqual(OK);
});

test("while a question is open in a shell, guarded input is refused", async () => {
  await using place = await twoShells();
  const { relay, client, mine, robot } = place;
  const asked = report(relay, mine.token, event("PermissionRequest", "touch made"), "hook-1").catch(() => "");
  await client.event("question.opened");
  const line = { id: mine.shell, data: "y" };
  expect(await write(relay, robot, line)).toEqual([409, "question_open"]);
  expect(await write(relay, relay.key, { ...line, guard: true })).toEqual([409, "question_open"]);
  expect(await write(relay, relay.key, line)).toEqual(OK);
  await call(relay, "POST", "/questions/1/answer", relay.key, { option: "no", wait: 0 });
  await asked;
});

test("the expected program must be in front, and a line for a shell is not given to a program on the alternate screen", async () => {
  await using place = await twoShells();
  const { relay, mine, atPrompt } = place;
  const guarded = (more: object) => write(relay, relay.key, { id: mine.shell, data: "true\\n", guard: true, ...more });
  expect(await guarded({ expect: "shell" })).toEqual(OK);
  await atPrompt(mine.shell);
  expect(await guarded({ expect: "^(vim|less)$" })).toEqual([409, "unexpected_program"]);
  expect(await guarded({ expect: "claude" })).toEqual([409, "unexpected_program"]);
  expect(await guarded({ expect: "(" })).toEqual([400, "invalid_params"]);
  await write(relay, relay.key, { id: mine.shell, data: "printf '\\033[?1049h'; sleep 600\\n" });
  const { host } = relay.relay.sessions.get(relay.session).shells;
  const front = async () => (await host.info({ shell: mine.shell })).foreground;
  await until("sleep", async () => (await front()) === "sleep");
  expect(await guarded({})).toEqual([409, "terminal_mode"]);
  expect(await guarded({ expect: "shell" })).toEqual([409, "unexpected_program"]);
  expect(await guarded({ expect: "^slee" })).toEqual(OK);
  expect(await guarded({ data: "q" })).toEqual(OK);
  expect(await write(relay, relay.key, { command: "true", guard: true }, "runCommand")).toEqual(OK);
  // Without an explicit guard, keys for a program on the alternate screen are a use that exists.
  expect(await write(relay, place.other.token, { id: mine.shell, data: ":w\\n" })).toEqual(OK);
});

test("one program has a shell's lease; a person's key ends it, and so does the end of its credential", async () => {
  await using place = await twoShells();
  const { relay, mine, other, robot, press } = place;
  const lease = `/shells/${mine.shell}/lease`;
  const shown = () => relay.relay.sessions.get(relay.session).shells.get(mine.shell).lease?.holder;
  expect((await call(relay, "PUT", lease, robot, { seconds: 60 })).status).toBe(200);
  expect(shown()).toBe("robot");
  const listed = await relay.command<{ id: number; lease?: { holder: string } }[]>("getShells");
  expect(listed.find(({ id }) => id === mine.shell)?.lease?.holder).toBe("robot");
  const line = { id: mine.shell, data: "x" };
  expect(await write(relay, robot, line)).toEqual(OK);
  expect(await write(relay, other.token, line)).toEqual([409, "lease_held"]);
  expect((await call(relay, "PUT", lease, other.token, {})).headers.get("x-service-error")).toBe("lease_held");
  expect((await call(relay, "DELETE", lease, other.token)).headers.get("x-service-error")).toBe("lease_held");
  const handed = await call(relay, "POST", `${lease}/handover`, robot, { toShell: other.shell });
  expect([handed.status, shown()]).toEqual([200, `shell ${other.shell}`]);
  expect(await write(relay, other.token, line)).toEqual(OK);
  expect(await write(relay, robot, line)).toEqual([409, "lease_held"]);
  await press("\u001b[C");
  expect(shown()).toBeUndefined();
  await call(relay, "PUT", lease, other.token, {});
  await relay.command("closeShell", { id: other.shell });
  await until("the end of the lease", () => shown() === undefined);
  await call(relay, "PUT", lease, robot, {});
  relay.relay.keys.revoke("robot");
  await until("the end of the lease", () => shown() === undefined);
  expect((await call(relay, "POST", `${lease}/handover`, relay.key, { toKey: "test" })).status).toBe(400);
  const mineTaken = await call(relay, "PUT", lease, relay.key, {});
  expect(JSON.parse(mineTaken.text)).toMatchObject({ result: { holder: "test" } });
  expect(JSON.parse((await call(relay, "DELETE", lease, relay.key)).text)).toEqual({ result: { released: true } });
  expect(relay.errors).toEqual([]);
});
