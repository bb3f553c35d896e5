import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { AgentConnections, type AgentConnection as Connections } from "../../main/system/agent-connections.ts";
import { agentLaunchers } from "../../main/system/agent-launchers.ts";
import { dataFolder } from "../../main/system/folders.ts";
import { HookSigns } from "../../main/system/hook-signs.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import {
  type AgentHooks,
  claudeHooks,
  claudeSettingsFile,
  connectionState,
  geminiHooks,
  geminiSettingsFile,
  planConnect,
  planDisconnect,
  type SettingsChange,
  type SettingsScope,
} from "./agent-settings.ts";
import { claudeHookObstacles } from "./hook-obstacles.ts";
import { opencodeLoader, opencodePluginFile, planPlugin } from "./opencode-plugin-file.ts";

/** Where a command runs: whose settings it changes. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project's folder. */
  readonly cwd: string;
}

/** A change that has not been made yet. */
interface ConnectionChange {
  readonly file: string;
  /** The change in words, for the user to read; undefined where everything is as it should be. */
  readonly shown: string | undefined;
  apply(): void;
}

/** How a kind of agent is connected to Patchbay. */
export interface AgentConnector {
  readonly name: string;
  /** Whether a running agent notices a change, or only one that is started later, or in a shell that is opened later. */
  readonly takesEffect: "at once" | "at the next start" | "in new shells";
  state(scope: SettingsScope, place: Place): { readonly file: string; readonly state: string };
  /** @throws CliError for a file that cannot be changed safely */
  connect(scope: SettingsScope, place: Place, parts: { readonly statusLine: boolean }): ConnectionChange;
  /** @throws CliError as `connect` */
  disconnect(scope: SettingsScope, place: Place): Omit<ConnectionChange, "shown"> & { readonly removes: boolean };
  /** When a hook of the agent last reported; undefined for never. Absent for a kind without hooks. */
  firedAt?(place: Place): Date | undefined;
  /** Why hooks do not fire although they are in the settings, as far as it can be known. */
  obstacles?(place: Place): readonly string[];
}

/** Connects an agent by hooks in its settings. */
function byHooks(
  name: string,
  hooks: AgentHooks,
  {
    fileOf,
    takesEffect,
    note,
    comments = false,
    kind,
    obstacles,
  }: Pick<AgentConnector, "takesEffect" | "obstacles"> & {
    /** The kind of agent, as its hooks report it. */
    readonly kind: string;
    readonly fileOf: (scope: SettingsScope, place: Place) => string;
    /** What is to be known besides the hooks. */
    readonly note?: string;
    /** The agent reads settings with comments. */
    readonly comments?: boolean;
  },
): AgentConnector {
  return {
    name,
    takesEffect,
    state(scope, place) {
      const file = fileOf(scope, place);
      return { file, state: connectionState(file, hooks, comments) };
    },
    connect(scope, place, { statusLine }) {
      const change = planConnect(fileOf(scope, place), { statusLine, hooks, comments });
      const shown = shownChange(change, hooks);
      const apply = () => {
        change.apply();
        if (scope === "user" && takesEffect === "at once") signsOf(place).note(kind, "connected");
      };
      return { ...change, apply, shown: shown === undefined || note === undefined ? shown : `${shown}\n${note}` };
    },
    disconnect(scope, place) {
      const change = planDisconnect(fileOf(scope, place));
      const apply = () => {
        change.apply();
        if (scope === "user" && takesEffect === "at once") signsOf(place).forget(kind, "connected");
      };
      return { ...change, apply, removes: hasChanges(change) };
    },
    firedAt: (place) => signsOf(place).at(kind, "fired"),
    ...(obstacles !== undefined && { obstacles }),
  };
}

function signsOf({ env }: Place): HookSigns {
  return new HookSigns(dataFolder(undefined, env));
}

function shownChange(change: SettingsChange, hooks: AgentHooks): string | undefined {
  const { file, events, statusLine } = change;
  const added = Object.fromEntries(events.map((event) => [event, hooks[event]]));
  const shown = `Adds these hooks to ${file}:\n${JSON.stringify(added, undefined, 2)}`;
  const parts = [
    ...(events.length > 0 ? [shown] : []),
    ...(statusLine === undefined ? [] : [`Sets this status line in ${file}:\n${statusLine}`]),
  ];
  return parts.length === 0 ? undefined : parts.join("\n");
}

function hasChanges({ events, statusLine }: SettingsChange): boolean {
  return events.length > 0 || statusLine !== undefined;
}

/** Codex takes answers from each client of its app server, so nothing is entered into its own settings. */
const codex: AgentConnector = {
  name: "Codex",
  takesEffect: "at once",
  state(scope, place) {
    const { file } = new AgentConnections(dataFolder(undefined, place.env));
    const { list, entry } = codexEntry(scope, place);
    return { file, state: readConnections(place).known[list].includes(entry) ? "connected" : "not connected" };
  },
  connect(scope, place) {
    const { connections, known } = readConnections(place);
    const { list, entry, where } = codexEntry(scope, place);
    const isNew = !known[list].includes(entry);
    const text = `Patchbay connects to the app server of Codex ${where}, shows what it asks in Patchbay's shells, and passes your answers on.`;
    return {
      file: connections.file,
      shown: isNew
        ? `Adds this permission to ${connections.file}:\n${JSON.stringify({ codex: { [list]: [entry] } }, undefined, 2)}\n${text}`
        : undefined,
      apply: () => connections.set("codex", { ...known, [list]: [...known[list], entry] }),
    };
  },
  disconnect(scope, place) {
    const { connections, known } = readConnections(place);
    const { list, entry } = codexEntry(scope, place);
    return {
      file: connections.file,
      removes: known[list].includes(entry),
      apply: () => connections.set("codex", { ...known, [list]: known[list].filter((one) => one !== entry) }),
    };
  },
};

function codexEntry(
  scope: SettingsScope,
  { env, cwd }: Place,
): { readonly list: keyof Connections; readonly entry: string; readonly where: string } {
  if (scope === "project") return { list: "folders", entry: resolve(cwd), where: `in ${resolve(cwd)}` };
  const home = resolve(env.CODEX_HOME || join(env.HOME || homedir(), ".codex"));
  return { list: "homes", entry: home, where: `with the home folder ${home}` };
}

function readConnections({ env }: Place): { readonly connections: AgentConnections; readonly known: Connections } {
  const connections = new AgentConnections(dataFolder(undefined, env));
  try {
    return { connections, known: connections.of("codex") };
  } catch (error) {
    const message = `${connections.file} cannot be read, so nothing was changed: ${String(error)}`;
    throw new CliError(exitCodes.refused, message, { cause: error });
  }
}

/** opencode takes answers by its own HTTP API, which a plugin reaches inside the process: no port is opened for it. */
const opencode: AgentConnector = {
  name: "opencode",
  takesEffect: "at the next start",
  state(scope, place) {
    const { file, state } = planPlugin(opencodePluginFile(scope, place));
    const words = { "as it should be": "connected", changed: "incomplete", missing: "not connected" } as const;
    return { file, state: words[state] };
  },
  connect(scope, place) {
    const { file, state, write } = planPlugin(opencodePluginFile(scope, place));
    const shown = `Adds this plugin as ${file}:\n${opencodeLoader.trimEnd()}`;
    return { file, shown: state === "as it should be" ? undefined : shown, apply: write };
  },
  disconnect(scope, place) {
    const { file, state, remove } = planPlugin(opencodePluginFile(scope, place));
    return { file, removes: state !== "missing", apply: remove };
  },
};

/** The kinds of agents that can be connected. */
export const agentConnectors: Readonly<Record<string, AgentConnector>> = {
  claude: byHooks("Claude Code", claudeHooks, {
    kind: "claude",
    fileOf: claudeSettingsFile,
    takesEffect: "at once",
    obstacles: claudeHookObstacles,
  }),
  codex,
  gemini: byHooks("Gemini CLI", geminiHooks, {
    kind: "gemini",
    fileOf: geminiSettingsFile,
    takesEffect: "at the next start",
    comments: true,
  }),
  opencode,
};

/**
 * The kinds of agents that can be connected for single runs: in Patchbay's shells they are started with the hooks, and
 * their own settings stay as they are. The scope means nothing here.
 */
export const perRunConnectors: Readonly<Record<string, AgentConnector>> = {
  claude: byHooks("Claude Code", claudeHooks, {
    kind: "claude",
    fileOf: (_scope, { env }) => agentLaunchers(dataFolder(undefined, env)).claudeSettings,
    takesEffect: "in new shells",
    note: "In Patchbay's shells, a launcher that comes first in PATH starts `claude` with `--settings` and this file. Claude Code's own settings stay as they are.",
  }),
};
