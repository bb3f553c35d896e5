import { allCommands } from "../parse/command-table.ts";
import { exitCodes } from "../parse/exit-codes.ts";
import { eventsSummary, firstWords } from "../parse/words.ts";
import { areaTitles } from "./area-titles.ts";

/** Help of the program itself. */
export function programHelp(program: string): string {
  const rows = Object.entries(firstWords());
  return `Usage: ${program} <command> [args] [options]

Controls live terminal sessions of Patchbay.

Commands:
${aligned(rows)}

Options:
  -h, --help     show help, at every level
  -V, --version  show the version

Examples:
  ${program} func create-shell --command 'npm test'
  ${program} func run --wait 'make -j2'
  ${program} func show-tree
  ${program} sessions

Exit codes: ${exitCodeList()}
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
    return `${title}:\n${aligned(rows, width)}`;
  });
  return `Usage: ${program} func <command> [args] [options]

Sends a command to a live session. Inside a Patchbay shell it needs no options; elsewhere the running relay, its
default session and the key in the keychain are used, or those that the options name.

${areas.join("\n\n")}

Events:
${aligned([["events", eventsSummary]], width)}

Options and examples of one command: ${program} func <command> --help
`;
}

function exitCodeList(): string {
  const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
    ok: "done",
    refused: "refused by the service",
    usage: "usage",
    authentication: "authentication",
    noClient: "no client connected",
    unreachable: "relay not reachable",
  };
  const list = Object.entries(meanings).map(([name, text]) => `${exitCodes[name as keyof typeof exitCodes]} ${text}`);
  return `${list.join(", ")}.`;
}

function aligned(rows: readonly (readonly [string, string])[], width = 0): string {
  const wide = Math.max(width, ...rows.map(([word]) => word.length));
  return rows.map(([word, text]) => `  ${word.padEnd(wide)}  ${text}`).join("\n");
}
