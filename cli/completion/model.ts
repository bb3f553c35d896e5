import type { Command } from "commander";
import { auditOptions } from "../commands/audit.ts";
import { doctorOptions } from "../commands/doctor.ts";
import { eventsOptions } from "../commands/events.ts";
import { loginOptions } from "../commands/login.ts";
import { logoutOptions } from "../commands/logout.ts";
import { pluginActions, pluginsOptions } from "../commands/plugins.ts";
import { sessionActions, sessionsOptions } from "../commands/sessions.ts";
import { shellHostActions, shellHostOptions } from "../commands/shell-host.ts";
import { statusOptions } from "../commands/status.ts";
import { tokenOptions } from "../commands/token.ts";
import type { CommandRow } from "../parse/command-row.ts";
import { allCommands } from "../parse/command-table.ts";
import { parserOf } from "../parse/parse-command.ts";
import { eventsSummary, ownWords } from "../parse/words.ts";

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
    sessions: sessionsOptions(""),
    plugins: pluginsOptions(""),
    status: statusOptions(""),
    doctor: doctorOptions(""),
    login: loginOptions(""),
    logout: logoutOptions(""),
    token: tokenOptions(""),
    audit: auditOptions(""),
    "shell-host": shellHostOptions(""),
  };
  const places: Readonly<Record<string, string[][]>> = {
    sessions: [Object.keys(sessionActions)],
    plugins: [Object.keys(pluginActions)],
    "shell-host": [Object.keys(shellHostActions)],
    completion: [["bash", "zsh", "fish"]],
  };
  const words = Object.entries(ownWords).map(([word, { summary }]) => ({
    word,
    description: summary,
    options: optionsOf(parsers[word]),
    places: places[word] ?? [],
  }));
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
