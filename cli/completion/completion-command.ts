import { exitCodes, usageError } from "../parse/exit-codes.ts";
import type { Io } from "../render/io.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { completionModel } from "./model.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `service completion bash|zsh|fish`: prints the script that makes that shell complete both names of the program. */
export async function completionCommand(io: Io, words: readonly string[]): Promise<number> {
  const [shell = ""] = words;
  if (words.includes("--help") || words.includes("-h")) {
    io.stdout.write(help(io.program));
    return exitCodes.ok;
  }
  if (words.length !== 1 || !Object.hasOwn(scripts, shell)) {
    throw usageError(`completion: expected one of bash, zsh, fish, got ${JSON.stringify(words.join(" "))}.`);
  }
  io.stdout.write(scripts[shell as keyof typeof scripts](completionModel()));
  return exitCodes.ok;
}

function help(program: string): string {
  return `Usage: ${program} completion <bash|zsh|fish>

Prints the completion script of a shell, for its start-up file.

Examples:
  source <(${program} completion bash)
  source <(${program} completion zsh)
  ${program} completion fish | source
`;
}
