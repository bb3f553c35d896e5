import { describe, expect, test } from "vitest";
import { addressError, redirectTarget } from "../../../../../main/relay/plugins/fetch-target.ts";

describe("an address to fetch from", () => {
  test.each([
    "https://plugins.example.com/a/manifest.json?x=1",
    "https://8.8.8.8/manifest.json",
    "http://localhost:3000/manifest.json",
    "http://127.0.0.1/manifest.json",
    "http://[::1]:3000/manifest.json",
    "http://0x7f.1/manifest.json",
    "https://localhost/manifest.json",
  ])("%s may be", (url) => expect(addressError(new URL(url))).toBeUndefined());

  test.each([
    ["http://plugins.example.com/manifest.json", "expected https"],
    ["http://localhost.example.com/manifest.json", "expected https"],
    ["file:///etc/passwd", "expected https"],
    ["ftp://localhost/manifest.json", "expected https"],
    ["data:application/json,{}", "expected https"],
    ["https://me:secret@example.com/manifest.json", "user name"],
    ["http://me@localhost/manifest.json", "user name"],
    ["https://169.254.169.254/latest/meta-data/", "not one of a private"],
    ["https://2852039166/", "not one of a private"],
    ["https://0xa9fea9fe/", "not one of a private"],
    ["https://10.0.0.1/", "not one of a private"],
    ["https://0.0.0.0/", "not one of a private"],
    ["https://[fd00::1]/", "not one of a private"],
    ["https://[::ffff:127.0.0.1]/", "not one of a private"],
    [`https://example.com/${"a".repeat(2048)}`, "at most 2048"],
  ])("%s may not", (url, why) => expect(addressError(new URL(url))).toContain(why));
});

describe("a redirect", () => {
  const from = new URL("https://example.com/a/manifest.json");
  const local = new URL("http://localhost:3000/manifest.json");

  test("may go on to any address that may be fetched from", () => {
    expect(redirectTarget(from, "../b.json").href).toBe("https://example.com/b.json");
    expect(redirectTarget(from, "//cdn.example.com/b.json").href).toBe("https://cdn.example.com/b.json");
    expect(redirectTarget(local, "http://127.0.0.1:4000/b.json").href).toBe("http://127.0.0.1:4000/b.json");
    expect(redirectTarget(local, "https://example.com/b.json").href).toBe("https://example.com/b.json");
  });

  test.each([
    [from, undefined, "no valid address"],
    [from, "https://", "no valid address"],
    [from, "http://example.com/b.json", "expected https"],
    [from, "http://localhost/b.json", "from https to http"],
    [from, "https://localhost/b.json", "from outside to this machine"],
    [from, "https://127.0.0.1:7717/v1/health", "from outside to this machine"],
    [from, "https://169.254.169.254/", "not one of a private"],
    [from, "https://a:b@example.com/", "user name"],
    [local, "http://169.254.169.254/latest/meta-data/", "expected https"],
    [local, "https://10.0.0.1/", "not one of a private"],
    [local, "file:///etc/passwd", "expected https"],
    [new URL("https://localhost/a"), "http://localhost/a", "from https to http"],
  ])("of %s may not go on to %s", (start, location, why) => {
    expect(() => redirectTarget(start, location)).toThrow(why);
  });
});
