import { randomBytes } from "node:crypto";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { type WebhookAttempt, type WebhookDelivery, webhookLimits } from "../../../core/protocol/webhooks.ts";
import type { Log } from "../../system/log.ts";
import type { Resolve } from "../plugins/guarded-lookup.ts";
import type { DeliveryRow, WebhookRow, WebhookRows } from "../store/webhook-rows.ts";
import { eventCount, eventNameOf, type HookItem, HookMessage, joined, messageOf, titleOf } from "./hook-message.ts";
import { postMessage } from "./post-message.ts";
import { quietUntil } from "./quiet-hours.ts";
import { signedHeaders } from "./sign-message.ts";
import { writeMessage } from "./write-message.ts";

/** What a hook needs of its URL and secret, once they are read. */
export interface HookTarget {
  readonly url: string;
  readonly secret: string;
}

/** How messages are sent; tests replace it. */
export interface HookPace {
  readonly resolve: Resolve;
  /** Time limit of an attempt. */
  readonly timeoutMs: number;
  /** Time after each failed attempt until the next; after the last one a message is given up. */
  readonly retryMs: readonly number[];
  /** So many messages of a hook are sent at once; those that come within `stormMs` after them are joined. */
  readonly burst: number;
  readonly stormMs: number;
  /** Length of a minute of a hook's `after`. */
  readonly minuteMs: number;
}

interface HookQueueOptions {
  readonly hook: WebhookRow;
  readonly rows: WebhookRows;
  readonly pace: HookPace;
  readonly log: Log;
  readonly target: () => Promise<HookTarget>;
  readonly linkOf: (session: SessionId) => string;
}

/** A wait is up to so much shorter, so that what failed together is not tried again together. */
const JITTER = 0.1;

/**
 * Delivers the messages of one hook, one attempt after the other, so that a slow receiver holds up nobody else. Messages are in
 * the store from the moment of their event, so that a restart delivers them.
 */
export class HookQueue implements Disposable {
  readonly #options: HookQueueOptions;
  readonly #stopping = new AbortController();
  /** When the last messages were made. */
  #recent: number[] = [];
  /** The message that tells of all that comes until it is sent. */
  #open: { readonly id: string; message: HookMessage } | undefined;
  /** Ids of delayed messages, by the condition that they report. */
  readonly #held = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #busy = false;
  lastError: string | null = null;

  constructor(options: HookQueueOptions) {
    this.#options = options;
  }

  get hook(): WebhookRow {
    return this.#options.hook;
  }

  /** Begins to deliver what waits. */
  start(): void {
    this.#schedule();
  }

  /** Takes an event: as a message of its own, or joined with others where too many come. */
  take(item: HookItem): void {
    const { hook, rows, pace } = this.#options;
    const now = Date.now();
    if (this.#open !== undefined || this.#isFull()) {
      this.#join(item);
      return;
    }
    this.#recent = [...this.#recent.filter((at) => now - at < pace.stormMs), now].slice(-pace.burst - 1);
    const isStorm = this.#recent.length > pace.burst;
    const id = newMessageId();
    const message = messageOf(item);
    const quiet = this.#quietUntil(now);
    const due = quiet ?? (isStorm ? now + pace.stormMs : now);
    rows.addDelivery(hook.id, deliveryOf(id, message, due));
    if (quiet !== undefined || isStorm) this.#open = { id, message };
    this.#schedule();
  }

  /** Takes an event that is sent after some minutes, unless what it concerns is settled until then. */
  hold(item: HookItem, concern: string, minutes: number): void {
    const { hook, rows, pace } = this.#options;
    if (this.#isFull()) {
      this.#join(item);
      return;
    }
    this.settle(concern);
    const id = newMessageId();
    const due = Date.now() + minutes * pace.minuteMs;
    rows.addDelivery(hook.id, deliveryOf(id, messageOf(item), this.#quietUntil(due) ?? due));
    this.#held.set(concern, id);
    this.#schedule();
  }

  /** Drops the message that waits to see whether this stays so. */
  settle(concern: string): void {
    const id = this.#held.get(concern);
    if (id === undefined) return;
    this.#held.delete(concern);
    // It tells of other events too by now.
    if (this.#open?.id === id) return;
    this.#options.rows.dropUntried(this.hook.id, id);
    this.#schedule();
  }

  /** Sends a message once, whatever waits, and keeps no record of it. */
  async test(item: HookItem): Promise<WebhookAttempt> {
    return this.#attempt(newMessageId(), messageOf(item));
  }

  /** Delivers dead letters again, or one message. Returns how many. */
  replay(id: string | undefined): number {
    const count = this.#options.rows.replay(this.hook.id, id, Date.now());
    this.#schedule();
    return count;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stopping.abort();
  }

  #quietUntil(at: number): number | undefined {
    const { quiet } = this.hook.settings;
    return quiet === undefined ? undefined : quietUntil(quiet, at);
  }

  #isFull(): boolean {
    const { rows } = this.#options;
    if (rows.count(this.hook.id, "waiting") < webhookLimits.waiting) return false;
    const newest = rows.deliveries(this.hook.id, { state: "waiting", limit: 1 })[0];
    const message = newest && readMessage(newest);
    if (newest === undefined || message === undefined) return false;
    this.#open = { id: newest.id, message };
    return true;
  }

  #join(item: HookItem): void {
    if (this.#open === undefined) return;
    this.#open.message = joined(this.#open.message, item);
    this.#options.rows.setMessage(this.hook.id, this.#open.id, JSON.stringify(this.#open.message));
  }

  #schedule(): void {
    if (this.#busy || this.#stopping.signal.aborted) return;
    clearTimeout(this.#timer);
    const next = this.#options.rows.next(this.hook.id);
    if (next === undefined) return;
    this.#timer = setTimeout(() => void this.#deliver(), Math.max(0, next.due - Date.now()));
  }

  /** Sends the message that is due first. A disk that fails is logged, and the message tried again later. */
  async #deliver(): Promise<void> {
    const { rows, log } = this.#options;
    this.#busy = true;
    try {
      const next = rows.next(this.hook.id);
      if (next !== undefined && next.due <= Date.now()) await this.#send(next);
    } catch (error) {
      log.error("a message to a webhook could not be recorded", { webhook: this.hook.id, error });
      await new Promise((resolve) => setTimeout(resolve, this.#options.pace.stormMs));
    } finally {
      this.#busy = false;
    }
    this.#schedule();
  }

  async #send(row: DeliveryRow): Promise<void> {
    const { rows } = this.#options;
    if (this.#open?.id === row.id) this.#open = undefined;
    const message = readMessage(row);
    const attempt: WebhookAttempt =
      message === undefined
        ? { ok: false, status: null, error: "another version of Patchbay wrote the message" }
        : await this.#attempt(row.id, message);
    // What the end of the relay has cut off counts as not tried.
    if (this.#stopping.signal.aborted) return;
    this.lastError = attempt.error;
    const attempts = row.attempts + 1;
    const wait = message === undefined ? undefined : this.#options.pace.retryMs[attempts - 1];
    const state = attempt.ok ? "delivered" : wait === undefined ? "dead" : "waiting";
    const again = Date.now() + Math.round((wait ?? 0) * (1 - Math.random() * JITTER));
    const due = this.#quietUntil(again) ?? again;
    rows.setAttempt(this.hook.id, { id: row.id, state, attempts, due, status: attempt.status, error: attempt.error });
    if (state !== "waiting") rows.trim(this.hook.id, state, webhookLimits[state]);
  }

  async #attempt(id: string, message: HookMessage): Promise<WebhookAttempt> {
    const { hook, pace, target, linkOf } = this.#options;
    let known: HookTarget;
    try {
      known = await target();
    } catch (error) {
      return { ok: false, status: null, error: errorText(error) };
    }
    const { format, address } = hook.settings;
    const { url, body, contentType } = writeMessage(message, { url: new URL(known.url), format, linkOf });
    return postMessage(url, {
      headers: { "Content-Type": contentType, ...signedHeaders(known.secret, { id, at: new Date(), body }) },
      body,
      address,
      resolve: pace.resolve,
      timeoutMs: pace.timeoutMs,
      signal: this.#stopping.signal,
    });
  }
}

/** Returns a message as the list shows it. */
export function deliveryRecord(row: DeliveryRow): WebhookDelivery {
  const message = readMessage(row);
  const { id, state, attempts, createdAt, due, status, error } = row;
  return {
    id,
    state,
    event: message === undefined ? "" : eventNameOf(message),
    title: message === undefined ? "" : titleOf(message),
    events: message === undefined ? 0 : eventCount(message),
    attempts,
    createdAt,
    nextAttemptAt: state === "waiting" ? new Date(due).toISOString() : null,
    status,
    error,
  };
}

function deliveryOf(id: string, message: HookMessage, due: number): DeliveryRow {
  const createdAt = new Date().toISOString();
  const text = JSON.stringify(message);
  return { id, state: "waiting", message: text, attempts: 0, createdAt, due, status: null, error: null };
}

function readMessage({ message }: DeliveryRow): HookMessage | undefined {
  try {
    return HookMessage.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}

function newMessageId(): string {
  return `msg_${randomBytes(12).toString("hex")}`;
}
