import type { Command } from "commander";
import { auditOptions } from "../commands/audit.ts";
import { doctorOptions } from "../commands/doctor.ts";
import { eventsOptions } from "../commands/events.ts";
import { loginOptions } from "../commands/login.ts";
import { logoutOptions } from "../commands/logout.ts";
import { operationOptions } from "../commands/operation.ts";
import { pluginActions, pluginsOptions } from "../commands/plugins.ts";
import { statusOptions } from "../commands/status.ts";
import { tokenOptions } from "../commands/token.ts";
import type { CommandRow } from "../parse/command-row.ts";
import { allCommands } from "../parse/command-table.ts";
import { parserOf } from "../parse/parse-command.ts";
import { eventsSummary, firstWords, operationsOf } from "../parse/words.ts";

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
  readonly places: readonly (readonly string[])[];
}

export interface CompletionModel {
  readonly words: readonly CompletedWord[];
  /** Those after `func`. */
  readonly commands: readonly CompletedWord[];
}

/** What every completion script offers, taken from the parsers themselves. */
export function completionModel(): CompletionModel {
  const parsers: Readonly<Record<string, Command>> = {
    plugins: pluginsOptions(""),
    status: statusOptions(""),
    doctor: doctorOptions(""),
    login: loginOptions(""),
    logout: logoutOptions(""),
    token: tokenOptions(""),
    audit: auditOptions(""),
  };
  const places: Readonly<Record<string, string[][]>> = {
    plugins: [Object.keys(pluginActions)],
    completion: [["bash", "zsh", "fish"]],
  };
  const words = Object.entries(firstWords()).map(([word, description]) => {
    const operations = operationsOf(word);
    const actions = operations.flatMap(({ cli }) => cli.action ?? []);
    return {
      word,
      description,
      options: optionsOf(operations.length > 0 ? operationOptions(word, "") : parsers[word]),
      places: places[word] ?? (actions.length === 0 ? [] : [actions]),
    };
  });
  const events = {
    word: "events",
    description: eventsSummary,
    options: optionsOf(eventsOptions("")),
    places: [],
  };
  return { words, commands: [...allCommands().map(wordOf), events] };
}

function wordOf(row: CommandRow): CompletedWord {
  const places = row.params.filter((param) => param.byPosition).map((param) => param.choices ?? []);
  return {
    word: row.name,
    description: row.summary,
    options: optionsOf(parserOf(row, "")),
    places: row.clientArg === undefined ? places : [[], ...places],
  };
}

function optionsOf(command: Command | undefined): CompletedOption[] {
  const options = command?.options ?? [];
  return options.map((option) => ({
    flag: option.long ?? option.flags,
    description: option.description,
    takesValue: option.required,
    choices: option.argChoices ?? [],
  }));
}
