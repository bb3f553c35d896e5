import type { AgentStatus } from "../../core/protocol/agent-records.ts";

/** A program's report of its own state. `message` is one line of text; absent when the program sent none. */
export interface ProgramReport {
  /** The state in the protocol's words, with `blocked`'s kind: for the reader. */
  readonly said: string;
  readonly status: Exclude<AgentStatus, "ended">;
  /** The program that reports; absent when it does not say. */
  readonly app?: string;
  readonly message?: string;
}

const MAX_REPORT_BYTES = 4096;
const MAX_KEY_LENGTH = 16;
/** The longest message that the protocol allows; of a longer one the beginning is kept. */
const MAX_MESSAGE_BYTES = 2048;
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
 * background task. A message that is not base64 of UTF-8 is left out; the state counts all the same.
 */
export function parseProgramReport(payload: string): ProgramReport | undefined {
  if (payload.length > MAX_REPORT_BYTES) return undefined;
  const fields = new Map(payload.split(/[:;]/).flatMap(fieldOf));
  const state = fields.get("state") ?? "";
  const status = statuses.get(state);
  if (status === undefined || fields.has("id")) return undefined;
  const [app, kind] = [fields.get("app"), fields.get("kind")];
  const message = messageOf(fields.get("msg"));
  return {
    status,
    said: state === "blocked" && kind !== undefined && KINDS.has(kind) ? `${state}: ${kind}` : state,
    ...(app !== undefined && NAME.test(app) && { app }),
    ...(message !== undefined && { message }),
  };
}

function fieldOf(pair: string): [string, string][] {
  const equals = pair.indexOf("=");
  const key = pair.slice(0, Math.max(equals, 0)).trim();
  return key.length <= MAX_KEY_LENGTH && /^[a-z]+$/.test(key) ? [[key, pair.slice(equals + 1).trim()]] : [];
}

function messageOf(encoded: string | undefined): string | undefined {
  if (encoded === undefined || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, "base64");
  const kept = bytes.subarray(0, MAX_MESSAGE_BYTES);
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
