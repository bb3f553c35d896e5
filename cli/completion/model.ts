import type { Command } from "commander";
import { acpKinds, acpParser } from "../commands/acp.ts";
import { agentKinds } from "../commands/agent-hooks.ts";
import { agentActions, agentsParser } from "../commands/all-machines.ts";
import { approveParser } from "../commands/approve.ts";
import { auditActions, auditParser } from "../commands/audit.ts";
import { doctorParser } from "../commands/doctor.ts";
import { eventsParser } from "../commands/events.ts";
import { fleetActions, fleetParser } from "../commands/fleet.ts";
import { keyActions, keysParser } from "../commands/keys.ts";
import { loginParser } from "../commands/login.ts";
import { logoutParser } from "../commands/logout.ts";
import { mcpKinds, mcpParser } from "../commands/mcp.ts";
import { operationParser } from "../commands/operation.ts";
import { pluginActions, pluginsParser } from "../commands/plugins.ts";
import { remoteActions, remotesParser } from "../commands/remotes.ts";
import { skillKinds, skillParser } from "../commands/skill.ts";
import { statusParser } from "../commands/status.ts";
import { tokenParser } from "../commands/token.ts";
import type { CommandRow, ParamRow } from "../parse/command-row.ts";
import { allCommands } from "../parse/command-table.ts";
import { parserOf } from "../parse/parse-command.ts";
import { relayParser } from "../parse/relay-options.ts";
import { installActions } from "../parse/word-parser.ts";
import {
  type BuiltInWord,
  type CliOperationRow,
  eventsSummary,
  firstWords,
  isBuiltInWord,
  operationsOf,
} from "../parse/words.ts";

/** Stands in a list of choices for the names of the user's remotes, which the program itself prints. */
export const REMOTE_NAMES = "$(_patchbay_remotes)";

export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** A word of the command line and what may come after it. */
export interface CompletedWord {
  readonly word: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** The choices of each argument by position. */
  readonly positionals: readonly (readonly string[])[];
}

export interface CompletionModel {
  readonly words: readonly CompletedWord[];
  /** Those after `func`. */
  readonly commands: readonly CompletedWord[];
}

/** Returns the parser of each built-in word; undefined for those without one. */
export function builtInParsers(): Readonly<Record<BuiltInWord, Command | undefined>> {
  return {
    func: undefined,
    help: undefined,
    completion: undefined,
    plugins: pluginsParser(""),
    status: statusParser(""),
    doctor: doctorParser(""),
    login: loginParser(""),
    logout: logoutParser(""),
    token: tokenParser(""),
    keys: keysParser(""),
    approve: approveParser(""),
    serve: relayParser(""),
    audit: auditParser(""),
    agents: agentsParser(""),
    acp: acpParser(""),
    mcp: mcpParser(""),
    skill: skillParser(""),
    events: eventsParser(""),
    remotes: remotesParser(""),
    fleet: fleetParser(""),
  };
}

/** What every completion script offers, taken from the parsers themselves. */
export function completionModel(): CompletionModel {
  const parsers = builtInParsers();
  const positionals: Readonly<Record<string, string[][]>> = {
    agents: [[...agentActions], agentKinds],
    acp: [acpKinds],
    mcp: [[...installActions], mcpKinds],
    skill: [[...installActions], skillKinds],
    plugins: [Object.keys(pluginActions)],
    keys: [keyActions],
    audit: [[...auditActions]],
    fleet: [[...fleetActions]],
    remotes: [[...remoteActions], [REMOTE_NAMES]],
    completion: [["bash", "zsh", "fish"]],
    help: [["recipes", ...Object.keys(firstWords())]],
  };
  const words = Object.entries(firstWords()).map(([word, description]) => ({
    word,
    description,
    options: optionsOf(isBuiltInWord(word) ? parsers[word] : operationParser(word, "")),
    positionals: positionals[word] ?? positionalsOf(operationsOf(word)),
  }));
  const events = {
    word: "events",
    description: eventsSummary,
    options: optionsOf(eventsParser("")),
    positionals: [],
  };
  return { words, commands: [...allCommands().map(commandWord), events] };
}

/** Returns the actions of a word and the choices of their arguments: at each place those that all its actions share. */
function positionalsOf(rows: readonly CliOperationRow[]): (readonly string[])[] {
  const actions = rows.flatMap(({ cli }) => cli.action ?? []);
  const args = rows.map(({ cli }) => cli.params.filter(({ byPosition }) => byPosition));
  const places = Array.from({ length: Math.max(0, ...args.map(({ length }) => length)) }, (_, place) => {
    const [first = [], ...others] = args.flatMap((params) => params.slice(place, place + 1).map(choicesOf));
    return others.every((choices) => choices.join() === first.join()) ? first : [];
  });
  return actions.length === 0 ? places : [actions, ...places];
}

function choicesOf({ choices = [] }: ParamRow): readonly string[] {
  return choices;
}

function commandWord(row: CommandRow): CompletedWord {
  const positionals = row.params.filter((param) => param.byPosition).map(choicesOf);
  return {
    word: row.name,
    description: row.summary,
    options: optionsOf(parserOf(row, "")),
    positionals: row.clientArg === undefined ? positionals : [[], ...positionals],
  };
}

function optionsOf(command: Command | undefined): CompletedOption[] {
  const options = command?.options ?? [];
  return options
    .filter(({ hidden }) => !hidden)
    .map((option) => ({
      flag: option.long ?? option.flags,
      description: option.description,
      takesValue: option.required,
      choices: option.long === "--on" ? [REMOTE_NAMES] : (option.argChoices ?? []),
    }));
}
