import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OperationResult } from "../../../../core/operations/index.ts";
import type { RelayEvent } from "../../../../core/protocol/events.ts";
import { ClientId, ShellId } from "../../../../core/protocol/ids.ts";
import { KeptSecrets } from "../../../../main/system/kept-secrets.ts";
import { type Arrived, type HookReceiver, startHookReceiver } from "../../../support/hook-receiver.ts";
import { startTestRelay, type TestRelay, type TestRelayOptions } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

let receiver: HookReceiver;
let relay: TestRelay;

beforeEach(async () => {
  receiver = await startHookReceiver();
});
afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Retries at once, joins nothing and waits long: what a test does not want, it sets. */
const pace = { retryMs: Array.from({ length: 60 }, () => 1), burst: 100_000, stormMs: 50, timeoutMs: 5_000 };

async function start(options: TestRelayOptions["webhookPace"] = {}, more: TestRelayOptions = {}): Promise<void> {
  relay = await startTestRelay({ webhookPace: { ...pace, ...options }, ...more });
}

type Added = OperationResult<"addWebhook">;

async function add(more: object = {}): Promise<Added> {
  const body = { url: `${receiver.url}/hook`, address: "127.0.0.1", events: "toast", ...more };
  return resultOf(await relay.request("POST", "/v1/webhooks", { body }));
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  return resultOf(await relay.request(method, `/v1/webhooks${path}`, body === undefined ? {} : { body }));
}

function resultOf<T>({ status, text }: { status: number; text: string }): T {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return (JSON.parse(text) as { result: T }).result;
}

function emit(event: RelayEvent): void {
  relay.relay.sessions.get(relay.session).emit(event);
}

function toast(message: string): void {
  emit({ type: "toast", data: { clientId: ClientId.parse(1), message, kind: "info" } });
}

/** The title of a message, once its signature is verified. */
function verified({ secret }: Added, { body, headers }: Arrived): string {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const { data } = new Webhook(secret).verify(body, given) as { data: { title: string } };
  return data.title;
}

const idOf = ({ headers }: Arrived) => String(headers["webhook-id"]);

test("a receiver that fails 1000 times at random gets each of 1000 events at least once, each signed", {
  timeout: 90_000,
  tags: "slow",
}, async () => {
  await start({ timeoutMs: 100, retryMs: [1, 1] });
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const taken = new Set<string>();
  let failures = 0;
  receiver.answer = (response, message) => {
    const chance = random();
    if (chance < 0.45) {
      taken.add(message.body);
      return void response.writeHead(chance < 0.2 ? 204 : 200).end("thank you");
    }
    failures += 1;
    if (chance < 0.455) return; // no answer at all
    if (chance < 0.8) return void response.writeHead(chance < 0.6 ? 500 : 429).end();
    response.socket?.resetAndDestroy();
  };
  const hook = await add();
  const sent = Array.from({ length: 1000 }, (_, index) => `event ${index}`);
  for (const message of sent) toast(message);
  let replayed = 0;
  await until(
    "every event",
    async () => {
      const [{ waiting, dead } = { waiting: 1, dead: 0 }] = await call<OperationResult<"listWebhooks">>("GET", "");
      if (waiting === 0 && dead > 0)
        replayed += (await call<{ replayed: number }>("POST", `/${hook.id}/replay`, {})).replayed;
      return waiting === 0 && dead === 0;
    },
    60_000,
  );
  expect(failures).toBeGreaterThan(1000);
  expect(replayed).toBeGreaterThan(100);
  expect(taken.size).toBe(1000);
  const titles = new Set(receiver.arrived.map((message) => verified(hook, message)));
  expect([...titles].sort()).toEqual([...sent].sort());
  // A repeated message has the same id.
  expect(new Set(receiver.arrived.map(idOf)).size).toBe(1000);
});

test("what waits is delivered after a restart, with the secret of before", async () => {
  const unreachable = () => Promise.reject(new Error("no keychain"));
  let data = "";
  const secrets = () => new KeptSecrets(data, { entryOf: unreachable });
  const lazy = {
    get: (account: string) => secrets().get(account),
    set: (account: string, secret: string) => secrets().set(account, secret),
    remove: (account: string) => secrets().remove(account),
  };
  await start({ retryMs: [100_000] }, { secrets: lazy });
  data = relay.folder;
  let answers = 503;
  receiver.answer = (response) => void response.writeHead(answers).end();
  const hook = await add();
  expect(hook.kept).toBe("file");
  toast("before the restart");
  await until("the first attempt", () => receiver.arrived.length === 1);
  toast("in the queue");
  await until("the second attempt", () => receiver.arrived.length === 2);
  answers = 200;
  await relay.restart();
  const [listed] = await call<Added[]>("GET", "");
  expect(listed).toMatchObject({ id: hook.id, waiting: 2, to: receiver.url });
  await call("POST", `/${hook.id}/replay`, { delivery: idOf(receiver.arrived[0] as Arrived) });
  await until("the message of before", () => receiver.arrived.length >= 3);
  expect(receiver.arrived.map((message) => verified(hook, message)).at(2)).toBe("before the restart");
});

test("a message that was not sent yet is sent after a restart by itself", async () => {
  await start({ burst: 0, stormMs: 1_000 }, { secrets: keptInTest() });
  const hook = await add();
  toast("held back");
  expect(receiver.arrived).toEqual([]);
  await relay.restart();
  await until("the message", () => receiver.arrived.length === 1);
  expect(verified(hook, receiver.arrived[0] as Arrived)).toBe("held back");
});

test("a message that is given up is a dead letter, which can be replayed under its id", async () => {
  await start({ retryMs: [1, 1] });
  receiver.answer = (response) => void response.writeHead(400).end();
  const hook = await add();
  toast("unwanted");
  await until("the last attempt", () => receiver.arrived.length === 3);
  const dead = () => call<OperationResult<"listWebhookDeliveries">>("GET", `/${hook.id}/deliveries?state=dead`);
  await until("the dead letter", async () => (await dead()).length === 1);
  expect(await dead()).toMatchObject([
    { title: "unwanted", event: "toast", attempts: 3, status: 400, error: "the receiver answered 400", state: "dead" },
  ]);
  expect(await call("GET", "")).toMatchObject([{ dead: 1, waiting: 0, lastError: "the receiver answered 400" }]);
  receiver.answer = (response) => void response.writeHead(200).end();
  expect(await call("POST", `/${hook.id}/replay`, {})).toEqual({ replayed: 1 });
  await until("the replay", () => receiver.arrived.length === 4);
  expect(new Set(receiver.arrived.map(idOf)).size).toBe(1);
  await until("its record", async () => (await dead()).length === 0);
  expect(await call("GET", `/${hook.id}/deliveries`)).toMatchObject([{ state: "delivered", attempts: 1, error: null }]);
});

test("a receiver that does not answer holds up neither the relay nor another hook", async () => {
  await start({ timeoutMs: 600_000 });
  const other = await startHookReceiver();
  await using _ = other;
  receiver.answer = () => undefined;
  await add();
  await add({ url: other.url });
  for (let index = 0; index < 20; index += 1) toast(`event ${index}`);
  await until("the other hook's messages", () => other.arrived.length === 20);
  expect(receiver.arrived.length).toBe(1);
  expect((await relay.request("GET", "/v1/sessions")).status).toBe(200);
  // Closing does not wait for it either: the end of this test would come too late.
});

test("a storm is one message after the first few, and no event of it is missing in its counts", async () => {
  await start({ burst: 3, stormMs: 200 });
  const hook = await add({ events: "toast,chat.message" });
  for (let index = 0; index < 200; index += 1) toast(`event ${index}`);
  await until("the joined message", () => receiver.arrived.length === 4);
  const last = JSON.parse(receiver.arrived[3]?.body ?? "") as {
    type: string;
    data: { counts: object; events: object[] };
  };
  expect(last.type).toBe("several");
  expect(last.data.counts).toEqual({ toast: 197 });
  expect(last.data.events.length).toBe(50);
  expect(verified(hook, receiver.arrived[3] as Arrived)).toBe("197 events: 197 toast");
});

test("texts are masked and bounded; a content-free hook gets the kind of event and a link only", async () => {
  await start();
  await add({ events: "*" });
  await add({ events: "*", url: `${receiver.url}/free`, contentFree: true });
  const secret = `pb_${"x".repeat(40)}`;
  emit({
    type: "shell.notification",
    data: { shellId: ShellId.parse(3), title: "built", body: `${secret} https://me:pass@host/ ${"y".repeat(500_000)}` },
  });
  await until("both messages", () => receiver.arrived.length === 2);
  const at = (path: string) => receiver.arrived.find(({ url }) => url === path)?.body ?? "";
  expect(at("/hook")).toContain("built");
  expect(at("/hook")).not.toContain(secret);
  expect(at("/hook")).not.toContain("pass@");
  expect(at("/hook").length).toBeLessThan(10_000);
  expect(JSON.parse(at("/free"))).toEqual({
    type: "shell.notification",
    timestamp: expect.any(String),
    data: {
      title: "shell.notification",
      text: "",
      link: `${relay.url}/s/${relay.session}`,
      session: { id: relay.session, name: "" },
      event: null,
    },
  });
});

describe("while the owner works in the session", () => {
  test("nothing is sent, unless the hook is for always", async () => {
    await start();
    await add();
    await add({ url: `${receiver.url}/always`, always: true });
    await using person = await relay.join({ place: "desktop" });
    const { shell } = await person.client.ask("createShell", { cwd: relay.folder });
    toast("at the desk");
    await until("the message", () => receiver.arrived.length === 1);
    toast("again");
    await until("the next message", () => receiver.arrived.length === 2);
    expect(receiver.arrived.map(({ url }) => url)).toEqual(["/always", "/always"]);
    await person.client.ask("closeShell", { shell: shell.id });
  });

  test("what the relay executes for a program is no presence", async () => {
    await start();
    await add();
    await using _ = await relay.join({ place: "desktop" });
    await relay.command("createShell");
    toast("nobody is there");
    await until("the message", () => receiver.arrived.length === 1);
  });
});

describe("with `after`", () => {
  const agent = {
    shellId: ShellId.parse(1),
    agentType: "claude",
    model: "",
    sessionId: "",
    tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
  };
  const update = (state: "idle" | "working") => emit({ type: "agent.updated", data: { ...agent, state } });

  test("what stays so is sent after the minutes, also while the owner works in the session", async () => {
    await start({ minuteMs: 150 });
    const added = await add({ events: "agent.idle,toast", after: 2 });
    await using person = await relay.join({ place: "desktop" });
    await person.client.ask("createShell", { cwd: relay.folder });
    const began = performance.now();
    emit({ type: "agent.started", data: { ...agent, state: "working" } });
    update("idle");
    update("idle");
    toast("not for a person at the desk");
    expect(await call("GET", `/${added.id}/deliveries`)).toMatchObject([{ event: "agent.idle", state: "waiting" }]);
    await until("the message", () => receiver.arrived.length === 1);
    expect(performance.now() - began).toBeGreaterThan(290);
    expect(JSON.parse(receiver.arrived[0]?.body ?? "")).toMatchObject({ type: "agent.idle" });
  });

  test("what a person has taken care of meanwhile is not sent", async () => {
    await start({ minuteMs: 200 });
    const added = await add({ events: "agent.idle,toast", after: 1 });
    emit({ type: "agent.started", data: { ...agent, state: "working" } });
    update("idle");
    expect(await call("GET", `/${added.id}/deliveries`)).toHaveLength(1);
    update("working");
    expect(await call("GET", `/${added.id}/deliveries`)).toEqual([]);
    update("idle");
    emit({ type: "agent.ended", data: { ...agent, state: "ended" } });
    toast("at once");
    await until("the message", () => receiver.arrived.length === 1);
    expect(JSON.parse(receiver.arrived[0]?.body ?? "")).toMatchObject({ type: "toast" });
    expect(await call("GET", `/${added.id}/deliveries`)).toMatchObject([{ event: "toast" }]);
  });
});

test("in quiet hours events wait in one message until their end", async () => {
  await start();
  const now = new Date();
  const clock = (minutes: number) => {
    const at = new Date(now.getTime() + minutes * 60_000);
    return `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
  };
  const added = await add({ quiet: `${clock(-2)}-${clock(30)}` });
  await add({ url: `${receiver.url}/day`, quiet: `${clock(60)}-${clock(90)}` });
  toast("one");
  toast("two");
  await until("those of the other hook", () => receiver.arrived.length === 2);
  expect(receiver.arrived.map(({ url }) => url)).toEqual(["/day", "/day"]);
  const [waiting, ...more] = await call<{ events: number; nextAttemptAt: string }[]>("GET", `/${added.id}/deliveries`);
  expect(more).toEqual([]);
  expect(waiting?.events).toBe(2);
  expect(new Date(waiting?.nextAttemptAt ?? 0).getTime()).toBeGreaterThan(now.getTime() + 28 * 60_000);
  for (const quiet of ["22:00", "24:00-07:00", "07:00-07:00", "7:00-8:00"])
    await expect(add({ quiet })).rejects.toThrow("400");
  for (const after of [0, 1.5, 1441]) await expect(add({ after })).rejects.toThrow("400");
});

test("an agent that becomes idle is an event of its own", async () => {
  await start();
  await add({ events: "agent.idle" });
  const agent = {
    shellId: ShellId.parse(1),
    agentType: "claude",
    model: "",
    sessionId: "",
    tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
  };
  emit({ type: "agent.started", data: { ...agent, state: "idle" } });
  emit({ type: "agent.updated", data: { ...agent, state: "working" } });
  emit({ type: "agent.updated", data: { ...agent, state: "working" } });
  emit({ type: "agent.updated", data: { ...agent, state: "idle" } });
  emit({ type: "agent.updated", data: { ...agent, state: "idle" } });
  emit({ type: "agent.updated", data: { ...agent, state: "working" } });
  emit({ type: "agent.updated", data: { ...agent, state: "idle" } });
  await until("both messages", () => receiver.arrived.length === 2);
  expect(receiver.arrived.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
    "agent.idle",
    "agent.idle",
  ]);
});

test("a hook of one session hears of no other, and goes with its session", async () => {
  await start();
  const other = relay.relay.sessions.create(relay.relay.user, "other");
  relay.relay.sessions.create("somebody else", "foreign");
  await add({ session: "other" });
  await add({ url: `${receiver.url}/all` });
  toast("here");
  other.emit({ type: "toast", data: { clientId: ClientId.parse(1), message: "there", kind: "info" } });
  for (const session of relay.relay.sessions.all().filter(({ owner }) => owner !== relay.relay.user)) {
    session.emit({ type: "toast", data: { clientId: ClientId.parse(1), message: "foreign", kind: "info" } });
  }
  await until("three messages", () => receiver.arrived.length === 3);
  const told = receiver.arrived.map(
    ({ url, body }) => `${url} ${(JSON.parse(body) as { data: { title: string } }).data.title}`,
  );
  expect(told.sort()).toEqual(["/all here", "/all there", "/hook there"]);
  await relay.relay.sessions.remove(other.id);
  expect(await call("GET", "")).toMatchObject([{ session: null }]);
  expect(
    (await relay.request("POST", "/v1/webhooks", { body: { url: "https://example.com", session: "foreign" } })).status,
  ).toBe(404);
});

test("a test message tells at once what comes of it", async () => {
  await start();
  const hook = await add();
  expect(await call("POST", `/${hook.id}/test`, {})).toEqual({ ok: true, status: 204, error: null });
  expect(verified(hook, receiver.arrived[0] as Arrived)).toBe("Test message of Patchbay");
  receiver.answer = (response) => void response.writeHead(302, { Location: `${receiver.url}/elsewhere` }).end();
  expect(await call("POST", `/${hook.id}/test`, {})).toEqual({
    ok: false,
    status: 302,
    error: "the receiver answered 302, and redirects are not followed",
  });
  expect(receiver.arrived.map(({ url }) => url)).toEqual(["/hook", "/hook"]);
});

test("the list shows neither the secret nor the rest of the URL, and a removed hook is told nothing", async () => {
  await start();
  const hook = await add({ url: `${receiver.url}/services/T0/B0/token` });
  const { text } = await relay.request("GET", "/v1/webhooks");
  expect(text).not.toContain("token");
  expect(text).not.toContain(hook.secret);
  await call("DELETE", `/${hook.id}`);
  toast("nobody listens");
  expect(await call("GET", "")).toEqual([]);
  expect(
    (await relay.request("POST", `/v1/webhooks/${hook.id}/test`, { body: {} })).headers.get("x-service-error"),
  ).toBe("unknown_webhook");
});

/** Keeps secrets over the restart of a test's relay. */
function keptInTest() {
  const kept = new Map<string, string>();
  return {
    get: async (account: string) => kept.get(account),
    set: async (account: string, secret: string) => {
      kept.set(account, secret);
      return "keychain" as const;
    },
    remove: async (account: string) => void kept.delete(account),
  };
}
