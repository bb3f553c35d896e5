import type { OperationRow } from "./command-row.ts";
import { allOperations } from "./operation-table.ts";

/** The first words that are no operations, with what they do. */
export const builtInWords = {
  func: "send a command to a live session: `func --help` lists them",
  agents: "list the agents of a session, or of every machine, start them, and connect them by their hooks",
  acp: "speak with an agent by the Agent Client Protocol, in this terminal",
  mcp: "give programs that speak the Model Context Protocol the relay's commands as tools",
  skill: "print or install the text that teaches an agent this command line",
  events: "print the events of a session, or of every machine",
  remotes: "add and remove relays of other machines, and show how they fare",
  fleet: "show the fleet that the relay is in, and write the files of one",
  plugins: "list, allow and remove plugins",
  login: "get an API key, and keep it in the keychain",
  logout: "revoke that key, and remove it from the keychain",
  status: "show which relay and key are used, as whom, and whether that works",
  audit: "show who did what: every authentication and every changing call",
  doctor: "check everything that Patchbay needs on this machine",
  completion: "print the completion script for bash, zsh or fish",
  help: "show this help, that of a word, or `help recipes`",
  serve: "run the relay without the desktop app",
  approve: "allow or deny a program that waits for a login",
  keys: "create, list and revoke API keys, whole or restricted",
  token: "get a bearer token, for installing plugins",
} as const satisfies Record<string, string>;

export type BuiltInWord = keyof typeof builtInWords;

/** An operation that the command line offers. */
export type CliOperationRow = OperationRow & { readonly cli: NonNullable<OperationRow["cli"]> };

/** Returns the operations behind a word of the command line; none for any other word. */
export function operationsOf(word: string): CliOperationRow[] {
  return allOperations().filter((row): row is CliOperationRow => row.cli?.word === word);
}

/** Returns every first word with its summary: the built-in ones, and those of operations. */
export function firstWords(): Readonly<Record<string, string>> {
  const words = new Set(allOperations().flatMap(({ cli }) => cli?.word ?? []));
  const { func, ...others } = builtInWords;
  return { func, ...Object.fromEntries([...words].map((word) => [word, wordSummary(word)])), ...others };
}

/** Returns what a word does: `list, create, rename and close sessions`, or the summary of its only operation. */
export function wordSummary(word: string): string {
  const rows = operationsOf(word);
  const summary = rows.find(({ cli }) => cli.wordSummary !== undefined)?.cli.wordSummary;
  if (summary !== undefined) return summary;
  const actions = rows.flatMap(({ cli }) => cli.action ?? []);
  const last = actions.pop();
  if (last === undefined) return uncapitalized(rows[0]?.summary ?? "");
  return actions.length === 0 ? `${last} ${word}` : `${actions.join(", ")} and ${last} ${word}`;
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export function isBuiltInWord(word: string): word is BuiltInWord {
  return Object.hasOwn(builtInWords, word);
}

/** Summary of `func events`, which is no command. */
export const eventsSummary = "Print the kept events of the session, or new ones as they occur";
