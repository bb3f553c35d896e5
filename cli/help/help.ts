import { allCommands } from "../parse/command-table.ts";
import { exitCodeMeanings } from "../parse/exit-codes.ts";
import { alignedLines } from "../parse/word-parser.ts";
import { eventsSummary, firstWords } from "../parse/words.ts";
import { areaTitles } from "./area-titles.ts";

/** Help of the program itself. */
export function programHelp(program: string): string {
  const rows = Object.entries(firstWords());
  return `Usage: ${program} <command> [args] [options]

Controls live terminal sessions of Patchbay.

Commands:
${alignedLines(rows)}

Options:
  -h, --help     show help, at every level
  -V, --version  show the version

Examples:
  ${program} func create-shell --command 'npm test'
  ${program} func run --wait --tile 2 'make -j2'
  ${program} func show-tree
  ${program} sessions

Exit codes:
${alignedLines(exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]))}
`;
}

/** Help of `func`: every command, by area. */
export function funcHelp(program: string): string {
  const commands = allCommands();
  const width = Math.max(...commands.map(({ name }) => name.length));
  const areas = Object.entries(areaTitles).map(([area, title]) => {
    const rows = commands
      .filter((row) => row.area === area)
      .map(({ name, summary }): [string, string] => [name, summary]);
    return `${title}:\n${alignedLines(rows, width)}`;
  });
  return `Usage: ${program} func <command> [args] [options]

Sends a command to a live session. Inside a Patchbay shell it needs no options; elsewhere the running relay, its
default session and the key in the keychain are used, or those that the options name.

${areas.join("\n\n")}

Events:
${alignedLines([["events", eventsSummary]], width)}

Options and examples of one command: ${program} func <command> --help
`;
}
