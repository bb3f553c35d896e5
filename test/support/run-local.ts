import { runProgram } from "../../cli/program.ts";

/** Runs `patchbay` in this process, outside of Patchbay's shells, with the module for data folders from its source. */
export async function runLocal(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runProgram({
    args,
    env: {},
    program: "patchbay",
    stdout: { write: (text) => void out.push(text), isTTY: false, columns: 80 },
    stderr: { write: (text) => void err.push(text) },
    loadModule: () => import("../../main/entry/local.ts"),
  });
  return { code, out: out.join(""), err: err.join("") };
}
