import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  listenerOwners,
  parseListeningSockets,
  peerOwner,
} from "../../../../../main/system/listeners/linux-listeners.ts";
import { loopbackAddresses } from "../../../../../main/system/listeners/loopback-addresses.ts";
import { parseLsof } from "../../../../../main/system/listeners/lsof-listeners.ts";

const HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const row = (local: string, state: string, inode: string) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;

test.each([
  ["0100007F:0BB8", "127.0.0.1", 3000],
  ["00000000:1F90", "0.0.0.0", 8080],
  ["0A01A8C0:0050", "192.168.1.10", 80],
  ["00000000000000000000000000000000:1435", "::", 5173],
  ["00000000000000000000000001000000:1435", "::1", 5173],
  ["0000000000000000FFFF00000100007F:0016", "::ffff:127.0.0.1", 22],
  ["000080FE00000000FF005450B6AD1DFE:0016", "fe80:0:0:0:5054:ff:fe1d:adb6", 22],
])("the kernel's %s is %s, port %i", (local, address, port) => {
  expect(parseListeningSockets(HEAD + row(local, "0A", "77"))).toEqual([["77", { port, address }]]);
});

test("connections and broken lines are passed over", () => {
  const table = `${HEAD}${row("0100007F:0BB8", "01", "1")}${row("0100007F:0BB8", "0A", "x")}${row("7F:0BB8", "0A", "2")}\n\nrest`;
  expect(parseListeningSockets(table)).toEqual([]);
});

test.each([
  ["0.0.0.0", ["127.0.0.1"]],
  ["127.0.0.53", ["127.0.0.53"]],
  ["::", ["::1", "127.0.0.1"]],
  ["::1", ["::1"]],
  ["::ffff:127.0.0.1", ["127.0.0.1"]],
  ["*", ["127.0.0.1", "::1"]],
  ["192.168.1.10", []],
  ["::ffff:192.168.1.10", []],
  ["fe80:0:0:0:0:0:0:1", []],
  ["127.0.0.1.example", []],
])("a socket bound to %s answers at %j", (bound, addresses) => {
  expect(loopbackAddresses(bound)).toEqual(addresses);
});

test("lsof's fields are read", () => {
  const out = "p812\nf21\nn127.0.0.1:3000\nf22\nn[::1]:3001\np900\nf5\nn*:8080\nf6\nnsomething else\n";
  expect(parseLsof(out)).toEqual([
    { pid: 812, port: 3000, address: "127.0.0.1" },
    { pid: 812, port: 3001, address: "::1" },
    { pid: 900, port: 8080, address: "*" },
  ]);
});

test("the owner of a listener is that of the exact address, else of every address; unknown where nothing can be read", () => {
  const root = mkdtempSync(join(tmpdir(), "patchbay-proc-"));
  try {
    mkdirSync(join(root, "net"));
    const owned = (local: string, uid: string) => row(local, "0A", "7").replace(" 1000 ", ` ${uid} `);
    const table = owned("0100007F:0BB8", "1000") + owned("00000000:0BB8", "2000") + owned("00000000:0BB9", "3000");
    writeFileSync(join(root, "net/tcp"), HEAD + table);
    expect(listenerOwners("127.0.0.1", 3000, root)).toEqual([1000]);
    expect(listenerOwners("127.0.0.1", 3001, root)).toEqual([3000]);
    expect(listenerOwners("::1", 3001, root)).toEqual([3000]);
    expect(listenerOwners("127.0.0.1", 3002, root)).toEqual([]);
    expect(listenerOwners("127.0.0.1", 3000, join(root, "missing"))).toEqual([]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test.runIf(process.platform === "linux")(
  "the user at the other end of a connection of this machine is known while a process holds it",
  async () => {
    const server = createServer().listen({ port: 0, host: "::", ipv6Only: false });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    try {
      for (const host of ["127.0.0.1", "::1"]) {
        const accepted = once(server, "connection") as Promise<[Socket]>;
        const caller = connect({ host, port });
        const [socket] = await accepted;
        const { remoteAddress = "", remotePort = 0, localAddress = "", localPort = 0 } = socket;
        const peer = { address: remoteAddress, port: remotePort };
        const own = { address: localAddress, port: localPort };
        expect(peerOwner(peer, own)).toBe(process.getuid?.());
        expect(peerOwner(peer, { ...own, port: 1 })).toBeUndefined();
        expect(peerOwner({ ...peer, address: "192.0.2.1" }, own)).toBeUndefined();
        expect(peerOwner(peer, own, "/nowhere")).toBeUndefined();
        caller.end();
        await once(socket.resume(), "end");
        expect(peerOwner(peer, own)).toBeUndefined();
        socket.destroy();
      }
    } finally {
      server.close();
    }
  },
);
