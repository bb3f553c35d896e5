import { Readable } from "node:stream";
import { runProgram } from "../../cli/program.ts";

export interface RunHere {
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  readonly program?: "patchbay" | "service";
  /** The standard input. */
  readonly input?: string;
}

/**
 * Runs the command line in this process, which is five times as fast as a program's start, with the module for data folders
 * from its source. The keychain is that of this process.
 */
export async function runHere(
  args: readonly string[],
  { env = {}, program = "service", input = "" }: RunHere = {},
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runProgram({
    args,
    env,
    program,
    stdout: { write: (text) => void out.push(text), isTTY: false, columns: 80 },
    stderr: { write: (text) => void err.push(text) },
    stdin: () => Readable.from(input === "" ? [] : [Buffer.from(input)]),
    loadModule: () => import("../../main/entry/local.ts"),
  });
  return { code, out: out.join(""), err: err.join("") };
}

/** Runs `patchbay` in this process, outside of Patchbay's shells. */
export function runLocal(...args: readonly string[]): ReturnType<typeof runHere> {
  return runHere(args, { program: "patchbay" });
}
