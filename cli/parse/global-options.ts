import { type Command, Option } from "commander";
import { MAX_COMMAND_TIMEOUT_MS } from "../../core/protocol/limits.ts";
import { usageError } from "./exit-codes.ts";
import { parseNumber } from "./parse-number.ts";

const MOST_SECONDS = MAX_COMMAND_TIMEOUT_MS / 1000;

/** The options of every command that calls a relay. */
export interface Globals {
  readonly session?: string;
  readonly client?: number | "desktop" | "all";
  readonly token?: string;
  readonly url?: string;
  /** Name of a remote. */
  readonly on?: string;
  /** Data folder of the relay, when it is not the user's default one. */
  readonly data?: string;
  readonly json?: boolean;
  /** How to print each record of a result. */
  readonly format?: string;
  /** Seconds. */
  readonly timeout?: number;
}

interface GlobalOption {
  readonly name: keyof Globals;
  readonly flags: string;
  readonly description: string;
  readonly parse?: (text: string) => unknown;
  /** Only for commands of `func`: other words print no such results. */
  readonly results?: true;
}

/** What help says of the places that `--token` reads a key from. */
export const TOKEN_INPUT = "; - reads it from the standard input, @FILE from a file";

/** In the order of the help. */
export const globalOptions: readonly GlobalOption[] = [
  { name: "session", flags: "--session <name>", description: "session by name or id; default: SERVICE_SESSION" },
  {
    name: "client",
    flags: "--client <id>",
    description:
      "executing client, see list-users, or the word desktop; for notify and toast also all, every client of yours; default: SERVICE_CLIENT",
    parse: (text) => parseClient(text, "--client"),
  },
  {
    name: "token",
    flags: "--token <api_key>",
    description: `API key${TOKEN_INPUT}; default: SERVICE_TOKEN, else the keychain's`,
  },
  {
    name: "url",
    flags: "--url <address>",
    description: "address of the relay; default: SERVICE_URL, else the running one",
  },
  {
    name: "on",
    flags: "--on <remote>",
    description: "another machine, see remotes; local is this one; default: SERVICE_ON, else this machine",
  },
  { name: "data", flags: "--data <folder>", description: "data folder of the relay; default: PATCHBAY_DATA" },
  { name: "json", flags: "--json", description: "print the result as JSON, also on a terminal" },
  {
    name: "format",
    flags: "--format <template>",
    description: "print each record of the result as a line of its own, for example '{id}\\t{title}'",
    results: true,
  },
  {
    name: "timeout",
    flags: "--timeout <seconds>",
    description: "how long the service may take, up to 60; default: 10",
    parse: parseTimeout,
  },
];

const HELP_GROUP = "Options of every command (also before its name):";

/** Counts the words at the beginning that are options of every command and their values. */
export function globalsBefore(words: readonly string[]): number {
  let index = 0;
  while (index < words.length) {
    const [flag = "", value] = (words[index] ?? "").split(/=(.*)/s, 2);
    const option = globalOptions.find(({ name }) => flag === `--${name}`);
    if (option === undefined) break;
    index += option.flags.includes("<") && value === undefined ? 2 : 1;
  }
  return index;
}

/** Adds the options to a command, except those in `except`, such as names of its own parameters. */
export function addGlobals(
  command: Command,
  { except = [], results = false }: { except?: readonly string[]; results?: boolean } = {},
): Command {
  for (const { name, flags, description, parse, results: ofResults = false } of globalOptions) {
    if (except.includes(name) || (ofResults && !results)) continue;
    const option = new Option(flags, description).helpGroup(HELP_GROUP);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  }
  // Without this, the help option has a group of its own below these.
  return command.addHelpOption(new Option("-h, --help", "show this help").helpGroup(HELP_GROUP));
}

/** `--all` of the words that ask every machine. */
export const allMachinesOption = () => new Option("--all", "of this machine and of every remote, by machine");

/** Checks that `--all` stands without options that choose one relay. @throws CliError */
export function checkAllMachines(globals: Globals): void {
  const names = ["on", "url", "token", "session", "client", "timeout", "format"] as const;
  const given = names.find((name) => globals[name] !== undefined);
  if (given !== undefined) throw usageError(`--all asks every machine: leave --${given} out.`);
}

function parseTimeout(text: string): number {
  const seconds = parseNumber(text, "--timeout");
  if (seconds > 0 && seconds <= MOST_SECONDS) return seconds;
  throw usageError(`--timeout: expected seconds, above 0 and up to ${MOST_SECONDS}, got ${text}.`);
}

/** Parses `desktop`, `all` or an id; the relay checks the id. */
export function parseClient(text: string, what: string): number | "desktop" | "all" {
  if (text === "desktop" || text === "all") return text;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw usageError(`${what}: expected the id of a client or the word desktop or all, got ${JSON.stringify(text)}.`);
}
