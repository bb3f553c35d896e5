import {
  type ConversationMessage,
  type ConversationPage,
  conversationLimits,
  type MessagePart,
} from "../../core/protocol/conversations.ts";
import { fileFacts } from "./adapters/adapter-files.ts";
import type { Draft } from "./conversation-draft.ts";
import { comparePlaces, cursorOf, type PageRange, type Place } from "./conversation-place.ts";
import { StreamPage } from "./conversation-stream.ts";
import { addUsage, Ledger, noUsage, usageOfCall } from "./ledger.ts";
import type { AccountSource } from "./session-account.ts";
import { subagentId } from "./session-details.ts";
import { TranscriptReader } from "./transcript-reader.ts";

/** A message that is not from the transcript: a question of the agent that this relay has kept, and the answer to it. */
export type KeptMessage = Pick<ConversationMessage, "id" | "role" | "kind" | "at" | "text">;

/** Where a conversation is read from. */
export interface ConversationSource extends AccountSource {
  /** The calls that an older session has (forks), by id: they are counted there. */
  readonly foreign: ReadonlySet<string>;
  /** In the order of their time. */
  readonly kept: readonly KeptMessage[];
}

export type Page = Omit<ConversationPage, "agentType" | "sessionId">;

/** A transcript's clock, and when its last record was written to the disk. */
const WRITTEN_WITHIN_MS = 60_000;
/** The longest time by which a message of one stream is written after a later one of another stream. */
const WRITTEN_LATE_MS = 1000;
const MAX_PROBLEMS = 5;

/**
 * Reads a page of a conversation from all of its transcripts: the main one, those of sub-agents by their time, and what the
 * relay has kept. Each is read once, and no more than a page of it is held at a time. Where there are several, the messages
 * of the last second are left to the next page after a place, which would lack those that are written late before it.
 */
export async function readPage(source: ConversationSource, range: PageRange, now = Date.now()): Promise<Page> {
  const { adapter, home, sessionId } = source;
  const files = adapter.files(home, sessionId);
  const problems = new Set<string>();
  const page = new Merged(range);
  let turns: readonly number[] = [];
  for (const path of [files.main, ...files.subagents]) {
    const isMain = path === files.main;
    if (path === undefined || (!isMain && isBefore(path, range.after))) continue;
    const stream = new StreamPage(range, isMain ? "m" : `s${subagentId(path)}`);
    const log = { problem: ({ reason }: { readonly reason: string }) => problems.add(reason) };
    const reader = new TranscriptReader(adapter, home, sessionId, "events", log);
    const only = isMain ? { main: path, subagents: [] } : { main: undefined, subagents: [path] };
    await reader.read(stream.sink, only, stream.isDone);
    if (!stream.isDone()) stream.finish();
    if (isMain) turns = stream.turns;
    page.add(stream);
  }
  page.addKept(source.kept);
  const hasStreams = files.subagents.length > 0 || source.kept.length > 0;
  if (range.after !== undefined && hasStreams) page.holdBack(now);
  if (files.main === undefined) problems.add("transcript is not there any more");
  const messages = page.drafts.map((draft) => messageOf(draft, source, turns));
  const [first, last] = [page.drafts[0], page.drafts.at(-1)];
  const kept = range.after?.at === START.at ? undefined : range.after;
  const after = last?.place ?? kept;
  return {
    messages,
    before: first !== undefined && page.hasEarlier ? cursorOf(first.place) : null,
    after: after === undefined ? null : cursorOf(after),
    hasMore: page.hasLater,
    ...incomplete(adapter.omits, [...problems].slice(0, MAX_PROBLEMS)),
  };
}

/** Before the first message. */
export const START: Place = { at: -1, stream: "", number: 0 };

/** Reads a whole text of a message; undefined where there is no such message, or it has no such text. */
export async function readText(
  source: Omit<ConversationSource, "kept">,
  place: Place,
  part: MessagePart,
): Promise<string | undefined> {
  const { adapter, home, sessionId, log } = source;
  const files = adapter.files(home, sessionId);
  const path = [files.main, ...files.subagents].find(
    (one) => one !== undefined && place.stream === (one === files.main ? "m" : `s${subagentId(one)}`),
  );
  if (path === undefined) return undefined;
  const before = { ...place, number: place.number - 1 };
  const stream = new StreamPage({ after: before, limit: 1 }, place.stream, true);
  const only = path === files.main ? { main: path, subagents: [] } : { main: undefined, subagents: [path] };
  await new TranscriptReader(adapter, home, sessionId, "events", log).read(stream.sink, only, stream.isDone);
  const [draft] = stream.drafts;
  if (draft === undefined || comparePlaces(draft.place, place) !== 0) return undefined;
  if (part === "text") return draft.message.text;
  return part === "result" ? draft.tool?.result : draft.tool && JSON.stringify(draft.tool.input);
}

/** The messages of several streams that are on one page. */
class Merged {
  drafts: Draft[] = [];
  hasEarlier = false;
  hasLater = false;
  readonly #range: PageRange;

  constructor(range: PageRange) {
    this.#range = range;
  }

  add({ drafts, hasEarlier, hasLater }: Pick<StreamPage, "drafts" | "hasEarlier" | "hasLater">): void {
    this.hasEarlier ||= hasEarlier;
    this.hasLater ||= hasLater;
    this.#merge(drafts);
  }

  addKept(kept: readonly KeptMessage[]): void {
    const { after, before } = this.#range;
    const all = kept.map((message, number): Draft => {
      const place = { at: Date.parse(message.at) || 0, stream: "q", number };
      return { place, message: { ...message, turn: 0 }, answer: undefined, calls: [], size: message.text.length };
    });
    const isEarlier = ({ place }: Draft) => after !== undefined && comparePlaces(place, after) <= 0;
    const isLater = ({ place }: Draft) => before !== undefined && comparePlaces(place, before) >= 0;
    this.hasEarlier ||= all.some(isEarlier);
    this.hasLater ||= all.some(isLater);
    this.#merge(all.filter((draft) => !isEarlier(draft) && !isLater(draft)));
  }

  /** Leaves the newest messages out. Those with a time to come, by another clock, do not wait for it. */
  holdBack(now: number): void {
    const first = this.drafts.findIndex(({ place }) => Math.abs(now - place.at) < WRITTEN_LATE_MS);
    if (first < 0) return;
    this.drafts = this.drafts.slice(0, first);
    this.hasLater = true;
  }

  #merge(drafts: readonly Draft[]): void {
    const { after, limit } = this.#range;
    const all = [...this.drafts, ...drafts].sort((one, other) => comparePlaces(one.place, other.place));
    const fromStart = after !== undefined;
    let size = 0;
    let count = 0;
    for (const draft of fromStart ? all : all.toReversed()) {
      size += draft.size;
      if (count === limit || (count > 0 && size > conversationLimits.page)) break;
      count += 1;
    }
    if (count < all.length) this[fromStart ? "hasLater" : "hasEarlier"] = true;
    this.drafts = fromStart ? all.slice(0, count) : all.slice(all.length - count);
  }
}

function messageOf(
  { place, message, tool, calls }: Draft,
  source: ConversationSource,
  turns: readonly number[],
): ConversationMessage {
  const ledger = new Ledger(source.adapter.provider, source.price, source.foreign);
  for (const call of calls) ledger.add(call);
  const model = message.model ?? calls.find(({ subagent }) => !subagent)?.model ?? calls[0]?.model;
  const hasUse = ledger.counted > 0;
  return {
    ...message,
    cursor: cursorOf(place),
    ...(place.stream !== "m" && { turn: turnAt(place.at, turns) }),
    ...(model !== undefined && message.kind !== "prompt" && { model }),
    ...(hasUse && { tokenUsage: [...ledger.all()].reduce((sum, call) => addUsage(sum, usageOfCall(call)), noUsage) }),
    ...(tool !== undefined && { tool }),
  };
}

/** How many turns had begun by then. */
function turnAt(at: number, turns: readonly number[]): number {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((turns[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A file that was last written before a place has nothing after it. */
function isBefore(path: string, after: Place | undefined): boolean {
  const changedAt = fileFacts(path)?.changedAt ?? Number.POSITIVE_INFINITY;
  return after !== undefined && changedAt + WRITTEN_WITHIN_MS < after.at;
}

function incomplete(omits: string | undefined, problems: readonly string[]): { incomplete?: string } {
  const sentences = [...(omits === undefined ? [] : [omits]), ...problems.map((problem) => `Reading: ${problem}.`)];
  return sentences.length === 0 ? {} : { incomplete: sentences.join(" ") };
}
