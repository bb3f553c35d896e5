import { describe, expect, test } from "vitest";
import { parseOptions, UsageError } from "../../../../../main/entry/options/options.ts";

const parse = (...args: string[]) => {
  const { host, port, outside } = parseOptions(args, { PATCHBAY_DATA: "/data" });
  return { host, port, outside };
};
const here = { host: "127.0.0.1", port: 7717, outside: undefined };

test("without --listen other machines have no way in", () => {
  expect(parse()).toEqual(here);
});

test.each([
  ["127.0.0.1", here],
  ["localhost", here],
  ["127.0.0.5:8000", { ...here, host: "127.0.0.5", port: 8000 }],
  ["::1", { ...here, host: "::1" }],
  ["[::1]:80", { ...here, host: "::1", port: 80 }],
  ["::ffff:127.0.0.1", { ...here, host: "::ffff:127.0.0.1" }],
])("%s is an address of this machine alone", (listen, places) => {
  expect(parse("--listen", listen)).toEqual(places);
});

test.each([
  ["0.0.0.0", { host: "0.0.0.0", port: 7718 }],
  ["192.0.2.7:8443", { host: "192.0.2.7", port: 8443 }],
  ["::", { host: "::", port: 7718 }],
  ["[fd00::2]:0", { host: "fd00::2", port: 0 }],
  ["Box.LAN", { host: "box.lan", port: 7718 }],
  ["128.0.0.1", { host: "128.0.0.1", port: 7718 }],
])("%s lets other machines in beside the usual address", (listen, outside) => {
  expect(parse("--listen", listen)).toEqual({ ...here, outside: { ...outside, files: undefined } });
});

test("the port for other machines follows --port, and is free where that is", () => {
  expect(parse("--listen", "0.0.0.0", "--port", "9000").outside?.port).toBe(9001);
  expect(parse("--listen", "0.0.0.0", "--port", "0").outside?.port).toBe(0);
});

test("an own certificate comes with its key", () => {
  const { outside } = parse("--listen", "0.0.0.0", "--tls-cert", "c.pem", "--tls-key", "k.pem");
  expect(outside?.files).toEqual({ cert: "c.pem", key: "k.pem" });
});

describe("usage errors", () => {
  test.each([
    [["--listen", ""], "--listen: expected an address"],
    [["--listen", "http://0.0.0.0"], "--listen: expected an address"],
    [["--listen", "0.0.0.0:70000"], "--listen: expected an address"],
    [["--listen", "0"], "--listen: expected an address"],
    [["--listen", "127.1"], "--listen: expected an address"],
    [["--listen", "[box]:80"], "--listen: expected an address"],
    [["--listen", "fe80::1%eth0"], "--listen: expected an address"],
    [["--listen", "0.0.0.0", "--port", "65535"], "ADDRESS:PORT"],
    [["--listen", "127.0.0.1:80", "--port", "81"], "contradict"],
    [["--listen", "0.0.0.0", "--tls-cert", "c.pem"], "go together"],
    [["--listen", "0.0.0.0", "--tls-key", "k.pem"], "go together"],
    [["--tls-cert", "c.pem", "--tls-key", "k.pem"], "say --listen"],
    [["--listen", "localhost", "--tls-cert", "c.pem", "--tls-key", "k.pem"], "say --listen"],
  ])("%j", (args, message) => {
    expect(() => parse(...args)).toThrow(UsageError);
    expect(() => parse(...args)).toThrow(message);
  });
});
