import { conversationLimits } from "../../core/protocol/conversations.ts";
import type { ApiCall, TranscriptSink } from "./adapters/adapter.ts";
import { type ConversationEntry, type Draft, draftOf, withResult } from "./conversation-draft.ts";
import { comparePlaces, type PageRange, type Place } from "./conversation-place.ts";
import { nothing } from "./session-account.ts";

/**
 * The messages of one transcript that may be on a page. Takes everything that the transcript tells, in its order, and keeps
 * no more than a page of it: beside that only ids, and the times of the prompts.
 */
export class StreamPage {
  /** The messages of the page, in the order of the transcript. */
  readonly drafts: Draft[] = [];
  /** Whether messages before and after those were left out. */
  hasEarlier = false;
  hasLater = false;
  /** When the prompts came that are turns, in ms. */
  readonly turns: number[] = [];
  readonly #range: PageRange;
  readonly #stream: string;
  readonly #whole: boolean;
  #at = 0;
  /** Messages so far. */
  #messages = 0;
  /** The number of the first message in `drafts`. */
  #first = 0;
  #size = 0;
  #isFull = false;
  readonly #known = new Set<string>();
  /** By the id of a tool call without a result, the number of its message. */
  readonly #open = new Map<string, number>();
  /** By the id of an API call, the number of the message at which it is counted. */
  readonly #calls = new Map<string, number>();
  /** By an answer, the number of its first message: the last answers. */
  readonly #answers = new Map<string, number>();
  /** API calls whose answer has not been told yet. */
  #pending: ApiCall[] = [];
  #isAnswerOver = false;

  /** `stream`: see `Place`. `whole`: texts are not cut. */
  constructor(range: PageRange, stream: string, whole = false) {
    this.#range = range;
    this.#stream = stream;
    this.#whole = whole;
  }

  /** Whether the rest of the transcript cannot change the page. */
  readonly isDone = (): boolean => this.hasLater && this.#isAnswerOver && !this.drafts.some(isOpen);

  readonly sink: TranscriptSink = {
    ...nothing,
    event: (event) => this.#take(event),
    note: (note) => this.#take(note),
    call: (call) => this.#call(call),
  };

  /** Adds the API calls that no message was told for to the last one. */
  finish(): void {
    this.#chargeLast(() => true);
  }

  #take(event: ConversationEntry): void {
    if (this.#known.has(event.id)) return;
    this.#known.add(event.id);
    this.#at = Math.max(this.#at, Date.parse(event.at) || 0);
    if (event.type === "tool_result") {
      const id = String(event.data.id ?? "");
      const call = this.#open.get(id);
      if (call !== undefined) {
        this.#open.delete(id);
        this.#change(call, (draft) => withResult(draft, event, this.#whole));
        return;
      }
    }
    const isSubagent = event.data.subagent === true || this.#stream.startsWith("s");
    if (event.type === "user_message" && !isSubagent) this.turns.push(this.#at);
    this.#add(event);
  }

  #add(event: ConversationEntry): void {
    const number = this.#messages;
    this.#chargeLast(({ answer, id }) => (answer ?? id) !== event.answer);
    this.#messages += 1;
    if (event.type === "tool_call") this.#open.set(String(event.data.id ?? ""), number);
    this.#place(event, { at: this.#at, stream: this.#stream, number });
    if (event.answer === undefined || this.#answers.has(event.answer)) {
      if (number === 0) this.#chargeLast(() => true);
      return;
    }
    this.#answers.set(event.answer, number);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > KEPT_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    for (const call of this.#pending) this.#charge(call, number);
    this.#pending = [];
  }

  /** Puts a message on the page, if it belongs there. */
  #place(event: ConversationEntry, place: Place): void {
    const { after, before, limit } = this.#range;
    if (after !== undefined && comparePlaces(place, after) <= 0) {
      this.hasEarlier = true;
      return;
    }
    const isBeyond = before !== undefined && comparePlaces(place, before) >= 0;
    if (isBeyond || this.#isFull) {
      this.hasLater = true;
      const last = this.drafts.findLast(({ answer }) => answer !== undefined)?.answer;
      this.#isAnswerOver ||= event.answer !== undefined && event.answer !== last;
      return;
    }
    const of = this.#stream.startsWith("s") ? this.#stream.slice(1) : undefined;
    const draft = draftOf(event, { place, turn: this.turns.length, stream: of, whole: this.#whole });
    if (after !== undefined && this.drafts.length > 0 && this.#size + draft.size > conversationLimits.page) {
      this.#isFull = true;
      this.hasLater = true;
      return;
    }
    if (this.drafts.length === 0) this.#first = place.number;
    this.drafts.push(draft);
    this.#size += draft.size;
    if (after !== undefined) this.#isFull = this.drafts.length >= limit;
    else this.#dropEarlier(limit);
  }

  #dropEarlier(limit: number): void {
    while (this.drafts.length > limit || (this.drafts.length > 1 && this.#size > conversationLimits.page)) {
      this.#size -= this.drafts.shift()?.size ?? 0;
      this.#first += 1;
      this.hasEarlier = true;
    }
  }

  #change(number: number, change: (draft: Draft) => Draft): void {
    const draft = this.drafts[number - this.#first];
    if (draft === undefined) return;
    const changed = change(draft);
    this.#size += changed.size - draft.size;
    this.drafts[number - this.#first] = changed;
    if (this.#range.after === undefined) this.#dropEarlier(this.#range.limit);
  }

  /** An API call is counted at the first message of its answer; one that is told again, where it was counted before. */
  #call(call: ApiCall): void {
    const known = this.#calls.get(call.id) ?? this.#answers.get(call.answer ?? call.id);
    if (known === undefined) this.#pending.push(call);
    else this.#charge(call, known);
  }

  #charge(call: ApiCall, number: number): void {
    this.#calls.set(call.id, number);
    this.drafts[number - this.#first]?.calls.push(call);
  }

  /** Counts calls that have no message of their own at the last message; before the first one they wait. */
  #chargeLast(isConcerned: (call: ApiCall) => boolean): void {
    if (this.#pending.length === 0 || this.#messages === 0) return;
    for (const call of this.#pending.filter(isConcerned)) this.#charge(call, this.#messages - 1);
    this.#pending = this.#pending.filter((call) => !isConcerned(call));
  }
}

const KEPT_ANSWERS = 100;

function isOpen({ tool }: Draft): boolean {
  return tool !== undefined && tool.result === undefined;
}
