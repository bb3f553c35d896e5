import fc from "fast-check";
import { expect, test } from "vitest";
import { sessionBusAddress, socketsOf } from "../../../../../main/system/dbus/address.ts";
import { decodeMessage, encodeCall, messageLength } from "../../../../../main/system/dbus/message.ts";
import { typesIn, WireError, WireReader, WireWriter } from "../../../../../main/system/dbus/wire.ts";

function roundTrip(signature: string, values: readonly unknown[]): unknown[] {
  const writer = new WireWriter();
  writer.writeAll(signature, values);
  return new WireReader(writer.bytes, true).readAll(signature);
}

test("values come back as they were written, wherever their alignment puts them", () => {
  const body = [
    "Patchbay",
    0,
    "",
    "Ünïcode 🎉",
    "",
    ["default", "Open"],
    { urgency: { signature: "y", value: 1 } },
    -1,
  ];
  expect(roundTrip("susssasa{sv}i", body)).toEqual([...body.slice(0, 6), [["urgency", 1]], -1]);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string()), fc.boolean(), (text, list, flag) => {
      const plain = (one: string) => Buffer.from(one.replaceAll("\0", ""), "utf8").toString("utf8");
      expect(roundTrip("ysbasu", [7, text, flag, list, 9])).toEqual([7, plain(text), flag, list.map(plain), 9]);
    }),
  );
});

test("a call is one message, of the length that its head says", () => {
  const call = {
    destination: "a.b",
    path: "/a",
    interface: "a.b",
    member: "M",
    signature: "s",
    body: ["x".repeat(999)],
  };
  const bytes = encodeCall(call, 5, { reply: true });
  expect(messageLength(bytes)).toBe(bytes.length);
  expect(messageLength(bytes.subarray(0, 15))).toBeUndefined();
  expect(decodeMessage(bytes)).toMatchObject({ serial: 5, path: "/a", member: "M", body: ["x".repeat(999)] });
});

test("bytes of no message, too long or cut off are refused, and nothing else is thrown", () => {
  expect(() => messageLength(Buffer.alloc(16, 0x41))).toThrow(WireError);
  const huge = encodeCall({ destination: "a.b", path: "/", interface: "a.b", member: "M" }, 1, { reply: true });
  huge.writeUInt32LE(0x7fffffff, 4);
  expect(() => messageLength(huge)).toThrow(WireError);
  const call = {
    destination: "a.b",
    path: "/",
    interface: "a.b",
    member: "M",
    signature: "asa{sv}",
    body: [["a"], {}],
  };
  const good = encodeCall(call, 1, { reply: true });
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), fc.nat(good.length), (at, byte, length) => {
      const bad = Buffer.from(good.subarray(0, length));
      if (at < bad.length) bad[at] = byte;
      try {
        messageLength(bad);
        decodeMessage(bad);
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    }),
    { numRuns: 2000 },
  );
  expect(() => typesIn(`${"a".repeat(200)}s`)).toThrow(WireError);
  expect(() => typesIn("(s")).toThrow(WireError);
});

test("the bus is where the environment or the login says, at Unix sockets only", () => {
  expect(sessionBusAddress({})).toBeUndefined();
  expect(sessionBusAddress({ DBUS_SESSION_BUS_ADDRESS: "unix:path=/b" })).toBe("unix:path=/b");
  expect(sessionBusAddress({ XDG_RUNTIME_DIR: "/nowhere" })).toBeUndefined();
  expect(socketsOf("tcp:host=localhost,port=1;unix:path=/run/a%20b,guid=0a;unix:guid=1,abstract=/tmp/x")).toEqual([
    "/run/a b",
    "\0/tmp/x",
  ]);
  expect(socketsOf("unixexec:path=ssh;autolaunch:;unix:tmpdir=/tmp;unix:path=%zz;")).toEqual(["%zz"]);
});
