import { z } from "zod";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import { SessionId } from "../../../core/protocol/ids.ts";
import { JsonValue } from "../../../core/protocol/json-value.ts";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import { visibleText } from "../../../core/protocol/visible-text.ts";
import { type AgentStateEvent, webhookLimits } from "../../../core/protocol/webhooks.ts";
import { maskedStart } from "../../system/mask-secrets.ts";

/** Events that one message tells of one by one; of more it tells the number only. */
const MOST_ITEMS = 50;
const LONGEST_TITLE = 200;
const LONGEST_TEXT = 1000;
/** Text of an event in a message about several. */
const LONGEST_LINE = 200;
/** Bounds of the event itself as a message carries it: a program may have put anything into it. */
const MOST_DEPTH = 8;
const MOST_ENTRIES = 100;
const DATA_BYTES = webhookLimits.bodyBytes / 2;

/** An event as a message tells of it: masked, and cut to what every receiver takes. */
export const HookItem = z.object({
  event: z.string(),
  at: z.string(),
  session: z.object({ id: SessionId, name: z.string() }).nullable(),
  title: z.string(),
  text: z.string(),
  /** The event itself; null where it is too large, where the hook is content-free, and in a message about several. */
  data: JsonValue,
});
export type HookItem = z.infer<typeof HookItem>;

/** What one message tells of. */
export const HookMessage = z.object({
  items: z.array(HookItem).min(1),
  /** Number of events by name, those beyond the items too. */
  counts: z.record(z.string(), z.int()),
});
export type HookMessage = z.infer<typeof HookMessage>;

export type HookEventName = RelayEvent["type"] | AgentStateEvent;

interface ItemOf {
  readonly name: HookEventName;
  readonly event: RelayEvent;
  readonly at: string;
  readonly session: { readonly id: SessionId; readonly name: string };
  /** Nothing that an agent, a program or a person wrote. */
  readonly contentFree: boolean;
}

/** Returns an event as a message tells of it. */
export function itemOf({ name, event, at, session, contentFree }: ItemOf): HookItem {
  if (contentFree) return { event: name, at, session: { ...session, name: "" }, title: name, text: "", data: null };
  const { title, text } = sentencesOf(name, event);
  return {
    event: name,
    at,
    session: { id: session.id, name: shownLine(visibleMasked(session.name, LONGEST_TITLE), LONGEST_TITLE) },
    title: shownLine(visibleMasked(title, LONGEST_TITLE), LONGEST_TITLE),
    text: visibleMasked(text, LONGEST_TEXT),
    data: boundedData(event.data),
  };
}

/** Masks what is seen: a character that is left out may have stood within a secret. */
function visibleMasked(text: string, longest: number): string {
  return maskedStart(visibleText(text.slice(0, longest * 4)), longest, "…");
}

/** Returns the message for one event. */
export function messageOf(item: HookItem): HookMessage {
  return { items: [item], counts: { [item.event]: 1 } };
}

/** Returns the message that tells of one more event. */
export function joined({ items, counts }: HookMessage, item: HookItem): HookMessage {
  const all = items.length < MOST_ITEMS ? [...items, item] : items;
  return {
    items: all.map((one) => ({ ...one, text: one.text.slice(0, LONGEST_LINE), data: null })),
    counts: { ...counts, [item.event]: (counts[item.event] ?? 0) + 1 },
  };
}

/** Returns the number of events that a message tells of. */
export function eventCount({ counts }: HookMessage): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Returns the title of a message: its event's, or how many of which events there were. */
export function titleOf(message: HookMessage): string {
  const [first] = message.items;
  if (eventCount(message) === 1 && first !== undefined) return first.title;
  const kinds = Object.entries(message.counts).map(([name, count]) => `${count} ${name}`);
  return shownLine(`${eventCount(message)} events: ${kinds.join(", ")}`, LONGEST_TITLE);
}

/** The name of a message's event; `several` for a message about many. */
export function eventNameOf(message: HookMessage): string {
  return eventCount(message) === 1 ? (message.items[0]?.event ?? "several") : "several";
}

function sentencesOf(name: HookEventName, event: RelayEvent): { readonly title: string; readonly text: string } {
  switch (event.type) {
    case "question.opened": {
      const { agentType, title, text, detail } = event.data;
      return { title: `${agentType} asks: ${title}`, text: [text, detail.command].filter(isText).join("\n") };
    }
    case "question.answered":
      return { title: `Answered: ${event.data.title}`, text: event.data.answeredBy?.name ?? "" };
    case "question.withdrawn":
      return { title: `No longer asked: ${event.data.title}`, text: event.data.closedBecause ?? "" };
    case "agent.started":
    case "agent.updated":
    case "agent.waiting":
    case "agent.ended":
    case "agent.detached": {
      const { agentType, shellId, message, reason } = event.data;
      const state = name.slice("agent.".length);
      return { title: `${agentType} in shell ${shellId}: ${state}`, text: message ?? reason?.detail ?? "" };
    }
    case "budget.warned": {
      const { scope, of, percent, spent, limit, unit } = event.data;
      return { title: `Budget by ${scope}: ${percent} % spent`, text: `${spent} of ${limit} ${unit}: ${of}` };
    }
    case "shell.exited": {
      const { shellId, exitCode, signal } = event.data;
      return {
        title: `Shell ${shellId} has ended`,
        text: exitCode === null ? (signal ?? "") : `exit code ${exitCode}`,
      };
    }
    case "shell.notification":
      return { title: event.data.title ?? `Shell ${event.data.shellId}`, text: event.data.body };
    case "notification":
      return { title: event.data.title, text: event.data.body ?? "" };
    case "toast":
      return { title: event.data.message, text: "" };
    case "chat.message":
      return { title: `${event.data.from.name} writes`, text: event.data.text };
    default:
      return { title: name, text: "" };
  }
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

/** Returns a copy of an event's data with secrets masked; null where it is still too large. */
function boundedData(data: unknown): JsonValue {
  // Each takes two bytes at least: an event with more is too large, and masking them all would take long.
  const left = { values: DATA_BYTES / 2 };
  const bounded = boundedValue(data, { depth: MOST_DEPTH, name: "", left });
  return left.values >= 0 && Buffer.byteLength(JSON.stringify(bounded)) <= DATA_BYTES ? bounded : null;
}

/** @param name what stands beside the value: a password is told by that alone */
function boundedValue(
  value: unknown,
  { depth, name, left }: { readonly depth: number; readonly name: string; readonly left: { values: number } },
): JsonValue {
  left.values -= 1;
  if (left.values < 0) return null;
  if (typeof value === "string") {
    const beside = name === "" ? "" : `${name.slice(-LONGEST_TITLE)}=`;
    const masked = maskedStart(`${beside}${value}`, beside.length + LONGEST_TEXT, "…");
    return masked.startsWith(beside) ? masked.slice(beside.length) : maskedStart(value, LONGEST_TEXT, "…");
  }
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null || depth === 0) return null;
  const within = (inner: unknown, key: string) => boundedValue(inner, { depth: depth - 1, name: key, left });
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map((inner) => within(inner, name));
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries
      .slice(0, MOST_ENTRIES)
      .map(([key, inner]) => [left.values > 0 ? maskedStart(key, LONGEST_TITLE) : "", within(inner, key)]),
  );
}
