import { didYouMeanOneOf, suggestNames } from "../../core/protocol/suggest-names.ts";
import { allCommands } from "./command-table.ts";
import { allOperations } from "./operation-table.ts";
import { builtInWords } from "./words.ts";

/** Returns the known command lines that a word may stand for, without the program's name. */
export function suggestLines(word: string): readonly string[] {
  const commands = allCommands().flatMap(({ name, method }) =>
    [name, method].map((one) => [one, `func ${name}`] as const),
  );
  const operations = allOperations().flatMap(({ name, cli }) => {
    if (cli === undefined) return [];
    const line = cli.action === undefined ? cli.word : `${cli.word} ${cli.action}`;
    return [name, cli.word, line].map((one) => [one, one === cli.word ? cli.word : line] as const);
  });
  const words = Object.keys(builtInWords).map((one) => [one, one] as const);
  return suggestNames(word, [...commands, ...operations, ...words]);
}

/**
 * Returns the line of Patchbay that an unknown service of the operating system may stand for; "" for a word that is only
 * similar to one, because that may be a service.
 */
export function hintForService(program: string, word: string): string {
  const isLikely = suggestLines(word).some((line) => line.replace(/^func /, "").startsWith(word));
  return isLikely ? `${program}: as a command of Patchbay:${didYouMeanLine(program, word)}\n` : "";
}

/** Returns ` Did you mean \`service func run\`?` with a leading space, or "". */
export function didYouMeanLine(program: string, word: string): string {
  return didYouMeanOneOf(suggestLines(word).map((line) => `\`${program} ${line}\``));
}
