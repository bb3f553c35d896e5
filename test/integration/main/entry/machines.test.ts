import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { KnownMachines } from "../../../../client/known-machines.ts";
import { newRemoteId, Remotes } from "../../../../client/remotes.ts";
import type { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { MachineRef } from "../../../../core/protocol/machines.ts";
import { MachineSession } from "../../../../main/desktop/sessions/machine-session.ts";
import type { TokenStore } from "../../../../main/system/keychain.ts";
import { type FleetLab, startFleetLab, untilAllPresent } from "../../../support/fleet-lab.ts";
import type { TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";
import { sessions as fakeSessions, ok, startFakeRelay } from "../../../unit/cli/fake-relay.ts";

const direct: MachineRef = { via: "remote", machine: "direct" };
const inFleet: MachineRef = { via: "fleet", machine: "box" };
const both = [direct, inFleet].map((ref) => ({ ref }));

let lab: FleetLab;
let laptop: TestRelay;
let box: TestRelay;
let data: string;
let remotes: Remotes;
let secrets: Map<string, string>;
let env: Record<string, string>;
let machines: KnownMachines;
const opened: MachineSession[] = [];
/** Attempts of windows to connect. */
let attempts = 0;

beforeAll(async () => {
  lab = await startFleetLab(["laptop", "box"]);
  laptop = lab.relay("laptop");
  box = lab.relay("box");
  data = mkdtempSync(join(tmpdir(), "patchbay-machines-"));
  remotes = new Remotes(data);
  remotes.add("direct", { id: newRemoteId(), url: box.url, addedAt: "2026-11-21T04:00:00.000Z" });
  secrets = new Map();
  env = {};
  const keychain: TokenStore = {
    get: async (account) => secrets.get(account),
    set: async (account, secret) => void secrets.set(account, secret),
    delete: async (account) => secrets.delete(account),
  };
  const fleet = () => laptop.relay.fleet?.others() ?? [];
  const keptQuestions = async (member: string) => (await laptop.relay.fleet?.keptQuestions(member)) ?? [];
  machines = new KnownMachines({ data, env, keychain, url: () => laptop.url, fleet, keptQuestions });
});
afterEach(() => {
  for (const session of opened.splice(0)) session[Symbol.dispose]();
  secrets.clear();
  attempts = 0;
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

test.each(both)(
  "a session opens with the key of the keychain, and its shells are read and typed in ($ref.via)",
  async ({ ref }) => {
    await machineAt(ref).takeKey(box.key, box.session);
    const session = open(ref);
    await untilState(session, "open");
    expect(session.link()).toEqual({ machine: ref.machine, session: "default", state: "open" });
    const clients = await box.command<{ clientKind: string; device: string; canWrite: boolean }[]>("getClients");
    expect(clients).toMatchObject([{ clientKind: "browser", device: "Patchbay app", canWrite: true }]);

    await session.client.execute("createShell", {});
    const shell = await until("the shell", () => session.client.mirror?.shells[0]?.id);
    let output = "";
    session.client.terminals.subscribe(shell as ShellId, {
      bytes: (bytes, done) => {
        output += Buffer.from(bytes).toString();
        done();
      },
      missed: () => undefined,
    });
    await session.client.ask("writeShell", { shell: shell as ShellId, data: "echo typed-$((40+2))\n", raw: true });
    await until("the output", () => output.includes("typed-42"));
    await box.command("closeShell", { id: shell });
    if (ref.via === "fleet") expect(lab.broker.said()).not.toContain(box.key);
  },
);

test.each(both)(
  "a revoked key ends the session at once, and another one goes on with it ($ref.via)",
  async ({ ref }) => {
    const { relay } = box;
    const { secret } = relay.keys.create({ owner: relay.user, name: "window" });
    await machineAt(ref).takeKey(secret, box.session);
    const refusals: unknown[] = [];
    const session = open(ref, (...refusal) => refusals.push(refusal));
    await untilState(session, "open");
    expect(attempts).toBe(1);
    relay.keys.revoke("window");
    await untilState(session, "refused");
    // The first attempt is due after 0.3 s at most.
    expect(attempts).toBe(2);
    expect(session.link()).toMatchObject({
      why: `${ref.machine} does not accept the key: it was revoked, has expired, or is a key of another relay.`,
      needsKey: true,
    });
    expect(refusals).toEqual([[session.link().why, true]]);
    expect(relay.sessions.get(box.session).clients.size).toBe(0);

    await machineAt(ref).takeKey(box.key, box.session);
    session.retry();
    await untilState(session, "open");
  },
);

test.each(both)(
  "a key that the machine does not accept is refused in words, and not kept ($ref.via)",
  async ({ ref }) => {
    const machine = machineAt(ref);
    await expect(machine.takeKey(laptop.key, box.session)).rejects.toThrow(`${ref.machine} does not accept the key`);
    await expect(machine.takeKey(laptop.key, undefined)).rejects.toThrow("does not accept the key");
    expect(secrets.size).toBe(0);
    expect(await machine.hasKey()).toBe(false);
    expect(await machine.connect(box.session)).toEqual({
      refused: `No key for ${ref.machine} is kept on this machine.`,
      needsKey: true,
    });
  },
);

test.each(both)("a session that was closed is refused without a question for a key ($ref.via)", async ({ ref }) => {
  await machineAt(ref).takeKey(box.key, box.session);
  const extra = box.relay.sessions.create(box.relay.user, "short");
  await until("the session in the fleet", () =>
    laptop.relay.fleet?.others()[0]?.sessions.some(({ id }) => id === extra.id),
  );
  const session = open(ref, undefined, extra.id);
  await untilState(session, "open");
  box.relay.sessions.remove(extra.id);
  await until("the end", () => session.link().state !== "open");
  if (ref.via === "remote") {
    await untilState(session, "refused");
    expect(session.link()).toMatchObject({ why: "direct no longer has this session.", needsKey: false });
  }
});

test("a machine of the fleet that is away is said to be, with the time since, and the session goes on when it is back", {
  tags: "slow",
}, async () => {
  await machineAt(inFleet).takeKey(box.key, box.session);
  const session = open(inFleet);
  await untilState(session, "open");
  const before = Date.now();
  await box.relay.fleet?.[Symbol.asyncDispose]();
  await until("the reason", () => session.link().state === "away" && session.link().why !== undefined);
  expect(session.link()).toMatchObject({ why: "box is away.", since: expect.any(String) });
  expect(Date.parse(session.link().since ?? "")).toBeGreaterThanOrEqual(before - 1000);
  await lab.join("box");
  await untilState(session, "open");
  await untilAllPresent([laptop, box], 2);
});

test("a session is found by its id or name at the named machine only, and a machine that is away is said to be", async () => {
  const member = machineAt(inFleet);
  const found = { id: box.session, name: "default" };
  expect(await member.findSession("default")).toEqual(found);
  expect(await member.findSession(box.session)).toEqual(found);
  await expect(member.findSession(laptop.session)).rejects.toMatchObject({ code: "unknown_session" });
  await expect(machineAt(direct).findSession("default")).rejects.toMatchObject({ code: "invalid_request" });
  secrets.set(machineAt(direct).id, box.key);
  expect(await machineAt(direct).findSession("default")).toEqual(found);
  remotes.add("off", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt: "2026-11-21T04:00:00.000Z" });
  await expect(machines.named("off")?.findSession("default")).rejects.toMatchObject({ code: "relay_away" });
  remotes.remove("off");
  expect(machines.find({ via: "fleet", machine: "direct" })).toBeUndefined();
  expect(machines.find({ via: "remote", machine: "box" })).toBeUndefined();
  // A remote comes before a relay of the same name.
  remotes.add("box", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt: "2026-11-21T04:00:00.000Z" });
  expect(machines.named("box")?.ref.via).toBe("remote");
  remotes.remove("box");
  expect(machines.named("box")?.ref.via).toBe("fleet");
});

test("the relay asks the app for windows of the named machine, and of this one only where none is named", async () => {
  const calls: string[] = [];
  const openWindow = async (target: string) => {
    const { status, text } = await laptop.request("POST", "/v1/windows", { body: { target } });
    return status === 200 ? (JSON.parse(text) as { result: unknown }).result : status;
  };
  expect(await openWindow("default")).toBe(400);
  laptop.relay.windows = {
    openLocal: (session) => calls.push(session),
    async openRemote(machine, session) {
      calls.push(`${machine} ${session}`);
      return { session, state: "opened" };
    },
  };
  const here = { machine: "local", session: laptop.session, state: "opened" };
  expect(await openWindow("default")).toEqual(here);
  expect(await openWindow(`local/${laptop.session}`)).toEqual(here);
  expect(await openWindow("nowhere")).toBe(404);
  expect(await openWindow("box/default")).toEqual({ machine: "box", session: "default", state: "opened" });
  expect(await openWindow("/default")).toEqual({ machine: "", session: "default", state: "opened" });
  expect(calls).toEqual([laptop.session, laptop.session, "box default", " default"]);
  laptop.relay.windows = undefined;
});

test("a machine that was removed and added again by the same name is another one", async () => {
  const addedAt = "2026-11-21T04:00:00.000Z";
  const ref: MachineRef = { via: "remote", machine: "other" };
  remotes.add("other", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt });
  await machines.find(ref)?.hasKey();
  secrets.set(machines.find(ref)?.id ?? "", box.key);
  const session = open(ref);
  await until("the first attempt", () => session.link().state === "away");
  expect(session.link().why).toBe("other (http://127.0.0.1:1) does not answer: nothing listens there.");
  remotes.remove("other");
  remotes.add("other", { id: newRemoteId(), url: box.url, addedAt });
  env.SERVICE_TOKEN_OTHER = box.key;
  session.retry();
  await untilState(session, "refused");
  expect(session.link().why).toBe("other is none of your machines any more.");
  await expect(machines.find(ref)?.takeKey(box.key, undefined)).rejects.toThrow("SERVICE_TOKEN_OTHER is set");
  remotes.remove("other");
  delete env.SERVICE_TOKEN_OTHER;
});

test("what is open of a machine ends within seconds of its record", async () => {
  const ref: MachineRef = { via: "remote", machine: "gone" };
  remotes.add("gone", { id: newRemoteId(), url: box.url, addedAt: "2026-11-21T04:00:00.000Z" });
  secrets.set(machines.find(ref)?.id ?? "", box.key);
  const session = open(ref);
  await untilState(session, "open");
  remotes.remove("gone");
  await untilState(session, "refused");
  expect(session.link()).toMatchObject({ why: "gone is none of your machines any more.", needsKey: false });
  await until("the client to be gone", () => box.relay.sessions.get(box.session).clients.size === 0);
});

test("a connection that a closed window no longer wants is ended, also when it is opened late", async () => {
  let admit: (() => void) | undefined;
  await using relay = await startFakeRelay((_request, response) => {
    admit = () => ok(response, { session: "default" });
  });
  const sockets = new WebSocketServer({ noServer: true });
  let hello = 0;
  let closed = 0;
  relay.server.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (one) => {
      one.on("message", () => hello++);
      one.on("close", () => closed++);
    }),
  );
  remotes.add("slow", { id: newRemoteId(), url: relay.url, addedAt: "2026-11-21T04:00:00.000Z" });
  env.SERVICE_TOKEN_SLOW = "pb_slow";
  const session = open({ via: "remote", machine: "slow" });
  const answer = await until("the question", () => admit);
  session[Symbol.dispose]();
  answer();
  await until("the end of the connection", () => closed === 1);
  expect(hello).toBe(0);
  remotes.remove("slow");
});

test("the panel gets each machine with its sessions, agents and costs, one that is away as such, and whether its key is kept", async () => {
  const agent = { shellId: 3, agentType: "claude", state: "waiting", tokenUsage: { cost: 1.5 } };
  await using fake = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    else ok(response, url === "/v1/sessions" ? fakeSessions : [agent, { ...agent, shellId: "rubbish" }]);
  });
  const addedAt = "2026-11-21T04:00:00.000Z";
  remotes.add("fake", { id: newRemoteId(), url: fake.url, addedAt });
  remotes.add("pi", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt });
  env.SERVICE_TOKEN_FAKE = "pb_fake";
  const own = [{ id: box.session, name: "default" }];
  expect(await machines.list()).toMatchObject([
    { via: "remote", machine: "direct", state: "reachable", key: "missing", keepsKey: false, sessions: [] },
    {
      machine: "fake",
      state: "reachable",
      key: "valid",
      keepsKey: false,
      sessions: fakeSessions.map(({ id, name }) => ({ id, name })),
      agents: [{ session: "default", shellId: 3, agentType: "claude", state: "waiting" }],
      cost: 1.5,
    },
    { machine: "pi", state: "away", awaySince: expect.any(String), sessions: [], agents: [], cost: 0 },
    { via: "fleet", machine: "box", state: "reachable", key: "missing", keepsKey: false, sessions: own },
  ]);
  await machineAt(direct).takeKey(box.key, undefined);
  await machineAt(inFleet).takeKey(box.key, undefined);
  const [first, , , last] = await machines.list();
  for (const machine of [first, last]) expect(machine).toMatchObject({ key: "valid", keepsKey: true, sessions: own });
  secrets.set(machineAt(inFleet).id, laptop.key);
  expect((await machines.list()).at(-1)).toMatchObject({
    key: "rejected",
    problem: expect.stringContaining("box does not accept the key"),
  });
  await machineAt(inFleet).forgetKey();
  expect([...secrets.keys()]).toEqual([machineAt(direct).id]);
  remotes.remove("fake");
  remotes.remove("pi");
});

function machineAt(ref: MachineRef) {
  const machine = machines.find(ref);
  if (machine === undefined) throw new Error(`there is no machine ${ref.machine}`);
  return machine;
}

function open(
  ref: MachineRef,
  refused: (why: string, needsKey: boolean) => void = () => undefined,
  id: SessionId = box.session,
): MachineSession {
  const session = new MachineSession({
    machine: machineAt(ref),
    find(one) {
      const machine = machines.find(one);
      if (machine === undefined) return undefined;
      const connect: typeof machine.connect = (wanted) => {
        attempts += 1;
        return machine.connect(wanted);
      };
      return Object.assign(Object.create(machine) as typeof machine, { connect });
    },
    session: { id, name: "default" },
    resume: undefined,
    toast: () => false,
    refused,
  });
  opened.push(session);
  return session;
}

function untilState(session: MachineSession, state: string): Promise<unknown> {
  return until(`the state ${state}`, () => session.link().state === state);
}
