import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import type { TestProject } from "vitest/node";
import { bundlePrograms } from "../../tools/build.mjs";
import { asciiOutput } from "../../tools/bundle-plugins.mjs";
import { endSharedRelays } from "./end-shared-relays.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the programs as the build bundles them: `dist`, and the shell host in one file. */
    readonly bundles: string;
  }
}

const root = resolve(import.meta.dirname, "../..");
const PROGRAMS = ["cli/program", "cli/quick-post", "main/serve", "shell-host/shell-host"];
const KEEP_CODE_WITHIN_MS = 20_000;
/** Any, in seconds. */
const TIME = 1_700_000_000;

/**
 * Bundles the programs once for a run of Vitest: labs copy them. With PATCHBAY_BUNDLES, a folder of theirs, they are kept in it
 * for further projects and runs.
 */
export default async function bundleForLabs(project: TestProject): Promise<() => Promise<void>> {
  const kept = process.env.PATCHBAY_BUNDLES;
  const folder = kept ?? mkdtempSync(join(tmpdir(), "patchbay-bundles-"));
  const complete = join(folder, "complete");
  if (!existsSync(complete)) {
    mkdirSync(folder, { recursive: true });
    await bundleInto(folder);
    writeFileSync(complete, "");
  }
  project.provide("bundles", folder);
  return async () => {
    await endSharedRelays(folder);
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  };
}

async function bundleInto(folder: string): Promise<void> {
  const dist = join(folder, "dist");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  await Promise.all([bundlePrograms(PROGRAMS, dist), bundleShellHost(join(folder, "shell-host.mjs"))]);
  await keepCompiledCode(folder);
}

async function bundleShellHost(file: string): Promise<void> {
  const made = await rolldown({
    cwd: root,
    input: "main/entry/shell-host.ts",
    platform: "node",
    plugins: [asciiOutput],
    external: [/^@lydell\//, /^@napi-rs\//, /^@libsql\//],
    logLevel: "silent",
  });
  try {
    await made.write({ file, format: "esm", codeSplitting: false });
  } finally {
    await made.close();
  }
}

/**
 * Starts the relay and a local command once, which keep their compiled code beside the bundles, as at a user's first start:
 * labs copy it too, and their relays start in half the processor time. A program that a mutant has broken keeps none.
 */
async function keepCompiledCode(folder: string): Promise<void> {
  const dist = join(folder, "dist");
  // Kept code is for the time of its bundle, which a copy has to the second only.
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) utimesSync(join(dist, name), TIME, TIME);
  const data = join(folder, "data");
  const env = { PATH: process.env.PATH, HOME: folder, SHELL: "/bin/bash" };
  const start = (...words: string[]) =>
    spawn(process.execPath, [join(dist, "cli", "main.js"), ...words, "--data", data], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: KEEP_CODE_WITHIN_MS,
    });
  const relay = start("serve", "--port", "0", "--client");
  let said = "";
  relay.stdout.on("data", (piece) => {
    said += String(piece);
    if (said.includes("Try next")) relay.kill("SIGTERM");
  });
  await once(relay, "exit");
  const local = start("keys", "list");
  local.stdout.resume();
  await once(local, "exit");
  rmSync(data, { recursive: true, force: true });
}
