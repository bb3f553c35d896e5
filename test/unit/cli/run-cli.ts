import { runProgram } from "../../../cli/program.ts";
import type { Io } from "../../../cli/render/io.ts";

export interface Ran {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs the program in this process, in an environment of the test's own. */
export async function runCli(
  args: readonly string[],
  {
    env = {},
    isTTY = false,
    program = "patchbay",
    columns = 100,
    loadModule,
    stdin,
    ask,
  }: Partial<Pick<Io, "env" | "program" | "loadModule" | "stdin" | "ask">> & { isTTY?: boolean; columns?: number } = {},
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runProgram({
    args,
    env,
    program,
    ...(loadModule === undefined ? {} : { loadModule }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(ask === undefined ? {} : { ask }),
    stdout: { write: (text) => void out.push(text), isTTY, columns },
    stderr: { write: (text) => void err.push(text) },
  });
  return { code, out: out.join(""), err: err.join("") };
}
