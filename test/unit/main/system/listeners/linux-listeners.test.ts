import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  LinuxListeners,
  listenerOwners,
  parseListeningSockets,
  peerOwner,
} from "../../../../../main/system/listeners/linux-listeners.ts";
import { loopbackAddresses, loopbackBehind } from "../../../../../main/system/listeners/loopback-addresses.ts";
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

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["127.0.1.1", "127.0.1.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["::1", "::1"],
  ["0:0:0:0:0:0:0:1", "::1"],
  ["::", "::1"],
  ["::ffff:127.0.0.1", "127.0.0.1"],
  ["::FFFF:7f00:101", "127.0.1.1"],
  ["0:0:0:0:0:ffff:0:0", "127.0.0.1"],
  ["192.168.1.10", undefined],
  ["::ffff:192.168.1.10", undefined],
  ["fe80::1%eth0", undefined],
  ["2001:db8::7f00:1", undefined],
])("a connection to %s arrives at the loopback address %s", (address, loopback) => {
  expect(loopbackBehind(address)).toBe(loopback);
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

describe("processes are joined with what listens", () => {
  const HOST = 10;
  const SHELL = 20;
  let root: string;
  let listeners: LinuxListeners;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "patchbay-proc-"));
    mkdirSync(join(root, "net"));
    listeners = new LinuxListeners(root);
    start(HOST, 1);
    start(SHELL, HOST);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function start(pid: number, parent: number): void {
    for (const folder of ["fd", `task/${pid}`]) mkdirSync(join(root, `${pid}`, folder), { recursive: true });
    writeFileSync(join(root, `${pid}`, "stat"), `${pid} (a) b) S ${parent} 0 0`);
    ran(pid, "1");
  }

  const ran = (pid: number, nanoseconds: string) =>
    writeFileSync(join(root, `${pid}`, "schedstat"), `${nanoseconds} 0 1\n`);

  const open = (pid: number, inode: string) => symlinkSync(`socket:[${inode}]`, join(root, `${pid}`, "fd", inode));
  const close = (pid: number, inode: string) => unlinkSync(join(root, `${pid}`, "fd", inode));

  /** The inode of a socket is its port here. */
  const listen = (...ports: number[]) => {
    const rows = ports.map((port) =>
      row(`0100007F:${port.toString(16).padStart(4, "0").toUpperCase()}`, "0A", `${port}`),
    );
    writeFileSync(join(root, "net/tcp"), HEAD + rows.join("") + row("0100007F:0001", "01", "1"));
  };

  const found = async (...pids: number[]) =>
    (await listeners.listenersOf([SHELL, ...pids], [SHELL])).map(({ pid, port }) => [pid, port]);

  test("a socket counts from when it listens until it is closed, also if it was open long before", async () => {
    open(SHELL, "3000");
    listen();
    for (let look = 0; look < 40; look += 1) expect(await found()).toEqual([]);
    listen(3000);
    for (let look = 0; look < 30; look += 1) await found();
    expect(await found()).toEqual([[SHELL, 3000]]);
    close(SHELL, "3000");
    ran(SHELL, "2");
    expect(await found()).toEqual([]);
  });

  test("what the shell has from the process that started it is nobody's", async () => {
    open(HOST, "4000");
    open(SHELL, "4000");
    open(SHELL, "3000");
    listen(3000, 4000);
    expect(await found()).toEqual([[SHELL, 3000]]);
  });

  test("a process that comes later, as in tmux, brings its listener", async () => {
    listen(3000);
    for (let look = 0; look < 5; look += 1) expect(await found()).toEqual([]);
    start(30, 1);
    open(30, "3000");
    expect(await found(30)).toEqual([[30, 3000]]);
  });

  test("open files are read again when their process has run, or may have", async () => {
    listen(3000, 4000, 5000);
    expect(await found()).toEqual([]);
    open(SHELL, "3000");
    expect(await found()).toEqual([]);
    ran(SHELL, "2");
    expect(await found()).toEqual([[SHELL, 3000]]);
    // Another thread may have run: only the first one's time is counted.
    mkdirSync(join(root, `${SHELL}`, "task", "21"));
    ran(SHELL, "3");
    expect(await found()).toEqual([[SHELL, 3000]]);
    open(SHELL, "4000");
    expect(await found()).toContainEqual([SHELL, 4000]);
  });

  test("open files are read each time where the kernel counts no time", async () => {
    listen(3000);
    writeFileSync(join(root, `${SHELL}`, "schedstat"), "0 0 0\n");
    expect(await found()).toEqual([]);
    open(SHELL, "3000");
    expect(await found()).toEqual([[SHELL, 3000]]);
  });
});
