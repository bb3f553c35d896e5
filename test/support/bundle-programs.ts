import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type OutputOptions, rolldown } from "rolldown";
import type { TestProject } from "vitest/node";
import { asciiOutput, targetOfLibsql } from "../../scripts/bundle-plugins.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the programs as the build bundles them: `dist`, and the shell host in one file. */
    readonly bundles: string;
  }
}

const root = resolve(import.meta.dirname, "../..");

/** What `dist` holds, with its source. The process that holds the shells is a program of its own. */
const PROGRAMS = {
  "cli/main": { source: "cli/main", format: "cjs", extension: "js" },
  "main/serve": { source: "main/entry/headless", format: "cjs", extension: "cjs" },
  "main/local": { source: "main/entry/local", format: "cjs", extension: "cjs" },
  "shell-host/shell-host": { source: "main/entry/shell-host", format: "esm", extension: "js" },
} as const;

/** Bundles the programs once for a run: labs copy them. */
export default async function bundlePrograms(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-bundles-"));
  const dist = join(folder, "dist");
  await Promise.all([
    ...Object.entries(PROGRAMS).map(([name, { source, format, extension }]) =>
      bundle(
        { [name]: `${source}.ts` },
        { dir: dist, format, entryFileNames: `[name].${extension}`, chunkFileNames: `${name}-[hash].${extension}` },
      ),
    ),
    bundle("cli/connect/post-to-socket.ts", { file: join(dist, "cli", "quick-post.cjs"), format: "cjs" }),
    bundle("main/entry/shell-host.ts", { file: join(folder, "shell-host.mjs"), format: "esm", codeSplitting: false }),
  ]);
  project.provide("bundles", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

async function bundle(input: string | Record<string, string>, output: OutputOptions): Promise<void> {
  const made = await rolldown({
    cwd: root,
    input,
    platform: "node",
    plugins: [asciiOutput, targetOfLibsql],
    external: [/^@lydell\//, /^@napi-rs\//, /^@libsql\//],
    logLevel: "silent",
  });
  try {
    await made.write(output);
  } finally {
    await made.close();
  }
}
