import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressKind, expectedKind } from "../../../../../main/relay/plugins/address-kind.ts";

describe("the kind of an address", () => {
  test.each(["8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0", "2606:4700::1111"])(
    "%s is public",
    (address) => expect(addressKind(address)).toBe("public"),
  );

  test.each(["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"])("%s is loopback", (address) =>
    expect(addressKind(address)).toBe("loopback"),
  );

  test.each([
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["carrier's NAT", "100.64.0.1"],
    ["link-local, metadata", "169.254.169.254"],
    ["unspecified", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["protocol assignments", "192.0.0.192"],
    ["documentation", "203.0.113.9"],
    ["benchmarks", "198.19.0.1"],
    ["multicast", "224.0.0.251"],
    ["reserved", "250.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified v6", "::"],
    ["unique local", "fd00:ec2::254"],
    ["unique local", "fc00::1"],
    ["link-local v6", "fe80::1"],
    ["link-local v6 with a zone", "fe80::1%lo"],
    ["site-local", "fec0::1"],
    ["multicast v6", "ff02::1"],
    ["documentation v6", "2001:db8::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["6to4 of 10.0.0.1", "2002:a00:1::1"],
    ["NAT64 of 10.0.0.1", "64:ff9b::a00:1"],
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["mapped private", "::ffff:a00:1"],
    ["mapped public", "::ffff:8.8.8.8"],
    ["compatible loopback", "::127.0.0.1"],
    ["no address", "localhost"],
    ["no address", "127.0.0.01"],
    ["no address", ""],
  ])("%s: %s is closed", (_, address) => expect(addressKind(address)).toBe("closed"));

  test("no address of a private block is ever public, in any clothes", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const first = fc.constantFrom([10], [127], [169, 254], [172, 20], [192, 168], [100, 100], [0], [224], [255]);
    fc.assert(
      fc.property(first, octet, octet, octet, (start, ...rest) => {
        const octets = [...start, ...rest].slice(0, 4);
        const dotted = octets.join(".");
        const hex = octets.map((value) => value.toString(16).padStart(2, "0")).join("");
        const [high, low] = [hex.slice(0, 4), hex.slice(4)];
        const clothes = [dotted, `::ffff:${dotted}`, `::${high}:${low}`, `64:ff9b::${high}:${low}`];
        expect([...clothes, `2002:${high}:${low}::1`].map(addressKind)).not.toContain("public");
      }),
    );
  });
});

test("only this machine's own names and addresses want loopback", () => {
  const own = ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"];
  const others = ["localhost.", "localhost.example.com", "app.localhost", "[::ffff:7f00:1]", "0.0.0.0", "example.com"];
  expect(own.map(expectedKind)).toEqual(own.map(() => "loopback"));
  expect(others.map(expectedKind)).toEqual(others.map(() => "public"));
});
