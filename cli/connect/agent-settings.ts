import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../main/system/write-atomically.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";

/** An agent's settings of a user, or those in one project. */
export type SettingsScope = "user" | "project";

/** A change of a settings file that has not been written yet. */
export interface SettingsChange {
  readonly file: string;
  /** Events whose hooks are added or removed; none where the file is as it should be. */
  readonly events: readonly string[];
  /** The command of the status line that is added or removed; undefined where it stays. */
  readonly statusLine?: string | undefined;
  /** Writes the file. */
  apply(): void;
}

const Handler = z.looseObject({ type: z.string().optional(), command: z.string().optional() });
const Group = z.looseObject({ hooks: z.array(Handler) });
const StatusLine = z.looseObject({ type: z.string().optional(), command: z.string().optional() });
const Settings = z.looseObject({
  hooks: z.record(z.string(), z.array(Group)).optional(),
  statusLine: StatusLine.optional(),
});
type Settings = z.infer<typeof Settings>;
type Groups = z.infer<typeof Group>[];

/** The script that the relay writes into its data folder, which only its shells know. */
const SCRIPT = "$PATCHBAY_DATA/agent-hook";
const command = (agent: "claude" | "gemini", mode: "ask" | "tell" | "note") =>
  `[ ! -f "${SCRIPT}" ] || exec sh "${SCRIPT}" ${agent} ${mode}`;
/** A day, so that a question can be answered for as long as it is open. */
const ASK_SECONDS = 24 * 3600;

/** Hooks by event. */
export type AgentHooks = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Claude Code's hooks (https://code.claude.com/docs/en/settings). Only the question itself waits, beside Claude Code's own dialog; the others run in the background
 * and say what settles a question.
 */
export const claudeHooks: AgentHooks = {
  PermissionRequest: { type: "command", command: command("claude", "ask"), timeout: ASK_SECONDS },
  ...Object.fromEntries(
    ["PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd"].map((event) => [
      event,
      { type: "command", command: command("claude", "tell"), timeout: 10, async: true },
    ]),
  ),
};

/** Reports what the status line is given, and prints it for the program that was the status line before. */
const STATUS = `{ if [ -f "${SCRIPT}" ]; then exec sh "${SCRIPT}" claude status; else exec cat; fi; }`;
const BEFORE_OWN = `${STATUS} | {\n`;
const AFTER_OWN = "\n}";
const WITHOUT_OWN = `${STATUS} >/dev/null`;

/** Gemini CLI's hooks (https://geminicli.com/docs/hooks). It stands still while one runs, so none waits for the relay. */
export const geminiHooks: AgentHooks = Object.fromEntries(
  ["Notification", "AfterTool", "BeforeAgent", "AfterAgent", "SessionEnd"].map((event) => [
    event,
    { type: "command", command: command("gemini", "note"), timeout: 5000 },
  ]),
);

const MOST_BYTES = 4 * 1024 * 1024;

/** Returns the settings file of a scope; `cwd` is the project's folder. */
export function claudeSettingsFile(
  scope: SettingsScope,
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): string {
  if (scope === "project") return join(cwd, ".claude", "settings.local.json");
  return join(env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), ".claude"), "settings.json");
}

/** Returns Gemini CLI's settings file of a scope, as `claudeSettingsFile`. */
export function geminiSettingsFile(
  scope: SettingsScope,
  { env, cwd }: Parameters<typeof claudeSettingsFile>[1],
): string {
  const home = scope === "project" ? cwd : env.GEMINI_CLI_HOME || env.HOME || homedir();
  return join(home, ".gemini", "settings.json");
}

/**
 * Plans the addition of the hooks to a settings file. Everything else in it stays.
 *
 * @param parts.hooks - default: those of Claude Code
 * @param parts.statusLine - reports also what the status line is given; its program stays
 * @throws CliError for a file that cannot be read, is no settings file, is a link or is in a linked folder
 */
export function planConnect(
  file: string,
  {
    statusLine = false,
    hooks: wanted = claudeHooks,
  }: { readonly statusLine?: boolean; readonly hooks?: AgentHooks } = {},
): SettingsChange {
  const before = readSettings(file);
  const hooks = { ...before.settings.hooks };
  const events = Object.entries(wanted).flatMap(([event, handler]) => {
    const kept = withoutOurs(hooks[event] ?? []);
    const next = [...kept, { hooks: [handler] }];
    if (JSON.stringify(hooks[event]) === JSON.stringify(next)) return [];
    hooks[event] = next;
    return [event];
  });
  const settings = { ...before.settings, hooks };
  if (!statusLine || reportsStatus(settings))
    return { file, events, apply: () => writeSettings(file, before, settings) };
  const own = settings.statusLine?.command;
  const command = own === undefined ? WITHOUT_OWN : `${BEFORE_OWN}${own}${AFTER_OWN}`;
  const next = { ...settings, statusLine: { ...settings.statusLine, type: "command", command } };
  return { file, events, statusLine: command, apply: () => writeSettings(file, before, next) };
}

/** Plans the removal of the hooks, and of what only they needed. @throws CliError as `planConnect` */
export function planDisconnect(file: string): SettingsChange {
  const before = readSettings(file);
  const { hooks = {}, ...others } = withoutStatus(before.settings);
  const events = Object.entries(hooks).flatMap(([event, groups]) => (hasOurs(groups) ? [event] : []));
  const left = Object.entries(hooks).flatMap(([event, groups]) => {
    const kept = hasOurs(groups) ? withoutOurs(groups) : groups;
    return kept.length === 0 && groups.length > 0 ? [] : [[event, kept] as const];
  });
  const settings = left.length === 0 ? others : { ...withoutStatus(before.settings), hooks: Object.fromEntries(left) };
  const isEmpty = Object.keys(settings).length === 0;
  return {
    file,
    events,
    statusLine: reportsStatus(before.settings) ? before.settings.statusLine?.command : undefined,
    apply: () => (isEmpty ? rmSync(file, { force: true }) : writeSettings(file, before, settings)),
  };
}

function reportsStatus({ statusLine }: Settings): boolean {
  return statusLine?.command?.startsWith(STATUS) === true;
}

/** Returns the settings with the status line that they had before. */
function withoutStatus(settings: Settings): Settings {
  if (!reportsStatus(settings)) return settings;
  const { statusLine, ...others } = settings;
  const command = statusLine?.command ?? "";
  if (!command.startsWith(BEFORE_OWN) || !command.endsWith(AFTER_OWN)) return others;
  const own = command.slice(BEFORE_OWN.length, -AFTER_OWN.length);
  return { ...settings, statusLine: { ...statusLine, command: own } };
}

/** Returns whether the file has all hooks, some, or none. @throws CliError as `planConnect` */
export function connectionState(
  file: string,
  wanted: AgentHooks = claudeHooks,
): "connected" | "incomplete" | "not connected" {
  if (planConnect(file, { hooks: wanted }).events.length === 0) return "connected";
  return planDisconnect(file).events.length === 0 ? "not connected" : "incomplete";
}

interface ReadSettings {
  readonly settings: Settings;
  /** The file's text; undefined where there is none. */
  readonly text: string | undefined;
  readonly mode: number | undefined;
}

function readSettings(file: string): ReadSettings {
  refuseLink(dirname(file));
  refuseLink(file);
  const read = readRegularFile(file);
  if (read === undefined) return { settings: {}, text: undefined, mode: undefined };
  const settings = parseJson(file, read.text);
  // The value itself, not the parsed copy, whose keys have another order.
  if (isSettings(settings)) return { ...read, settings };
  throw refusal(`${file} has another form than an agent's settings, so nothing was changed.`);
}

function isSettings(value: unknown): value is Settings {
  return Settings.safeParse(value).success;
}

/** Returns the text and mode of a file; undefined where there is none. @throws CliError for anything but a small regular file */
export function readRegularFile(file: string): { text: string; mode: number } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw refusal(`${file} cannot be read, so nothing was changed: ${String(error)}`);
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.size > MOST_BYTES)
      throw refusal(`${file} is no settings file, so nothing was changed.`);
    return { text: readFileSync(descriptor, "utf8"), mode: found.mode & 0o777 };
  } finally {
    closeSync(descriptor);
  }
}

function parseJson(file: string, text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(`${file} is not valid JSON, so nothing was changed: ${String(error)}`);
  }
}

/** A link could lead the change into a file of another program or project. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw refusal(
    `${path} is a symbolic link, so nothing was changed: add the hooks to the file that it leads to yourself.`,
  );
}

/** Writes the settings, unless the file has changed since it was read. */
function writeSettings(file: string, { text, mode }: ReadSettings, settings: Settings): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  refuseLink(dirname(file));
  if (readRegularFile(file)?.text !== text) {
    throw refusal(`${file} was changed by another program meanwhile, so nothing was changed: try again.`);
  }
  const indent = /^[ \t]+(?=")/m.exec(text ?? "")?.[0] ?? "  ";
  writeAtomically(file, `${JSON.stringify(settings, undefined, indent)}\n`, { mode });
}

function withoutOurs(groups: Groups): Groups {
  return groups.flatMap((group) => {
    const hooks = group.hooks.filter((handler) => !isOurs(handler));
    return hooks.length === group.hooks.length ? [group] : hooks.length === 0 ? [] : [{ ...group, hooks }];
  });
}

function hasOurs(groups: Groups): boolean {
  return groups.some(({ hooks }) => hooks.some(isOurs));
}

function isOurs({ command: given }: z.infer<typeof Handler>): boolean {
  return given?.includes(SCRIPT) === true;
}

/** An error for a file that is left as it is. */
export function refusal(message: string): CliError {
  return new CliError(exitCodes.refused, message);
}
