import { z } from "zod";
import type { TerminalMessage, TerminalQuery } from "../../../core/protocol/terminal-signals.ts";
import { decodePath } from "./parse-claim.ts";

/**
 * Parses the payload of an OSC; undefined for those that are no signal (colours, links, clipboards). OSC 133 is
 * ignored, because any program can print it.
 */
export function parseOsc(payload: string): TerminalMessage | undefined {
  const semicolon = payload.indexOf(";");
  const code = semicolon < 0 ? payload : payload.slice(0, semicolon);
  const rest = semicolon < 0 ? "" : payload.slice(semicolon + 1);
  switch (code) {
    case "0":
    case "2":
      return { kind: "title", title: printable(rest, 200) };
    case "7":
      return parseCwd(rest);
    case "9":
      return parseNotice(rest);
    case "10":
      return rest === "?" ? { kind: "query", query: "foreground" } : undefined;
    case "11":
      return rest === "?" ? { kind: "query", query: "background" } : undefined;
    case "99":
      return parseKittyNotification(rest);
    case "777":
      return parseNotify(rest);
    case "7501":
      return parseProgramStatus(rest);
    case "9999":
      return parseAgentStatus(rest);
    default:
      return undefined;
  }
}

/** Parses a control sequence that asks the terminal something; undefined for those that no terminal here answers. */
export function parseRequest(sequence: string): TerminalMessage | undefined {
  const query = requests.get(sequence);
  return query === undefined ? undefined : { kind: "query", query };
}

const requests: ReadonlyMap<string, TerminalQuery> = new Map([
  ["5n", "status"],
  ["6n", "cursor"],
  ["?6n", "private-cursor"],
  ["c", "device"],
  ["0c", "device"],
  [">c", "secondary-device"],
  [">0c", "secondary-device"],
  [">q", "version"],
  [">0q", "version"],
]);

function parseCwd(rest: string): TerminalMessage | undefined {
  const match = /^file:\/\/([^/]*)(\/.*)$/s.exec(rest);
  const cwd = match?.[2] === undefined ? undefined : decodePath(match[2]);
  return cwd === undefined ? undefined : { kind: "cwd", host: match?.[1] ?? "", cwd };
}

function parseNotice(rest: string): TerminalMessage | undefined {
  const progress = /^4;([0-4])(?:;(\d{1,3}))?$/.exec(rest);
  if (progress !== null) {
    const percent = progress[2] === undefined ? null : Math.min(Number(progress[2]), 100);
    return { kind: "progress", state: Number(progress[1]), percent };
  }
  // ConEmu uses OSC 9;<digits>;… for other things than notifications.
  if (rest === "" || /^\d+(;|$)/.test(rest)) return undefined;
  return { kind: "notification", title: null, body: printable(rest, 2000) };
}

/** Kitty's protocol, as far as one sequence holds a notification: keys and values, then title or body. */
function parseKittyNotification(rest: string): TerminalMessage | undefined {
  const separator = rest.indexOf(";");
  if (separator < 0) return undefined;
  const keys = new Map(
    rest
      .slice(0, separator)
      .split(":", 32)
      .map((pair) => [pair.slice(0, 1), pair.slice(2)]),
  );
  const payload = rest.slice(separator + 1);
  const part = keys.get("p") ?? "title";
  // More follows, or it is no text for the user.
  if (keys.get("d") === "0" || (part !== "title" && part !== "body")) return undefined;
  const text = printable(keys.get("e") === "1" ? Buffer.from(payload, "base64").toString() : payload, 2000);
  return text === "" ? undefined : { kind: "notification", title: null, body: text };
}

function parseNotify(rest: string): TerminalMessage | undefined {
  const [verb, title = "", ...body] = rest.split(";");
  if (verb !== "notify") return undefined;
  return { kind: "notification", title: printable(title, 200), body: printable(body.join(";"), 2000) };
}

function parseProgramStatus(rest: string): TerminalMessage {
  if (rest.startsWith("?")) return { kind: "program-status", query: true, fields: {} };
  const pairs = rest.split(":", 32).map((pair): [string, string] => {
    const equals = pair.indexOf("=");
    return equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
  });
  return { kind: "program-status", query: false, fields: Object.fromEntries(pairs) };
}

const AgentStatus = z.object({
  state: z.enum(["working", "blocked", "waiting", "done"]),
  agentType: z.string().max(100).optional().catch(undefined),
});

/** The states of OSC 9999 in the fields of OSC 7501: `blocked` waits for a permission, `waiting` for an answer. */
const statusFields = {
  working: { state: "working" },
  blocked: { state: "blocked", kind: "permission" },
  waiting: { state: "blocked", kind: "question" },
  done: { state: "done" },
} as const;

/** JSON with a state, as agents' hooks for Orca write it. Other programs use the number otherwise; theirs is no signal. */
function parseAgentStatus(rest: string): TerminalMessage | undefined {
  if (!rest.startsWith("{")) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(rest);
  } catch {
    return undefined;
  }
  const status = AgentStatus.safeParse(value).data;
  if (status === undefined) return undefined;
  const { state, agentType } = status;
  // A name with a colon would be read as another field.
  const app = agentType !== undefined && /^[\w.+-]+$/.test(agentType) ? { app: agentType } : {};
  return { kind: "program-status", query: false, fields: { ...statusFields[state], ...app } };
}

/** Without characters that act on what shows the text, or that hide; icons of private use stay. */
function printable(text: string, limit: number): string {
  return text
    .replace(/[\p{Cc}\p{Bidi_C}\p{Cs}\u00ad\u200b\u2028\u2029\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu, "")
    .slice(0, limit)
    .replace(/[\ud800-\udbff]$/, "");
}
