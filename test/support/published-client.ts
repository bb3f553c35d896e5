import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { packClient } from "../../tools/package/pack-client.mjs";
import { startTestRelay, type TestRelay } from "./test-relay.ts";

const run = promisify(execFile);

/** Packs `@patchbay/client` into a new folder. */
export async function packPublishedClient(): Promise<{ readonly folder: string; readonly packed: string }> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-client-"));
  return { folder, packed: await packClient({ to: folder, signal: AbortSignal.timeout(120_000) }) };
}

/** An empty project with the packed client as its only package. */
export interface ClientProject extends Disposable {
  readonly folder: string;
  /** Runs a module in the project, with the address and the key of a relay. Resolves to what it printed. */
  runModule(relay: Pick<TestRelay, "url" | "key">, code: string): Promise<string>;
}

/** @param runtime the program that runs the modules */
export async function makeClientProject(runtime = process.execPath): Promise<ClientProject> {
  const made = await packPublishedClient();
  const folder = join(made.folder, "project");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", made.packed], { cwd: folder });
  return {
    folder,
    async runModule({ url, key }, code) {
      const file = join(folder, `program-${Math.random()}.js`);
      writeFileSync(file, code);
      const env = { PATH: process.env.PATH, HOME: made.folder, SERVICE_URL: url, SERVICE_TOKEN: key };
      return (await run(runtime, [file], { cwd: folder, env, timeout: 30_000 })).stdout;
    },
    [Symbol.dispose]: () => rmSync(made.folder, { recursive: true, force: true }),
  };
}

/** Runs every program of the package's README in a project, and checks what it prints. */
export async function expectReadmeWorks({ runModule }: Pick<ClientProject, "runModule">): Promise<void> {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const [first = "", shells = "", events = "", rest = "", ...more] = readmePrograms();
  expect(more).toEqual([]);
  expect(await runModule(relay, first)).toBe("0 built-42\r\n\n");
  expect(await runModule(relay, shells)).toContain("ready-2");
  expect(await runModule(relay, events)).toContain("shell.exited {");
  expect(await runModule(relay, rest)).toMatch(/^\d+ \[ "?'?default"?'? \]\nunknown_shell\n$/);
  expect(client.id).toBeGreaterThan(0);
}

/** Returns the programs of the package's README, exactly as they are printed. */
function readmePrograms(): string[] {
  const text = readFileSync(resolve(import.meta.dirname, "../../tools/package/client/README.md"), "utf8");
  return [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
}
