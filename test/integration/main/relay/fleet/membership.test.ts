import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runProgram } from "../../../../../cli/program.ts";
import type { FleetStatus } from "../../../../../core/protocol/fleet.ts";
import { FleetKeeper } from "../../../../../main/entry/fleet-membership.ts";
import { freePort } from "../../../../support/free-port.ts";
import { type Broker, startBroker } from "../../../../support/nats-server.ts";
import { startTestRelay, type TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";

let broker: Broker;
let other: Broker;
let laptop: TestRelay;
let box: TestRelay;

beforeAll(async () => {
  [broker, other] = await Promise.all([startBroker({ members: ["laptop", "box"] }), startBroker({ members: ["box"] })]);
  [laptop, box] = await Promise.all([startTestRelay(), startTestRelay()]);
  for (const relay of [laptop, box]) await keep(relay);
});
beforeEach(async () => {
  for (const relay of [laptop, box]) await fleetOf(relay, "DELETE");
});
afterAll(async () => {
  for (const part of [laptop, box, broker, other]) await part?.[Symbol.asyncDispose]();
});

/** Gives a relay its membership, as a start does. */
async function keep({ relay, folder }: TestRelay): Promise<void> {
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const keeper = new FleetKeeper({ data: folder, relay, log });
  await keeper.start(undefined);
  relay.fleetMembership = keeper;
}

async function fleetOf(relay: TestRelay, method: "GET" | "DELETE" = "GET"): Promise<FleetStatus> {
  return JSON.parse((await relay.request(method, "/v1/fleet")).text).result;
}

function joinAt(relay: TestRelay, name: string, at: Partial<{ broker: string; credentials: string }> = {}) {
  const body = { broker: broker.url, credentials: broker.credentialsOf(name), ...at };
  return relay.request("PUT", "/v1/fleet", { body });
}

test("a running relay joins a fleet by an operation of its owner, which is audited and holds after a restart", async () => {
  expect(await fleetOf(laptop)).toMatchObject({ state: "off", problem: null });
  const joined = await joinAt(laptop, "laptop");
  expect(JSON.parse(joined.text).result).toMatchObject({ state: "joined", name: "laptop", problem: null });
  expect((await joinAt(box, "box")).status).toBe(200);
  const atLaptop = async (key: string) =>
    (await laptop.request("GET", "/v1/sessions", { headers: { "X-Service-Token": key } })).text;
  await until("the box to be known", async () => (await atLaptop(box.key)).includes(box.session));
  const { text } = await laptop.request("GET", "/v1/audit?limit=5");
  expect(JSON.parse(text).result).toContainEqual(expect.objectContaining({ action: "joinFleet", outcome: "ok" }));

  await laptop.restart();
  await keep(laptop);
  await until("the laptop to be back", async () => (await fleetOf(laptop)).state === "joined");
});

test("only keys of the owner without restrictions join and leave", async () => {
  await joinAt(laptop, "laptop");
  const { relay } = laptop;
  const limited = relay.keys.create({ owner: relay.user, name: "limited", restrictions: { readOnly: true } });
  const stranger = relay.keys.create({ owner: "stranger", name: "stranger" });
  for (const [key, code] of [
    [limited.secret, "scope_forbids"],
    [stranger.secret, "not_owner"],
  ] as const) {
    const answer = await laptop.request("DELETE", "/v1/fleet", { headers: { "X-Service-Token": key } });
    expect([answer.status, answer.headers.get("x-service-error")]).toEqual([403, code]);
  }
  expect((await fleetOf(laptop)).state).toBe("joined");
});

test("leaving ends what is open in both directions at once, and is kept", async () => {
  const opened = async (at: TestRelay, of: TestRelay) => {
    const url = `${at.url}/v1/sessions/${of.session}/events`;
    const request = httpRequest(url, { headers: { "X-Service-Token": of.key } }).end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.on("error", () => undefined).resume();
    return { end: new Promise((resolve) => response.once("close", resolve)) };
  };
  const known = async (at: TestRelay, of: TestRelay) => {
    const answer = await at.request("GET", `/v1/sessions/${of.session}/socket`, {
      headers: { "X-Service-Token": of.key },
    });
    return answer.status === 200;
  };
  for (const [relay, name] of [
    [laptop, "laptop"],
    [box, "box"],
  ] as const)
    await joinAt(relay, name);
  for (const [at, of] of [
    [laptop, box],
    [box, laptop],
  ] as const)
    await until("the session", () => known(at, of));
  const ends = [await opened(laptop, box), await opened(box, laptop)];
  expect(await fleetOf(laptop, "DELETE")).toMatchObject({ state: "off", broker: null, problem: null });
  await Promise.all(ends.map(({ end }) => end));
  expect(await known(laptop, box)).toBe(false);
  await laptop.restart();
  await keep(laptop);
  expect(await fleetOf(laptop)).toMatchObject({ state: "off", problem: null });
});

test("`service fleet join` and `leave` call the running relay, with the path of the credentials as seen by the caller", async () => {
  const service = async (...args: string[]) => {
    let out = "";
    const quiet = { write: () => undefined, isTTY: false, columns: 80 };
    const code = await runProgram({
      args: ["fleet", ...args],
      env: { SERVICE_URL: laptop.url, SERVICE_TOKEN: laptop.key },
      program: "service",
      cwd: broker.folder,
      stdout: { ...quiet, write: (text) => (out += text) },
      stderr: quiet,
      loadModule: () => Promise.reject(new Error("the running relay does it")),
    });
    return { code, state: out === "" ? undefined : (JSON.parse(out) as FleetStatus).state };
  };
  expect(await service("join", broker.url, "--creds", "laptop.creds")).toEqual({ code: 0, state: "joined" });
  const nowhere = `nats://127.0.0.1:${await freePort()}`;
  expect(await service("join", nowhere, "--creds", "laptop.creds")).toEqual({ code: 1, state: "connecting" });
  expect(await service("leave")).toEqual({ code: 0, state: "off" });
  expect((await service("join", broker.url)).code).toBe(2);
});

test("credentials that others can read, or that are missing or named without their folder, are refused in words", async () => {
  const open = join(laptop.folder, "open.creds");
  copyFileSync(broker.credentialsOf("laptop"), open);
  chmodSync(open, 0o644);
  const refused = [
    [{ credentials: open }, /other users can read .*open\.creds: run `chmod 600/],
    [{ credentials: join(laptop.folder, "none.creds") }, /none\.creds cannot be read \(ENOENT\)/],
    [{ credentials: "laptop.creds" }, /give the whole path of the file/],
    [{ broker: "broker.example.org" }, /expected an address such as nats:/],
  ] as const;
  for (const [wanted, sentence] of refused) {
    const answer = await joinAt(laptop, "laptop", wanted);
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(sentence)]);
  }
  expect((await fleetOf(laptop)).state).toBe("off");
  expect(existsSync(join(laptop.folder, "fleet.json"))).toBe(false);
});

test("a broker that cannot be joined is told in words, and tried again until the relay leaves", async () => {
  const problems = [
    [{ broker: `nats://127.0.0.1:${await freePort()}` }, /no broker answers at nats:\/\/127/],
    [{ credentials: other.credentialsOf("box") }, /TLS to .* failed .*: the credentials are of another fleet/],
    [{ broker: "nats://no-such-host.invalid:4222" }, /no machine is known by the name/],
  ] as const;
  for (const [wanted, problem] of problems) {
    const answer = await joinAt(laptop, "laptop", wanted);
    expect(JSON.parse(answer.text).result).toMatchObject({
      state: "connecting",
      problem: expect.stringMatching(problem),
    });
  }
  expect(await fleetOf(laptop, "DELETE")).toMatchObject({ state: "off" });
});

test("a kept fleet whose credentials are gone is told, and does not keep the relay from starting", async () => {
  const credentials = join(laptop.folder, "moved.creds");
  copyFileSync(broker.credentialsOf("laptop"), credentials);
  await joinAt(laptop, "laptop", { credentials });
  chmodSync(credentials, 0o644);
  await laptop.restart();
  await keep(laptop);
  const told = { state: "off", broker: broker.url, problem: expect.stringMatching(/other users can read/) };
  expect(await fleetOf(laptop)).toMatchObject(told);
});
