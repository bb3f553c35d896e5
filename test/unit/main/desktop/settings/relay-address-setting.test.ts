import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RelayAddressSetting } from "../../../../../main/desktop/settings/relay-address-setting.ts";
import { readSettings, SettingsFile } from "../../../../../main/desktop/settings/settings.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "patchbay-settings-"));
  file = path.join(folder, "desktop.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

function choice({ port = false, listen = false } = {}) {
  return new RelayAddressSetting({
    settings: new SettingsFile(file, () => undefined),
    said: { port, listen },
    address: () => "http://127.0.0.1:7717",
  });
}

/** A port that a program of this test has, and then no longer. */
async function taken<T>(use: (port: number) => Promise<T>): Promise<T> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

test("a change is kept for the next start, and asks for it until then", async () => {
  const running = choice();
  expect(running.facts()).toEqual({
    port: null,
    outside: false,
    portOverridden: false,
    listenOverridden: false,
    restartNeeded: false,
  });
  const port = await taken(async (port) => port);
  await running.set({ port, outside: true });
  expect(running.facts()).toMatchObject({ port, outside: true, restartNeeded: true });
  expect(choice().facts()).toMatchObject({ port, outside: true, restartNeeded: false });
  await running.set({ port: null, outside: false });
  expect(running.facts().restartNeeded).toBe(false);
});

test("a port that is taken is refused and not kept; the relay's own is not taken", async () => {
  const running = choice();
  await taken(async (port) => {
    await expect(running.set({ port, outside: false })).rejects.toThrow(`Port ${port} is taken`);
  });
  expect(running.facts()).toMatchObject({ port: null, restartNeeded: false });
  await running.set({ port: 7717, outside: false });
  expect(JSON.parse(readFileSync(file, "utf8")).relay).toEqual({ port: 7717, outside: false });
});

test("what the command line says goes before, so that a restart would change nothing", async () => {
  const running = choice({ port: true, listen: true });
  await running.set({ port: 7717, outside: true });
  expect(running.facts()).toMatchObject({ portOverridden: true, listenOverridden: true, restartNeeded: false });
});

test("settings of an earlier version stay; what they do not know has its default", () => {
  const notify = { waiting: false, ended: true, budget: true, messages: true };
  writeFileSync(file, JSON.stringify({ theme: "dark", startAtLogin: true, notify, quiet: null }));
  expect(readSettings(file)).toEqual({
    theme: "dark",
    language: "system",
    startAtLogin: true,
    notify: { ...notify, finished: true, failed: true },
    quiet: null,
    relay: { port: null, outside: false },
    terminals: {},
  });
});
