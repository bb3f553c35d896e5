import { Command } from "commander";
import { exitCodes, usageError } from "./exit-codes.ts";
import { parseWith } from "./parse-command.ts";

/** What the help of a word of the command line says. */
interface WordHelp {
  readonly description: string;
  /** What follows the word, such as `[action] [options]`; default: `[options]`. */
  readonly usage?: string;
  /** Each action with its arguments, and what it does. */
  readonly actions?: readonly (readonly [usage: string, summary: string])[];
  /** Examples without the program's name. */
  readonly examples: readonly string[];
}

/** Returns the parser of a word, with the layout of help that all words share. Words after an action are arguments. */
export function wordParser(
  program: string,
  word: string,
  { description, usage = "[options]", actions = [], examples }: WordHelp,
): Command {
  const listed = actions.length === 0 ? "" : `\n\nActions:\n${alignedLines(actions)}`;
  const command = new Command(word)
    .description(description + listed)
    .usage(`${program} ${word} ${usage}`)
    .helpOption("-h, --help", "show this help")
    .configureHelp({
      // The usage is complete; commander would put the name before it.
      commandUsage: (shown) => shown.usage(),
      ...(actions.length === 0 ? {} : { visibleArguments: () => [] }),
    });
  if (actions.length > 0) command.argument("[words...]");
  const lines = examples.map((example) => `  ${program} ${example}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/**
 * Parses the words after a word of the command line. Returns true, having printed the help, where that was asked for.
 *
 * @throws CliError with the usage, for an invalid command line
 */
export function printsHelp(
  io: { readonly stdout: { write(text: string): void } },
  command: Command,
  words: readonly string[],
): boolean {
  const help = withUsage(command, () => parseWith(command, words));
  if (help === undefined) return false;
  io.stdout.write(help);
  return true;
}

/** Runs `act`; a usage error that it throws gets the command's usage added. */
export function withUsage<T>(command: Command, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Error && "exitCode" in error && error.exitCode === exitCodes.usage)) throw error;
    throw usageError(`${error.message.replace(/[^.?]$/, "$&.")} Usage: ${command.usage()}`);
  }
}

export const installActions = ["install", "remove"] as const;

/** Reads `install KIND` or `remove KIND` after a word. @throws CliError with the usage, for anything else */
export function installAction<T>(command: Command, kinds: Readonly<Record<string, T>>) {
  return withUsage(command, () => {
    const [wanted, kind = "", ...more] = command.args;
    const action = installActions.find((known) => known === wanted);
    if (action === undefined) {
      throw usageError(`${command.name()}: expected install or remove, got ${JSON.stringify(wanted)}.`);
    }
    const chosen = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (chosen === undefined || more.length > 0) {
      throw usageError(`${command.name()} ${action}: expected one of ${Object.keys(kinds).join(", ")}.`);
    }
    return { action, kind, chosen };
  });
}

/** Two columns, indented by two spaces. */
export function alignedLines(rows: readonly (readonly [string, string])[], width = 0): string {
  const wide = Math.max(width, ...rows.map(([word]) => word.length));
  return rows.map(([word, text]) => `  ${word.padEnd(wide)}  ${text}`).join("\n");
}
