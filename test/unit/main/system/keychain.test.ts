import { expect, test, vi } from "vitest";
import { type KeychainEntry, openKeychain } from "../../../../main/system/keychain.ts";

function entriesIn(kept: Map<string, string>) {
  return (account: string): KeychainEntry => ({
    getPassword: async () => kept.get(account) ?? null,
    setPassword: async (secret) => void kept.set(account, secret),
    deleteCredential: async () => kept.delete(account),
  });
}
const broken = (): KeychainEntry => {
  throw new Error("Couldn't access platform storage");
};

test("secrets go to the keychain and come back from it", async () => {
  const kept = new Map<string, string>();
  const said: (string | undefined)[] = [];
  const store = openKeychain((line) => said.push(line), entriesIn(kept));
  expect(await store.get("cli")).toBeUndefined();
  await store.set("cli", "secret");
  expect(kept).toEqual(new Map([["cli", "secret"]]));
  expect(await store.get("cli")).toBe("secret");
  expect(await store.delete("cli")).toBe(true);
  expect(await store.delete("cli")).toBe(false);
  expect(said).toEqual([]);
});

test("without a keychain it says so once, without the secret, and remembers until the end", async () => {
  const said: (string | undefined)[] = [];
  const store = openKeychain((line) => said.push(line), broken);
  await store.set("cli", "secret");
  expect(await store.get("cli")).toBe("secret");
  expect(await store.get("other")).toBeUndefined();
  expect(await store.delete("cli")).toBe(true);
  expect(await store.get("cli")).toBeUndefined();
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/No keychain can be reached \(Couldn't access platform storage\).*memory/);
  expect(said[0]).not.toContain("secret");
});

test("a keychain that comes back replaces what memory held", async () => {
  const kept = new Map<string, string>();
  let reachable = false;
  const store = openKeychain(
    () => undefined,
    (account) => (reachable ? entriesIn(kept)(account) : broken()),
  );
  await store.set("cli", "old");
  reachable = true;
  await store.set("cli", "new");
  expect(await store.get("cli")).toBe("new");
  expect(kept.get("cli")).toBe("new");
});

test("a keychain that does not answer is said to be waiting, until it answers", async () => {
  vi.useFakeTimers();
  try {
    const said: (string | undefined)[] = [];
    let unlock = (_secret: string) => {};
    const locked = (): KeychainEntry => ({
      getPassword: () =>
        new Promise((resolve) => {
          unlock = resolve;
        }),
      setPassword: async () => undefined,
      deleteCredential: async () => false,
    });
    const asked = openKeychain((line) => said.push(line), locked).get("cli");
    await vi.advanceTimersByTimeAsync(4_900);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(said).toEqual([expect.stringMatching(/does not answer: it may be locked/)]);
    unlock("secret");
    expect(await asked).toBe("secret");
    expect(said[1]).toBeUndefined();
    expect(said).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
