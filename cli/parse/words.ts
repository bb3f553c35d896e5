import type { OperationRow } from "./operation-row.ts";
import { allOperations } from "./operation-table.ts";

/** The first words that the program knows as its own, with what they do; `where` says who carries them out. */
export const ownWords = {
  func: { summary: "send a command to a live session: `func --help` lists them", where: "here" },
  plugins: { summary: "list, allow and remove plugins", where: "here" },
  login: { summary: "get an API key, and keep it in the keychain", where: "here" },
  logout: { summary: "end that key", where: "here" },
  status: { summary: "which relay and key are used, as whom, and whether that works", where: "here" },
  audit: { summary: "who did what: every authentication and every changing call", where: "here" },
  doctor: { summary: "look at all that Patchbay needs here, and say what to do", where: "here" },
  completion: { summary: "completion script for bash, zsh or fish", where: "here" },
  help: { summary: "this text, or that of a word", where: "here" },
  serve: { summary: "run the relay without the desktop app", where: "serve" },
  approve: { summary: "let a program in that waits with a code", where: "local" },
  keys: { summary: "make, list and revoke API keys, whole or restricted", where: "local" },
  token: { summary: "get a bearer token, for installing plugins", where: "here" },
} as const satisfies Record<string, { summary: string; where: "here" | "serve" | "local" }>;

export type OwnWord = keyof typeof ownWords;

type CliOperationRow = OperationRow & { readonly cli: NonNullable<OperationRow["cli"]> };

/** The operations that a word of the command line stands for; none for any other word. */
export function operationsOf(word: string): CliOperationRow[] {
  return allOperations().filter((row): row is CliOperationRow => row.cli?.word === word);
}

/** Every first word with what it does: the program's own, and those of operations. */
export function firstWords(): Readonly<Record<string, string>> {
  const words = new Set(allOperations().flatMap(({ cli }) => cli?.word ?? []));
  const { func, ...own } = ownWords;
  return {
    func: func.summary,
    ...Object.fromEntries([...words].map((word) => [word, wordSummary(word)])),
    ...Object.fromEntries(Object.entries(own).map(([word, { summary }]) => [word, summary])),
  };
}

/** `list, create, rename and close sessions`, or the summary of the only operation. */
function wordSummary(word: string): string {
  const rows = operationsOf(word);
  const actions = rows.flatMap(({ cli }) => cli.action ?? []);
  const last = actions.pop();
  if (last === undefined) return lowered(rows[0]?.summary ?? "");
  return actions.length === 0 ? `${last} ${word}` : `${actions.join(", ")} and ${last} ${word}`;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export function isOwnWord(word: string): word is OwnWord {
  return Object.hasOwn(ownWords, word);
}

/** Summary of `func events`, which is no command. */
export const eventsSummary = "Events of the session as they come, or those that are kept";
