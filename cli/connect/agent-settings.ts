import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Node } from "jsonc-parser";
import { z } from "zod";
import { writeAtomically } from "../../main/system/write-atomically.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { append, childrenOf, isBlank, jsonText, propertyOf, removeChild, replace, written } from "./json-text.ts";

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
/** More copies of our hooks would keep the editor busy: it removes one at a time. */
const MOST_COPIES = 100;

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
 * Plans the addition of the hooks to a settings file. Every other byte of it stays.
 *
 * @param parts.hooks - default: those of Claude Code
 * @param parts.statusLine - reports also what the status line is given; its program stays
 * @param parts.comments - whether the agent itself reads settings with comments
 * @throws CliError for a file that cannot be read, is no settings file, is a link or is in a linked folder
 */
export function planConnect(
  file: string,
  {
    statusLine = false,
    hooks: wanted = claudeHooks,
    comments = false,
  }: { readonly statusLine?: boolean; readonly hooks?: AgentHooks; readonly comments?: boolean } = {},
): SettingsChange {
  const before = readSettings(file, comments);
  let { text } = before;
  const events = Object.entries(wanted).flatMap(([event, handler]) => {
    const groups = before.settings.hooks?.[event];
    const next = [...withoutOurs(groups ?? []), { hooks: [handler] }];
    if (JSON.stringify(groups) === JSON.stringify(next)) return [];
    text = withHook(text, event, handler);
    return [event];
  });
  if (!statusLine || reportsStatus(before.settings))
    return { file, events, apply: () => writeSettings(file, before, text) };
  const { text: next, command } = withStatus(file, text, before.settings);
  return { file, events, statusLine: command, apply: () => writeSettings(file, before, next) };
}

/** Plans the removal of the hooks, and of what only they needed: the bytes from before them. @throws CliError as `planConnect` */
export function planDisconnect(file: string): SettingsChange {
  const before = readSettings(file, true);
  const events = Object.entries(before.settings.hooks ?? {}).flatMap(([event, groups]) =>
    hasOurs(groups) ? [event] : [],
  );
  const own = before.settings.statusLine?.command;
  return {
    file,
    events,
    statusLine: reportsStatus(before.settings) ? own : undefined,
    apply: () => writeSettings(file, before, withoutHooks(withoutStatus(before))),
  };
}

/** Returns the text with our hook at an event, in the place of an older one. */
function withHook(text: string | undefined, event: string, handler: unknown): string {
  const group = { hooks: [handler] };
  const document = text === undefined ? undefined : jsonText(text);
  const hooks = propertyOf(document?.root, "hooks");
  if (document === undefined || hooks === undefined)
    return append(document, document?.root, { name: "hooks", value: { [event]: [group] } });
  const groups = propertyOf(hooks, event);
  if (groups === undefined) return append(document, hooks, { name: event, value: [group] });
  const last = childrenOf(groups).at(-1);
  const older = oursIn(groups);
  const [first] = older;
  if (first === undefined) return append(document, groups, { value: group });
  if (first === last && older.length === 1) return replace(document, first, written(document, first, group));
  return withHook(removeChild(document, first, groups), event, handler);
}

/** Returns the text without our hooks; undefined where the file is no longer needed. */
function withoutHooks(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const document = jsonText(text);
  const events = childrenOf(propertyOf(document.root, "hooks"));
  // From the end, as `withHook` appended them: the containers that it wrote become empty last.
  const last = events.flatMap(({ children: [, groups] = [] }) => oursIn(groups)).at(-1);
  return last === undefined ? text : withoutHooks(removeChild(document, last));
}

/** Returns our hooks in an event's groups: whole groups, where they have no other hook. */
function oursIn(groups: Node | undefined): readonly Node[] {
  return childrenOf(groups).flatMap((group) => {
    const handlers = childrenOf(propertyOf(group, "hooks"));
    const ours = handlers.filter((handler) => isOurs({ command: stringOf(propertyOf(handler, "command")) }));
    return ours.length > 0 && ours.length === handlers.length ? [group] : ours;
  });
}

function stringOf(node: Node | undefined): string | undefined {
  const value: unknown = node?.value;
  return typeof value === "string" ? value : undefined;
}

function reportsStatus({ statusLine }: Settings): boolean {
  return statusLine?.command?.startsWith(STATUS) === true;
}

/** Returns the text with a status line that reports, and its command. @throws CliError for one of another form */
function withStatus(file: string, text: string | undefined, settings: Settings): { text: string; command: string } {
  const document = text === undefined ? undefined : jsonText(text);
  if (settings.statusLine === undefined) {
    const value = { type: "command", command: WITHOUT_OWN };
    return { text: append(document, document?.root, { name: "statusLine", value }), command: WITHOUT_OWN };
  }
  const own = propertyOf(propertyOf(document?.root, "statusLine"), "command");
  const { type, command } = settings.statusLine;
  if (document === undefined || own === undefined || type !== "command" || command === undefined) {
    throw refusal(`${file} has a status line that runs no command, so nothing was changed: remove it, or complete it.`);
  }
  // Around what is written there: it may have escapes that another writer would write as characters.
  const literal = document.text.slice(own.offset + 1, own.offset + own.length - 1);
  const around = `"${escaped(BEFORE_OWN)}${literal}${escaped(AFTER_OWN)}"`;
  return { text: replace(document, own, around), command: `${BEFORE_OWN}${command}${AFTER_OWN}` };
}

/** Returns the text with the status line that it had before. */
function withoutStatus({ text, settings }: ReadSettings): string | undefined {
  if (text === undefined || !reportsStatus(settings)) return text;
  const document = jsonText(text);
  const statusLine = propertyOf(document.root, "statusLine");
  const own = propertyOf(statusLine, "command");
  const command = settings.statusLine?.command ?? "";
  if (own === undefined || statusLine?.parent === undefined) return text;
  if (!command.startsWith(BEFORE_OWN) || !command.endsWith(AFTER_OWN)) return removeChild(document, statusLine.parent);
  const literal = text.slice(own.offset + 1, own.offset + own.length - 1);
  const [before, after] = [escaped(BEFORE_OWN), escaped(AFTER_OWN)];
  const isAsWritten = literal.startsWith(before) && literal.endsWith(after);
  const restored = isAsWritten
    ? literal.slice(before.length, -after.length)
    : escaped(command.slice(BEFORE_OWN.length, -AFTER_OWN.length));
  return replace(document, own, `"${restored}"`);
}

/** Returns a text as it stands between the quotes of a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns whether the file has all hooks, some, or none. @throws CliError as `planConnect` */
export function connectionState(
  file: string,
  wanted: AgentHooks = claudeHooks,
  comments = false,
): "connected" | "incomplete" | "not connected" {
  if (planConnect(file, { hooks: wanted, comments }).events.length === 0) return "connected";
  return planDisconnect(file).events.length === 0 ? "not connected" : "incomplete";
}

interface ReadSettings {
  readonly settings: Settings;
  /** The file's text; undefined where there is none. */
  readonly text: string | undefined;
  readonly mode: number | undefined;
}

function readSettings(file: string, comments: boolean): ReadSettings {
  refuseLink(dirname(file));
  refuseLink(file);
  const read = readRegularFile(file);
  if (read === undefined) return { settings: {}, text: undefined, mode: undefined };
  const settings = parseJson(file, read.text, comments);
  // The value itself, not the parsed copy, whose keys have another order.
  if (!isSettings(settings))
    throw refusal(`${file} has another form than an agent's settings, so nothing was changed.`);
  const copies = Object.values(settings.hooks ?? {}).flatMap((groups) =>
    groups.flatMap(({ hooks }) => hooks.filter(isOurs)),
  );
  if (copies.length > MOST_COPIES)
    throw refusal(`${file} has more than ${MOST_COPIES} hooks of Patchbay, so nothing was changed: remove them.`);
  return { ...read, settings };
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
    const bytes = readFileSync(descriptor);
    // What is no UTF-8 would be written back as other bytes.
    if (!isUtf8(bytes)) throw refusal(`${file} is not UTF-8 text, so nothing was changed.`);
    return { text: bytes.toString("utf8"), mode: found.mode & 0o777 };
  } finally {
    closeSync(descriptor);
  }
}

export function parseJson(file: string, text: string, comments: boolean): unknown {
  if (isBlank(text)) return {};
  try {
    const { plain } = jsonText(text);
    return JSON.parse(comments ? plain : text);
  } catch (error) {
    const why = error instanceof RangeError ? "it is nested too deeply" : String(error);
    throw refusal(`${file} is not valid JSON, so nothing was changed: ${why}`);
  }
}

/** A link could lead the change into a file of another program or project. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw refusal(
    `${path} is a symbolic link, so nothing was changed: add the hooks to the file that it leads to yourself.`,
  );
}

/**
 * Writes the settings, unless the file has changed since it was read. `next` undefined removes the file.
 *
 * @throws CliError for a file that has changed
 */
export function writeSettings(
  file: string,
  { text, mode }: Pick<ReadSettings, "text" | "mode">,
  next: string | undefined,
): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  refuseLink(dirname(file));
  if (readRegularFile(file)?.text !== text) {
    throw refusal(`${file} was changed by another program meanwhile, so nothing was changed: try again.`);
  }
  if (next === text) return;
  if (next === undefined) rmSync(file, { force: true });
  else writeAtomically(file, next, { mode });
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
