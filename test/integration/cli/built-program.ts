import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { inject } from "vitest";

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * The command line and the headless relay, bundled as the build does, in a folder of their own with a fresh home. `within`:
 * a program with its first words, which starts them. `tree`: a built checkout of another version, in place of this one.
 */
export async function builtProgram({
  within = [],
  tree,
}: {
  readonly within?: readonly string[];
  readonly tree?: string | undefined;
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-cli-"));
  const root = tree ?? resolve(import.meta.dirname, "../../..");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  // With their times: the compiled code beside them is for these.
  await cp(join(tree ?? inject("bundles"), "dist"), join(folder, "dist"), {
    recursive: true,
    preserveTimestamps: true,
  });
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: folder,
    SHELL: "/bin/bash",
    PATCHBAY_DATA: join(folder, "data"),
    PATCHBAY_PROGRAM: "service",
  };
  const main = join(folder, "dist/cli/main.js");

  function start(args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
    const [program = process.execPath, ...words] = [...within, process.execPath, main, ...args];
    return spawn(program, words, { env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
  }

  return {
    folder,
    main,
    start,
    async run(args: readonly string[], more?: NodeJS.ProcessEnv): Promise<Finished> {
      const child = start(args, more);
      const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      return { code: code as number | null, out, err };
    },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function text(stream: AsyncIterable<Buffer> | null): Promise<string> {
  const pieces: Buffer[] = [];
  if (stream !== null) for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
