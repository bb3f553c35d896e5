import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KeptSecrets } from "../../../../main/system/kept-secrets.ts";
import type { KeychainEntry } from "../../../../main/system/keychain.ts";

let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "patchbay-secrets-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const unreachable = { entryOf: () => Promise.reject(new Error("no keychain")) };

function keychain(kept: Map<string, string>) {
  return {
    entryOf: (account: string): KeychainEntry => ({
      getPassword: async () => kept.get(account),
      setPassword: async (secret) => void kept.set(account, secret),
      deleteCredential: async () => kept.delete(account),
    }),
  };
}

test("a secret is in the keychain, and in no file", async () => {
  const kept = new Map<string, string>();
  const secrets = new KeptSecrets(data, keychain(kept));
  expect(await secrets.set("webhook:1", "s3cret")).toBe("keychain");
  expect(readdirSync(data)).toEqual([]);
  expect(await new KeptSecrets(data, keychain(kept)).get("webhook:1")).toBe("s3cret");
  expect(await secrets.get("webhook:2")).toBeUndefined();
  await secrets.remove("webhook:1");
  expect(kept.size).toBe(0);
});

test("without a keychain it is in a file for its user only, and goes with its removal", async () => {
  const secrets = new KeptSecrets(data, unreachable);
  expect(await secrets.set("webhook:../../1", "s3cret")).toBe("file");
  const [file = ""] = readdirSync(join(data, "secrets"));
  expect(file).toBe("webhook_______1");
  expect(statSync(join(data, "secrets", file)).mode & 0o777).toBe(0o600);
  expect(statSync(join(data, "secrets")).mode & 0o777).toBe(0o700);
  expect(await new KeptSecrets(data, unreachable).get("webhook:../../1")).toBe("s3cret");
  await secrets.remove("webhook:../../1");
  expect(readdirSync(join(data, "secrets"))).toEqual([]);
});

test("a keychain that does not answer is given up after a while", async () => {
  const never = () => new Promise<never>(() => undefined);
  const secrets = new KeptSecrets(data, { entryOf: never, deadlineMs: 10 });
  expect(await secrets.set("webhook:1", "s3cret")).toBe("file");
  expect(await secrets.get("webhook:1")).toBe("s3cret");
  await expect(secrets.get("webhook:2")).rejects.toThrow("the keychain does not answer");
});
