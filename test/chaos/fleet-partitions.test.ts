import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FleetStatus } from "../../core/protocol/fleet.ts";
import { createFleet } from "../../main/relay/fleet/fleet-files.ts";
import { startNamespacedFleet } from "../support/namespaced-fleet.ts";
import { type Networks, namespacesMissing, type Reply } from "../support/network-namespaces.ts";
import { until } from "../support/until.ts";

const RELAYS = ["laptop", "box", "desk"] as const;
type RelayName = (typeof RELAYS)[number];

/** A relay is away 30 s after its last heartbeat; a loaded machine needs longer for everything. */
const LONG_MS = 120_000;

const missing = namespacesMissing();
const title = "three machines whose links to the broker are cut";

describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} (not run: ${missing})`, () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab();
  }, LONG_MS);
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  }, LONG_MS);

  test("what was acknowledged while links were cut and healed is done once", async () => {
    const load = startLoad(lab, ["laptop", "desk"]);
    for (const victim of ["box", "laptop", "desk", "box"] as const) {
      await load.untilAcknowledged();
      lab.networks.cut(victim);
      await load.untilUnanswered(victim === "box" ? "laptop" : victim);
      lab.networks.heal(victim);
    }
    await load.untilAcknowledged();
    const acknowledged = await load.stop();
    const done = await lab.messages();
    expect(acknowledged.filter((message) => done.filter((text) => text === message).length !== 1)).toEqual([]);
    expect(done.filter((text, index) => done.indexOf(text) !== index)).toEqual([]);
  });

  test("a machine behind a cut link is away for the others, holds up none of them, and is back when the link is", async () => {
    lab.networks.cut("box");
    await until("the box to be away", async () => (await lab.stateAt("desk", "box")) === "away", LONG_MS);
    const list = await lab.get("desk", "/v1/sessions", lab.keys.desk);
    expect(JSON.parse(list.text).result).toContainEqual(
      expect.objectContaining({ id: lab.session, relay: "box", awaySince: expect.any(String) }),
    );
    const command = await lab.command("desk", "getSession", {}, { "X-Service-Timeout": "0.5" });
    expect([command.status, command.headers["x-service-error"]]).toEqual([504, "relay_away"]);
    expect(await lab.stateAt("desk", "laptop")).toBe("present");
    lab.networks.heal("box");
    await until("the box to be back", async () => (await lab.command("desk", "getSession")).status === 200, LONG_MS);
    expect(await lab.stateAt("desk", "box")).toBe("present");
  });

  test("a key that is revoked during a partition is refused everywhere at once, and behind the cut link as soon as it is healed", async () => {
    const made = await lab.send("box", "POST", "/v1/keys", { key: lab.keys.box, body: { name: "short" } });
    const { id, secret } = JSON.parse(made.text).result as { id: string; secret: string };
    const path = `/v1/sessions/${lab.session}/remote/layout`;
    for (const name of RELAYS) {
      await until("the key to be good", async () => (await lab.get(name, path, secret)).status === 200, LONG_MS);
    }
    lab.networks.cut("laptop");
    expect((await lab.send("box", "DELETE", `/v1/keys/${id}`, { key: lab.keys.box })).status).toBe(200);
    expect((await lab.get("box", path, secret)).status).toBe(401);
    expect((await lab.get("desk", path, secret)).status).toBe(401);
    lab.networks.heal("laptop");
    const answers: number[] = [];
    await until(
      "the laptop to have an answer",
      async () => {
        const { status } = await lab.get("laptop", path, secret, { "X-Service-Timeout": "1" });
        answers.push(status);
        return status !== 504;
      },
      LONG_MS,
    );
    expect(answers.at(-1)).toBe(401);
  });

  test("a member with another owner's credentials gets nothing", async () => {
    await lab.restart("desk", "stranger");
    const joined = async () => (await lab.fleetAt("desk")).state === "joined";
    await until("the stranger to join", joined, LONG_MS);
    await until("the desk to be away", async () => (await lab.stateAt("laptop", "desk")) === "away", LONG_MS);
    expect((await lab.fleetAt("desk")).members.map(({ name }) => name)).toEqual(["stranger"]);
    const list = await lab.get("desk", "/v1/sessions", lab.keys.desk);
    expect(list.text).not.toContain(lab.session);
    // Until it knows the sessions of its fleet, a relay can't tell whose key it is: 504.
    const refused = async () => (await lab.command("desk", "getSession")).status;
    expect(await until("an answer", async () => [await refused()].find((status) => status !== 504))).toBe(401);
    expect((await lab.command("laptop", "getSession")).status).toBe(200);
  });
});

interface Lab extends AsyncDisposable {
  readonly networks: Networks;
  /** The box's session. */
  readonly session: string;
  readonly keys: Readonly<Record<RelayName, string>>;
  send(at: RelayName, method: string, path: string, options: SendOptions): Promise<Reply>;
  get(at: RelayName, path: string, key: string, headers?: Record<string, string>): Promise<Reply>;
  /** A command to the box's session, with the box's key. */
  command(at: RelayName, method: string, params?: object, headers?: Record<string, string>): Promise<Reply>;
  fleetAt(at: RelayName): Promise<FleetStatus>;
  /** What a relay says of another one. */
  stateAt(at: RelayName, of: RelayName): Promise<string | undefined>;
  /** The latest messages of the box's session, as the box has them. */
  messages(): Promise<string[]>;
  /** Starts a relay again with the credentials of this name. */
  restart(name: RelayName, credentials: string): Promise<void>;
}

interface SendOptions {
  readonly key: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

async function startLab(): Promise<Lab> {
  const fleet = await startNamespacedFleet(RELAYS, { edit: addStranger });
  const { networks, restart } = fleet;
  const keys = { laptop: fleet.relay("laptop").key, box: fleet.relay("box").key, desk: fleet.relay("desk").key };
  const { session } = fleet.relay("box").process;
  const send: Lab["send"] = (at, method, path, { key, headers = {}, body }) =>
    fleet.send(at, method, path, { headers: { "X-Service-Token": key, ...headers }, body });
  const command: Lab["command"] = (at, method, params = {}, headers = {}) =>
    send(at, "POST", `/v1/sessions/${session}/remote/command`, { key: keys.box, headers, body: { method, params } });
  const fleetAt = async (at: RelayName) =>
    JSON.parse((await fleet.send(at, "GET", "/v1/fleet")).text).result as FleetStatus;
  const lab: Lab = {
    networks,
    session,
    keys,
    send,
    command,
    fleetAt,
    restart,
    get: (at, path, key, headers = {}) => send(at, "GET", path, { key, headers }),
    stateAt: async (at, of) => (await fleetAt(at)).members.find(({ name }) => name === of)?.state,
    async messages() {
      const { text } = await command("box", "getChat");
      return (JSON.parse(text) as { result: { text: string }[] }).result.map((entry) => entry.text);
    },
    [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose](),
  };
  for (const name of ["laptop", "desk"] as const) {
    await until("the box to answer", async () => (await command(name, "getSession")).status === 200, LONG_MS);
  }
  return lab;
}

/** Adds a second owner with an account of its own to the broker. */
function addStranger(folder: string, hosts: readonly string[]): void {
  const other = join(folder, "other");
  const { config } = createFleet({ folder: other, owner: "stranger", hosts, members: ["stranger"] });
  const account = /accounts \{\n([\s\S]*)\n\}\n$/.exec(readFileSync(config, "utf8"))?.[1] ?? "";
  const main = join(folder, "nats-server.conf");
  writeFileSync(main, readFileSync(main, "utf8").replace("accounts {\n", `accounts {\n${account}\n`));
  // Its credentials name the certificate of the broker that it calls.
  const certificate = readFileSync(join(folder, "broker-cert.pem"), "utf8");
  const text = readFileSync(join(other, "stranger.creds"), "utf8").replace(/-----BEGIN CERT[\s\S]*/, certificate);
  writeFileSync(join(folder, "stranger.creds"), text, { mode: 0o600 });
}

/** Sends chat messages to the box's session through other relays, each again until it is acknowledged. */
function startLoad(lab: Lab, names: readonly RelayName[]) {
  let isOver = false;
  const acknowledged: string[] = [];
  const counts = new Map<string, { answered: number; unanswered: number }>();
  const callers = names.map(async (name) => {
    const count = { answered: 0, unanswered: 0 };
    counts.set(name, count);
    for (let number = 0; !isOver; number++) {
      const message = `${name}-${number}`;
      for (;;) {
        const headers = { "Idempotency-Key": message, "X-Service-Timeout": "2" };
        const { status } = await lab.command(name, "sendChat", { message }, headers);
        if (status === 200) break;
        count.unanswered++;
        if (isOver) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      count.answered++;
      acknowledged.push(message);
      // The session keeps its latest messages only.
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  });
  return {
    /** Waits until every relay has had some answered since now. */
    async untilAcknowledged(): Promise<void> {
      const before = new Map([...counts].map(([name, { answered }]) => [name, answered]));
      const isEnough = () => [...counts].every(([name, { answered }]) => answered > (before.get(name) ?? 0) + 5);
      await until("commands to be acknowledged", isEnough, LONG_MS);
    },
    async untilUnanswered(name: RelayName): Promise<void> {
      const before = counts.get(name)?.unanswered ?? 0;
      await until("a command without an answer", () => (counts.get(name)?.unanswered ?? 0) > before, LONG_MS);
    },
    async stop(): Promise<readonly string[]> {
      isOver = true;
      await Promise.all(callers);
      return acknowledged;
    },
  };
}
