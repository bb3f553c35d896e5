import type { Command } from "commander";
import { acpAgentType, acpPrograms, isAcpKind } from "../../core/protocol/acp-agents.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import type { Io } from "../render/io.ts";

/** The kinds of agents that are known. */
export const acpKinds = Object.keys(acpPrograms);

/** `patchbay acp <kind>` or `acp -- <command>`: speaks with an agent in this terminal. Returns the exit code. */
export async function acpCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = acpParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { kind, program } = withUsage(command, () => agentWords(command.args, words, "acp"));
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new CliError(exitCodes.refused, "acp: needs a terminal: start it in a shell, or use `agents start --acp`.");
  }
  const { findAgent, runInTerminal } = await import("../acp/run-in-terminal.ts");
  return runInTerminal(findAgent(kind, program, io.env), acpAgentType(kind), io.env);
}

export function acpParser(program: string): Command {
  return wordParser(program, "acp", {
    description: `Speaks the Agent Client Protocol with an agent, in this terminal: prints what it writes, its tool calls and changes, sends your prompts, and shows what it asks. In a Patchbay shell its questions are listed there too. Escape stops the turn, Shift+Tab changes the mode, Ctrl-D ends the agent. Kinds: ${acpKinds.join(", ")}.`,
    usage: "<kind> | -- <command> [arguments]",
    examples: ["acp gemini", "acp -- my-agent --acp"],
  }).argument("[words...]");
}

/**
 * Returns the kind of an agent, or its command after `--`.
 *
 * @throws CliError for neither, both, and a kind that is not known
 */
export function agentWords(
  args: readonly string[],
  words: readonly string[],
  name: string,
): { readonly kind: string | undefined; readonly program: readonly string[] } {
  const dashes = words.indexOf("--");
  const program = dashes < 0 ? [] : words.slice(dashes + 1);
  const [kind, ...more] = args.slice(0, args.length - program.length);
  if (kind === undefined && program.length > 0 && program[0] !== "") return { kind, program };
  if (kind === undefined) throw usageError(`${name}: expected the kind of an agent, or -- and its command.`);
  if (!isAcpKind(kind)) {
    throw usageError(
      `${name}: expected one of ${acpKinds.join(", ")}, or -- and a command, got ${JSON.stringify(kind)}.`,
    );
  }
  const extra = more[0] ?? program[0];
  if (extra !== undefined) throw usageError(`${name}: unexpected argument ${JSON.stringify(extra)}.`);
  return { kind, program };
}
