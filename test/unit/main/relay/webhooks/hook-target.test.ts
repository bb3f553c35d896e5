import { describe, expect, test } from "vitest";
import { hookTargetError, wantedOf } from "../../../../../main/relay/webhooks/hook-target.ts";

const errorOf = (url: string, address?: string) => hookTargetError(new URL(url), address);

describe("without a named address", () => {
  test.each([
    "https://example.com/hook",
    "https://example.com:8443/hook?x=1",
    "https://1.1.1.1/",
    "https://[2606:4700::1111]/",
  ])("%s may be sent to", (url) => expect(errorOf(url)).toBeUndefined());

  test.each([
    ["http://example.com/", "expected https"],
    ["http://127.0.0.1/", "expected https"],
    ["http://localhost/", "expected https"],
    ["ftp://example.com/", "expected an https URL"],
    ["file:///etc/passwd", "expected an https URL"],
    ["data:text/plain,x", "expected an https URL"],
    ["https://user@example.com/", "without a user name"],
    ["https://user:pass@example.com/", "without a user name"],
    ["https://127.0.0.1/", "public address"],
    ["https://127.1/", "public address"],
    ["https://2130706433/", "public address"],
    ["https://0x7f.1/", "public address"],
    ["https://0177.0.0.1/", "public address"],
    ["https://0.0.0.0/", "public address"],
    ["https://[::1]/", "public address"],
    ["https://[::]/", "public address"],
    ["https://[::ffff:127.0.0.1]/", "public address"],
    ["https://[::ffff:1.1.1.1]/", "public address"],
    ["https://10.1.2.3/", "public address"],
    ["https://172.16.0.1/", "public address"],
    ["https://192.168.1.1/", "public address"],
    ["https://100.64.0.1/", "public address"],
    ["https://169.254.169.254/latest/meta-data/", "public address"],
    ["https://[fe80::1]/", "public address"],
    ["https://[fd00:ec2::254]/", "public address"],
    ["https://[64:ff9b::7f00:1]/", "public address"],
    ["https://[2002:7f00:1::]/", "public address"],
    ["https://224.0.0.1/", "public address"],
    ["https://255.255.255.255/", "public address"],
  ])("%s is refused", (url, why) => expect(errorOf(url)).toContain(why));
});

describe("with a named address", () => {
  test.each([
    ["http://127.0.0.1:9000/hook", "127.0.0.1"],
    ["https://127.0.0.1:9000/hook", "127.0.0.1"],
    ["http://box.local/hook", "192.168.1.5"],
    ["http://[::1]:9000/", "::1"],
    ["https://169.254.169.254/", "169.254.169.254"],
    ["https://1.1.1.1/", "1.1.1.1"],
  ])("%s may lead to %s", (url, address) => expect(errorOf(url, address)).toBeUndefined());

  test.each([
    ["http://127.0.0.2/", "127.0.0.1", "expected the named address 127.0.0.1"],
    ["https://1.1.1.1/", "127.0.0.1", "expected the named address 127.0.0.1"],
    // Plain text would cross the internet.
    ["http://example.com/", "1.1.1.1", "expected https"],
  ])("%s may not lead to %s", (url, address, why) => expect(errorOf(url, address)).toContain(why));

  test("a name leads to that address only", () => {
    expect(wantedOf("10.0.0.1")).toEqual({ only: "10.0.0.1" });
    expect(wantedOf(undefined)).toBe("public");
  });
});
