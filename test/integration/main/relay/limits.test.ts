import { expect, test } from "vitest";
import { limits } from "../../../../core/protocol/limits.ts";
import type { ShellHost } from "../../../../core/protocol/shell-host.ts";
import { standInShellHost } from "../../../support/stand-in-shell-host.ts";
import { startTestRelay } from "../../../support/test-relay.ts";

test("a chat message holds 8 KiB, counted in bytes", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  const send = (message: string) => relay.post({ method: "sendChat", params: { message } });
  expect(await send("x".repeat(8192))).toMatchObject({ status: 200 });
  expect(await send("é".repeat(4096))).toMatchObject({ status: 200 });
  for (const message of ["x".repeat(8193), "é".repeat(4097)]) {
    expect(await send(message)).toMatchObject({ status: 400, text: expect.stringContaining("8192 bytes") });
  }
  expect(await relay.command("getChat")).toHaveLength(2);
});

test("a session holds so many running shells, and says so", async () => {
  await using relay = await startTestRelay({ shellHostFor: () => countingShells() });
  await using _one = await relay.join();
  const create = () => relay.post({ method: "createShell", params: { tile: false } });
  const made = await Promise.all(Array.from({ length: limits.shellsPerSession + 4 }, create));
  const refused = made.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(4);
  expect(refused[0]?.headers.get("x-service-error")).toBe("limit_reached");
  expect(refused[0]?.text).toContain("at most 256 running shells");
});

test("a session holds so many clients", async () => {
  await using relay = await startTestRelay();
  for (let count = 0; count < limits.clientsPerSession; count++) await relay.join();
  await expect(relay.join()).rejects.toThrow("at most 64 clients");
});

/** Shells that start at once and do nothing: 256 real ones would be a test of the machine. */
function countingShells(): ShellHost {
  const nothing = async () => undefined;
  return standInShellHost({
    spawn: async () => ({ pid: 1, command: "/bin/true", cwd: "/" }),
    write: async () => ({ queued: 0 }),
    keys: async () => ({ queued: 0 }),
    resize: nothing,
    close: nothing,
    forget: nothing,
  });
}
