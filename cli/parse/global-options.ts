import { type Command, Option } from "commander";
import { usageError } from "./exit-codes.ts";
import { parseNumber } from "./parse-number.ts";

/** What every command that talks to a relay takes beside its own options. */
export interface Globals {
  readonly session?: string;
  readonly client?: number | "desktop";
  readonly token?: string;
  readonly url?: string;
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
  /** Of commands of `func` only: other words print no results of that kind. */
  readonly results?: true;
}

/** In the order of the help. */
export const globalOptions: readonly GlobalOption[] = [
  { name: "session", flags: "--session <name>", description: "session by name or id; default: SERVICE_SESSION" },
  {
    name: "client",
    flags: "--client <id>",
    description: "executing client, see list-users, or the word desktop; default: SERVICE_CLIENT",
    parse: (text) => parseClient(text, "--client"),
  },
  { name: "token", flags: "--token <api_key>", description: "API key; default: SERVICE_TOKEN, else the keychain's" },
  {
    name: "url",
    flags: "--url <address>",
    description: "address of the relay; default: SERVICE_URL, else the running one",
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
    parse: (text) => parseNumber(text, "--timeout"),
  },
];

const HELP_GROUP = "Options of every command (also before its name):";

/** How many words at the beginning are options of every command and their values. */
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

/** Adds the options to a command, but those whose names its own parameters take. */
export function addGlobals(
  command: Command,
  { except = [], results = false }: { except?: readonly string[]; results?: boolean } = {},
): Command {
  for (const { name, flags, description, parse, results: ofResults = false } of globalOptions) {
    if (except.includes(name) || (ofResults && !results)) continue;
    const option = new Option(flags, description).helpGroup(HELP_GROUP);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  }
  // Else the option for help stands alone, below these.
  return command.addHelpOption(new Option("-h, --help", "show this help").helpGroup(HELP_GROUP));
}

/** `desktop`, or an id. The relay judges the number. */
export function parseClient(text: string, what: string): number | "desktop" {
  if (text === "desktop") return text;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw usageError(`${what}: expected the id of a client or the word desktop, got ${JSON.stringify(text)}.`);
}
