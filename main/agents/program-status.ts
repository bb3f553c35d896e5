import type { AgentStatus } from "../../core/protocol/agent-records.ts";
import { programProgress } from "../../core/protocol/terminal-signals.ts";

/** A program's report of its own state. `message` is one line of text; absent when the program sent none. */
export interface ProgramReport {
  /** The state in the protocol's words, with `blocked`'s kind: for the reader. */
  readonly said: string;
  readonly status: Exclude<AgentStatus, "ended">;
  /** The program that reports; absent when it does not say. */
  readonly app?: string;
  readonly message?: string;
  /** Percent of the work that is done, while it works or waits. */
  readonly progress?: number;
}

/** A program's report of a part of its work. */
export interface TaskReport extends ProgramReport {
  /** Segments parted by `/`: each is a part of the one before it. */
  readonly id: string;
  readonly title?: string;
}

const MAX_REPORT_BYTES = 4096;
const MAX_KEY_LENGTH = 16;
/** The longest texts that the protocol allows; of a longer one the beginning is kept. */
const MAX_MESSAGE_BYTES = 2048;
const MAX_TITLE_BYTES = 192;
const MAX_ID_LENGTH = 128;
const MAX_ID_DEPTH = 8;
const NAME = /^[A-Za-z0-9_.+-]{1,32}$/;
const KINDS = new Set(["permission", "question", "auth"]);

const statuses: ReadonlyMap<string, ProgramReport["status"]> = new Map([
  ["working", "working"],
  ["blocked", "waiting"],
  ["idle", "idle"],
  ["done", "idle"],
  ["error", "error"],
  ["clear", "idle"],
]);

/**
 * Reads what follows `OSC 7501 ;` (Program Status Protocol): `key=value` pairs parted by colons. Each report says
 * everything anew, so the next one takes back an error. Unknown keys are ignored and the last of equal keys counts.
 * @returns undefined for a query, an unknown state, a report over 4096 bytes, and a report with an `id`, which is of a
 * part of the work. A message that is not base64 of UTF-8 is left out; the state counts all the same.
 */
export function parseProgramReport(payload: string): ProgramReport | undefined {
  const fields = fieldsOf(payload);
  return fields === undefined || fields.has("id") ? undefined : reportOf(fields);
}

/**
 * Reads a report with an `id`, as `parseProgramReport` reads the others.
 * @returns undefined also for an id that the protocol does not allow
 */
export function parseTaskReport(payload: string): TaskReport | undefined {
  const fields = fieldsOf(payload);
  const id = fields?.get("id");
  if (fields === undefined || id === undefined || !isTaskId(id)) return undefined;
  const report = reportOf(fields);
  const title = textOf(fields.get("title"), MAX_TITLE_BYTES);
  return report && { ...report, id, ...(title !== undefined && { title }) };
}

function isTaskId(id: string): boolean {
  const segments = id.split("/");
  return id.length <= MAX_ID_LENGTH && segments.length <= MAX_ID_DEPTH && segments.every((one) => NAME.test(one));
}

function reportOf(fields: ReadonlyMap<string, string>): ProgramReport | undefined {
  const state = fields.get("state") ?? "";
  const status = statuses.get(state);
  if (status === undefined) return undefined;
  const [app, kind] = [fields.get("app"), fields.get("kind")];
  const message = textOf(fields.get("msg"), MAX_MESSAGE_BYTES);
  const progress = programProgress(Object.fromEntries(fields));
  return {
    status,
    said: state === "blocked" && kind !== undefined && KINDS.has(kind) ? `${state}: ${kind}` : state,
    ...(app !== undefined && NAME.test(app) && { app }),
    ...(message !== undefined && { message }),
    ...(progress !== undefined && { progress: progress.percent }),
  };
}

function fieldsOf(payload: string): ReadonlyMap<string, string> | undefined {
  return payload.length > MAX_REPORT_BYTES ? undefined : new Map(payload.split(/[:;]/).flatMap(fieldOf));
}

function fieldOf(pair: string): [string, string][] {
  const equals = pair.indexOf("=");
  const key = pair.slice(0, Math.max(equals, 0)).trim();
  return key.length <= MAX_KEY_LENGTH && /^[a-z]+$/.test(key) ? [[key, pair.slice(equals + 1).trim()]] : [];
}

function textOf(encoded: string | undefined, limit: number): string | undefined {
  if (encoded === undefined || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, "base64");
  const kept = bytes.subarray(0, limit);
  try {
    // A stream may end in the middle of a character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(kept, { stream: kept.length < bytes.length });
    return oneLine(text) || undefined;
  } catch {
    return undefined;
  }
}

/** Text of a program or a transcript as one line: without control characters and those that hide or turn text. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\p{Cf}/gu, "")
    .trim();
}
