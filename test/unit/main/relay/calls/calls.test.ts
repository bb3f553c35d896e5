import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import type { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { Lifetime } from "../../../../../core/protocol/lifetime.ts";
import type { Outcome } from "../../../../../core/protocol/outcome.ts";
import { callerOf, userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { keyPermit } from "../../../../../main/relay/access/permits/permit.ts";
import { Audit } from "../../../../../main/relay/audit/audit.ts";
import { Calls } from "../../../../../main/relay/calls/calls.ts";
import { Idempotency } from "../../../../../main/relay/calls/idempotency.ts";
import { noMetrics } from "../../../../../main/relay/metrics/metrics-recorder.ts";
import { type SmallSession, smallSession } from "../small-session.ts";

let lab: SmallSession;
let audit: Audit;
const measured: string[] = [];
/** One entry for each renaming: its caller was gone. */
const gone: boolean[] = [];

beforeEach(async () => {
  lab = smallSession();
  const quiet = () => undefined;
  audit = new Audit(lab.store.audit, { debug: quiet, info: quiet, warn: quiet, error: quiet });
  measured.length = 0;
  gone.length = 0;
  await lab.join();
});
afterEach(async () => {
  audit[Symbol.dispose]();
  await lab[Symbol.asyncDispose]();
});

/**
 * One operation of these tests renames the session to its name, or fails as a defect does; another one reads. Both wait for
 * `turn` before they answer.
 */
function calls(turn?: Promise<void>) {
  return new Calls<"renameSession" | "getCommands" | "getUsage" | "setBudgets">({
    idempotency: new Idempotency<Outcome>({
      ...{ begin: () => undefined, remove: () => undefined, list: () => [] },
      finish: (_id, answer) => JSON.stringify(answer).length,
    }),
    sessions: { get: () => lab.session },
    permitOf: async (principal) => keyPermit(principal),
    audit,
    metrics: {
      ...noMetrics,
      command: (method, outcome) => void measured.push(`command ${method} ${outcome}`),
      operation: (name, outcome) => void measured.push(`operation ${name} ${outcome}`),
    },
    owner: "ann",
    handlers: {
      renameSession({ name }, { session, signal }) {
        gone.push(signal.aborted);
        if (name === "defect") throw new TypeError("a defect");
        session.rename(name);
        const record = session.record();
        return turn === undefined ? record : turn.then(() => record);
      },
      getCommands: async () => {
        await turn;
        return [];
      },
      getUsage: () => [],
      setBudgets: ({ day = null, session = null }) => ({ day, session }),
    },
  });
}

const ann = userCaller("ann", "test");
const inSession = () => ({ session: lab.session.id });
const recorded = () => audit.list({ limit: 10, kind: "call" }).map(({ action, outcome }) => `${action} ${outcome}`);

test("a command is recorded with what it leaves out, as it was executed", async () => {
  await calls().call(ann, "answerAdopt", { request: 7 }, inSession());
  await calls().call(ann, "answerRoleRequest", { request: "seven" }, inSession());
  const params = audit.list({ limit: 10, kind: "call" }).map((entry) => entry.params);
  expect(params).toEqual([{ request: "seven" }, { request: 7, allow: true }]);
});

test("what a key for automation may not decide is refused to it before a client is looked for", async () => {
  const program = callerOf({ ...ann.principal, restrictions: { automation: true } }, { from: "test" });
  const outcome = await calls().call(program, "answerRoleRequest", { request: 7 }, { ...inSession(), client: 99 });
  expect(outcome).toMatchObject({ error: { code: "scope_forbids" } });
  expect(await calls().call(ann, "answerRoleRequest", { request: 7 }, { ...inSession(), client: 99 })).toMatchObject({
    error: { code: "unknown_client" },
  });
});

test("a parameter of that name that is no id is not taken for the session of a call", async () => {
  await calls().call(ann, "setBudgets", { day: 5, session: 2 }, {});
  await calls().call(ann, "renameSession", { name: "work" }, inSession());
  const sessions = audit.list({ limit: 10, kind: "call" }).map(({ action, session }) => [action, session]);
  expect(sessions).toEqual([
    ["renameSession", lab.session.id],
    ["setBudgets", null],
  ]);
});

test("a command and an operation are called alike, and each is recorded and measured once", async () => {
  const [client] = lab.session.clients.connected;
  expect(await calls().call(ann, "openTile", { type: "browser" }, inSession())).toMatchObject({ client: client?.id });
  const renamed = await calls().call(ann, "renameSession", { name: "work" }, inSession());
  expect(renamed).toMatchObject({ value: { name: "work" }, client: undefined });
  expect(recorded()).toEqual(["renameSession ok", "openTile ok"]);
  expect(measured).toEqual(["command openTile ok", "operation renameSession ok"]);
});

test("what is refused is an outcome, with the client that was chosen, and what only reads is not recorded", async () => {
  const [client] = lab.session.clients.connected;
  const refused = await calls().call(ann, "focusTile", { key: 9 }, inSession());
  expect(refused).toMatchObject({ error: { code: "unknown_tile" }, client: client?.id });
  expect(await calls().call(ann, "getTiles", {}, inSession())).toMatchObject({ value: [] });
  expect(await calls().call(ann, "nothing", {}, inSession())).toMatchObject({ error: { code: "unknown_method" } });
  expect(await calls().call(ann, "createKey", { name: "x" })).toMatchObject({ error: { code: "unknown_method" } });
  expect(recorded()).toEqual(["createKey unknown_method", "nothing unknown_method", "focusTile unknown_tile"]);
});

test.each(["getTiles", "renameSession"])("%s is for the session's owner", async (name) => {
  const params = name === "getTiles" ? {} : { name: "mine" };
  const outcome = await calls().call(userCaller("eve", "test"), name, params, inSession());
  expect(outcome).toMatchObject({ error: { code: "not_owner" } });
  expect(lab.session.record().name).toBe("default");
});

test.each([
  ["openTile", { type: "browser" }],
  ["renameSession", { name: "mine" }],
])("%s is refused by the limits of the caller's key, however the caller was made", async (name, params) => {
  const principal = { ...ann.principal, key: "k", restrictions: { readOnly: true } } as const;
  const outcome = await calls().call({ ...ann, principal, permit: undefined }, name, params, inSession());
  expect(outcome).toMatchObject({ error: { code: "scope_forbids" } });
});

test("what only reads ends with the caller's credential, and what changes something is answered for", async () => {
  let answer = () => {};
  const handled = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const lifetime = new Lifetime();
  const reading = calls(handled).call({ ...ann, lifetime }, "getCommands", inSession());
  const changing = calls(handled).call({ ...ann, lifetime }, "renameSession", { name: "work" }, inSession());
  await vi.waitFor(() => expect(lifetime.holders).toBe(1));
  lifetime.end(new RemoteError("unauthenticated", "revoked"));
  expect(await reading).toMatchObject({ error: { code: "unauthenticated" } });
  answer();
  expect(await changing).toMatchObject({ value: { name: "work" } });
});

test("a defect rejects, and is recorded as one", async () => {
  await expect(calls().call(ann, "renameSession", { name: "defect" }, inSession())).rejects.toThrow("a defect");
  await expect(calls().run(ann, "renameSession", { ...inSession(), name: "defect" })).rejects.toThrow("a defect");
  expect(recorded()).toEqual(["renameSession internal", "renameSession internal"]);
});

test.each([
  ["a guest", { role: "admin", guest: true }, { error: { code: "scope_forbids" } }],
  ["a person who may only write", { role: "writer", guest: false }, { error: { code: "scope_forbids" } }],
  ["the owner", { role: "admin", guest: false }, { value: [] }],
] as const)(
  "the shell of %s reads what is of the relay's owner as far as it speaks for them",
  async (_who, membership, outcome) => {
    const caller = { ...ann, principal: { ...ann.principal, membership } };
    expect(await calls().call(caller, "getUsage", {}, {})).toMatchObject(outcome);
  },
);

test("an operation with a key does not end with its caller's connection, by its name and by its path", async () => {
  const left = { gone: () => AbortSignal.abort() };
  await calls().call(ann, "renameSession", { name: "a" }, { ...inSession(), ...left });
  const idempotency = { key: "k", body: {} };
  await calls().call(ann, "renameSession", { name: "b" }, { ...inSession(), ...left, idempotency });
  const byPath = { ...left, key: "k", rest: { at: "body", read: async () => ({ name: "c" }) } };
  await calls().runOnce(ann, "renameSession", inSession(), byPath);
  expect(gone).toEqual([true, false, false]);
});

test("shells with the same number in two sessions have their own answers to the same key", async () => {
  const known = calls();
  const ask = async (session: string) => {
    const shell = { session: session as SessionId, shell: 1 as ShellId };
    const caller = callerOf({ user: "ann", scheme: "api", scopes: [], ...shell }, { from: "test" });
    const { replayed = false, ...outcome } = await known.call(
      caller,
      "getUsage",
      {},
      { idempotency: { key: "k", body: {} } },
    );
    return [replayed, "error" in outcome];
  };
  expect([await ask("one"), await ask("one"), await ask("another")]).toEqual([
    [false, false],
    [true, false],
    [false, false],
  ]);
});
