import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactOutput, redactSecrets } from "../../../../main/system/redact-secrets.ts";
import { plantedSecrets } from "../../../support/planted-secrets.ts";

describe("a secret is hidden, what stands around it stays, and so do all places", () => {
  test.each(plantedSecrets())("%s", (_, text, secret) => {
    for (const around of [text, `$ echo ${text}`, `{"env":"${text}"}`, `a\r\n${text}\r\nb`]) {
      const redacted = redactSecrets(around);
      expect(redacted).toHaveLength(around.length);
      for (const line of secret.split("\n")) expect(redacted).not.toContain(line);
      expect(redacted.replaceAll("•", "")).not.toBe(around);
    }
  });
});

test.each([
  "password: string",
  "secret=undefined",
  "token count 12345678",
  "task-runner-with-a-very-long-name-2 finished",
  "commit 9cd08170b41a6a2f63a8a1a8b4e2c0f1d5e7a9b3",
  "https://example.org:8080/path@2x.png",
  "user@example.org wrote: see http://localhost:3000/a?b=c",
  "sha512-K3jPqjva8bQndDKJqctnGfwuAxU2n9XNCPtbXVI5JvC7FnQiNg==",
  "id 3374e44a-3626-41a4-8b49-1220ae11de36",
  "-----BEGIN CERTIFICATE-----",
  "basic authentication is required",
  "SKIPPED 12 tests, ACCEPTED 3",
])("%s is no secret", (text) => {
  expect(redactSecrets(text)).toBe(text);
});

test("a key that is cut is hidden as far as it goes, and lines of a key without its beginning too", () => {
  const line = "MIIEpAIBAAKCAQEA7yn3bRHQ5FHMQx2Zr0zq0bZk9Jp7r1mS3Xx1c8Qe2oVt5uWl";
  expect(line).toHaveLength(64);
  expect(redactSecrets(`-----BEGIN RSA PRIVATE KEY-----\n${line}`)).not.toContain("MIIE");
  expect(redactSecrets(`before\n${line}\nafter`)).toBe(`before\n${"•".repeat(64)}\nafter`);
});

test("a secret is hidden beside colours and within them, and the sequences stay", () => {
  const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  expect(redactOutput(`\x1b[1m${key}\x1b[0m`)).toBe(`\x1b[1mghp_${"•".repeat(36)}\x1b[0m`);
  expect(redactOutput(`${key.slice(0, 10)}\x1b[31m${key.slice(10)}\x1b[0m`)).toBe(
    `ghp_${"•".repeat(6)}\x1b[31m${"•".repeat(30)}\x1b[0m`,
  );
  for (const within of ["\x1b7", "\x1b]8;;https://example.org\x1b\\", "\x1b]0;title\x07"]) {
    expect(redactOutput(`${key.slice(0, 10)}${within}${key.slice(10)}`)).toBe(
      `ghp_${"•".repeat(6)}${within}${"•".repeat(30)}`,
    );
  }
  expect(redactOutput(`\x1b]0;${key}\x07`)).toBe(`\x1b]0;ghp_${"•".repeat(36)}\x07`);
  expect(redactOutput("\x1b[31mred\x1b(B and \x1b]0;title\x07")).toBe("\x1b[31mred\x1b(B and \x1b]0;title\x07");
});

test("the first line of a key alone hides no more than a key can have", () => {
  const text = redactSecrets(`-----BEGIN PRIVATE KEY-----\n${"what follows\n".repeat(3000)}the end`);
  expect(text).toMatch(/•\n•/);
  expect(text.endsWith("what follows\nthe end")).toBe(true);
});

test("no text takes long, and what is hidden stays hidden", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const once = redactSecrets(text);
      expect(once).toHaveLength(text.length);
      expect(redactSecrets(once)).toBe(once);
    }),
  );
  for (const hostile of ["://a:", "-----BEGIN ", "eyJ", "password=", "sk-", "bearer ", "xoxb-", "a".repeat(64)]) {
    const started = performance.now();
    redactSecrets(hostile.repeat(Math.ceil(200_000 / hostile.length)));
    expect(performance.now() - started, hostile).toBeLessThan(3_000);
  }
});
