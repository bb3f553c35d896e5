import { once } from "node:events";
import { Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { ConnectionGate, type GateLimits } from "../../../../../main/relay/net/connection-gate.ts";

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

let ports = 1;
/** A connection as a server sees it, from an address that need not exist. */
function from(remoteAddress: string): Socket {
  const socket = new Socket();
  Object.defineProperties(socket, { remoteAddress: { value: remoteAddress }, remotePort: { value: ports++ } });
  open.push(socket);
  return socket;
}

function gateWith(limits: Partial<GateLimits>) {
  const cut: string[] = [];
  const gate = new ConnectionGate({ cut: (reason) => void cut.push(reason) }, limits);
  const admit = (address: string) => {
    const socket = from(address);
    gate.admit({ socket, plain: false });
    return socket;
  };
  return { gate, cut, admit };
}

test("connections are bounded in all, with a key or without", () => {
  const { gate, cut, admit } = gateWith({ all: 3 });
  const kept = [admit("127.0.0.1"), admit("127.0.0.1"), admit("127.0.0.1")];
  gate.markAuthenticated({ socket: kept[0] ?? from("") }, "key ann");
  expect(gate.size).toEqual({ unauthenticated: 2, authenticated: 1 });
  const refused = admit("127.0.0.1");
  expect([refused.writableEnded, cut]).toEqual([true, ["too many connections"]]);
  expect(kept.map((socket) => socket.writableEnded)).toEqual([false, false, false]);
});

test("a connection that has ended leaves its place", async () => {
  const { gate, cut, admit } = gateWith({ all: 1 });
  const first = admit("127.0.0.1");
  first.destroy();
  await once(first, "close");
  expect(gate.size).toEqual({ unauthenticated: 0, authenticated: 0 });
  expect([admit("127.0.0.1").writableEnded, cut]).toEqual([false, []]);
});

test.each([
  ["IPv4", "192.0.2.7", "192.0.2.7", "192.0.2.8"],
  ["IPv6, which gives a machine 64 bits of addresses", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"],
])("another machine without a key has only so many connections (%s)", (_, first, same, other) => {
  const { cut, admit } = gateWith({ unauthenticatedPerNetwork: 2 });
  admit(first);
  admit(first);
  expect([admit(same).writableEnded, cut]).toEqual([true, ["too many from one address"]]);
  expect(admit(other).writableEnded).toBe(false);
});

test("this machine is not bound to the limit of another, nor is a connection with a key", () => {
  const { gate, admit } = gateWith({ unauthenticatedPerNetwork: 1 });
  expect(["127.0.0.1", "::1", "::ffff:127.0.0.1"].flatMap((local) => [admit(local), admit(local)])).toSatisfy(
    (sockets: Socket[]) => sockets.every((socket) => !socket.writableEnded),
  );
  gate.markAuthenticated({ socket: admit("192.0.2.7") }, "key ann");
  expect(admit("192.0.2.7").writableEnded).toBe(false);
});

test("one caller who opens connections without end loses its own, and takes nobody else's place", async () => {
  const { gate, cut, admit } = gateWith({ perCaller: 2, all: 4 });
  const connect = (caller: string) => {
    const socket = admit("127.0.0.1");
    gate.markAuthenticated({ socket }, caller);
    return socket;
  };
  const ann = connect("key ann");
  const many = [connect("key eve"), connect("key eve"), connect("key eve"), connect("key eve")];
  expect(many.map((socket) => socket.writableEnded)).toEqual([true, true, false, false]);
  expect([ann.writableEnded, connect("key bob").writableEnded]).toEqual([false, false]);
  expect([gate.size.authenticated, cut]).toEqual([4, ["too many connections", "too many connections"]]);
  const [, , third] = many;
  third?.destroy();
  await once(third ?? from(""), "close");
  expect(connect("key eve").writableEnded).toBe(false);
  expect([gate.size.authenticated, cut.length]).toEqual([4, 2]);
});
