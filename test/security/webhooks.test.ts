import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { operations } from "../../core/operations/index.ts";
import { webhookOperations } from "../../core/operations/webhooks.ts";
import type { KeyRestrictions } from "../../core/protocol/key-restrictions.ts";
import { exampleFor, exampleRequest } from "../contract/example-operations.ts";
import { startHookReceiver } from "../support/hook-receiver.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";

let relay: TestRelay;
/** What the names of the test lead to. */
let names: Readonly<Record<string, readonly string[]>>;
let trap: { readonly port: number; readonly connections: () => number; readonly servers: readonly Server[] };

beforeEach(async () => {
  names = {};
  trap = await setTrap();
  relay = await startTestRelay({
    webhookPace: {
      retryMs: [],
      resolve: async (host) =>
        (names[host] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    },
  });
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  for (const server of trap.servers) {
    server.close();
    await once(server, "close");
  }
});

/** Counts every connection to a port of this machine, over both versions of the protocol where it has them. */
async function setTrap() {
  let connections = 0;
  const open = async (host: string, port: number) => {
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    server.listen(port, host);
    await once(server, "listening");
    return server;
  };
  const first = await open("127.0.0.1", 0);
  const { port } = first.address() as AddressInfo;
  const second = await open("::1", port).catch(() => undefined);
  return { port, connections: () => connections, servers: second === undefined ? [first] : [first, second] };
}

async function add(body: object): Promise<{ status: number; id?: string }> {
  const { status, text } = await relay.request("POST", "/v1/webhooks", { body });
  return status === 201 ? { status, id: (JSON.parse(text) as { result: { id: string } }).result.id } : { status };
}

async function send(id: string): Promise<{ ok: boolean; error: string | null }> {
  const { text } = await relay.request("POST", `/v1/webhooks/${id}/test`, { body: {} });
  return (JSON.parse(text) as { result: { ok: boolean; error: string | null } }).result;
}

const LITERALS = [
  ...[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "127.255.255.254",
    "0",
    "0.0.0.0",
  ],
  ...[
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
  ],
  ...["10.0.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "169.254.169.254", "[fe80::1]", "[fd00:ec2::254]"],
  ...["[fc00::1]", "[2002:7f00:1::]", "[2001::1]", "224.0.0.1", "255.255.255.255", "192.0.0.192", "198.18.0.1"],
  ...["１２７.0.0.1", "127。0。0。1"],
];

const LEADING = {
  "loopback.example": ["127.0.0.1"],
  "loopback6.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "private.example": ["10.0.0.1"],
  "unique-local.example": ["fd00:ec2::254"],
  "both.example": ["1.1.1.1", "127.0.0.1"],
  localhost: ["127.0.0.1", "::1"],
  "nowhere.example": [],
};

describe("a webhook", () => {
  test("reaches no address of this machine or of a private network that its owner has not named", async () => {
    for (const scheme of ["http", "https"]) {
      for (const host of LITERALS) {
        expect([host, (await add({ url: `${scheme}://${host}:${trap.port}/` })).status]).toEqual([host, 400]);
      }
    }
    names = LEADING;
    for (const host of Object.keys(LEADING)) {
      const { id = "" } = await add({ url: `https://${host}:${trap.port}/` });
      expect(await send(id)).toMatchObject({ ok: false, error: expect.stringContaining("does not lead to public") });
    }
    // One that is named opens no other.
    const { id = "" } = await add({ url: `http://private.example:${trap.port}/`, address: "10.0.0.9" });
    expect(await send(id)).toMatchObject({ ok: false, error: expect.stringContaining("does not lead to 10.0.0.9") });
    expect(LITERALS.length + Object.keys(LEADING).length).toBeGreaterThanOrEqual(40);
    expect(trap.connections()).toBe(0);
  });

  test("follows no redirect, and connects only to the address that was checked", async () => {
    await using receiver = await startHookReceiver();
    receiver.answer = (response) =>
      void response.writeHead(307, { Location: `http://127.0.0.1:${trap.port}/latest/meta-data/` }).end();
    // Every later answer of the name leads into the trap's network.
    let asked = 0;
    names = new Proxy({}, { get: () => (asked++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]) });
    const { id = "" } = await add({ url: `http://rebinding.example:${receiver.port}/`, address: "127.0.0.1" });
    expect(await send(id)).toMatchObject({ ok: false, error: expect.stringContaining("redirects are not followed") });
    expect(receiver.arrived.length).toBe(1);
    expect(asked).toBe(1);
    expect(await send(id)).toMatchObject({ ok: false, error: expect.stringContaining("does not lead to 127.0.0.1") });
    expect(trap.connections()).toBe(0);
  });

  test("is added, listed, tested and removed by the relay's owner alone, and by no program", async () => {
    const callers: Readonly<Record<string, string>> = {
      "another user": relay.relay.keys.create({ owner: "another", name: "another" }).secret,
      ...Object.fromEntries(
        (
          [
            ["read-only", { readOnly: true }],
            ["own shells", { ownShells: true }],
            ["automation", { automation: true }],
            ["some methods", { methods: ["get*", "list*"] }],
          ] satisfies [string, KeyRestrictions][]
        ).map(([name, restrictions]) => [
          name,
          relay.relay.keys.create({ owner: relay.relay.user, name, restrictions }).secret,
        ]),
      ),
    };
    const names = Object.keys(webhookOperations) as (keyof typeof webhookOperations)[];
    for (const name of names) {
      const { method, path, body } = exampleRequest(name, exampleFor(name));
      for (const [who, secret] of Object.entries(callers)) {
        const headers = { "X-Service-Token": secret };
        const { status } = await relay.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
        expect([who, name, status]).toEqual([who, name, 403]);
      }
      expect(operations[name]).toMatchObject({ closedToAgents: true, closedToAutomation: true, owner: "relay" });
    }
    expect(JSON.parse((await relay.request("GET", "/v1/webhooks")).text)).toEqual({ result: [] });
  });
});
