import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A program and its first words. */
export type Words = readonly [program: string, ...words: string[]];

/**
 * The command line to test, as `service`: this checkout's as it was built, or that of the package which E2E_APP names. What
 * the user would type comes after these words.
 */
export function serviceWords(): Words {
  const packaged = packagedBin("service");
  if (packaged !== undefined) return [packaged];
  return [process.execPath, fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))];
}

/** `patchbay` or `service` of the package that E2E_APP names; undefined without one. */
export function packagedBin(name: "patchbay" | "service"): string | undefined {
  const { E2E_APP, PATCHBAY_ELECTRON } = process.env;
  if (!E2E_APP || PATCHBAY_ELECTRON === undefined) return undefined;
  return path.join(path.dirname(PATCHBAY_ELECTRON), "bin", name);
}

/** The package's command line with a home of its own; undefined without a package. `within`: as of `builtProgram`. */
export function packagedProgram({ within = [] }: { readonly within?: readonly string[] } = {}) {
  const program = packagedBin("patchbay");
  if (program === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-cli-"));
  const env = { PATH: process.env.PATH, HOME: folder, SHELL: "/bin/bash", PATCHBAY_DATA: path.join(folder, "data") };
  return {
    folder,
    start(args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
      const [first = program, ...words] = [...within, program, ...args];
      return spawn(first, words, { env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
    },
    async run(args: readonly string[]): Promise<{ out: string }> {
      return { out: (await promisify(execFile)(program, args, { env })).stdout };
    },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
