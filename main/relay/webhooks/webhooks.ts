import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import {
  type Webhook,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookSettings,
  webhookLimits,
} from "../../../core/protocol/webhooks.ts";
import { Undo } from "../../../core/undo.ts";
import type { Log } from "../../system/log.ts";
import { canonicalAddress } from "../plugins/address-kind.ts";
import { eachSession } from "../session/each-session.ts";
import type { LoggedEvent } from "../session/event-log.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { DeliveryState, WebhookRow, WebhookRows } from "../store/webhook-rows.ts";
import { concernOf, EventNames, mayStay, nameFor, settles } from "./event-names.ts";
import { type HookEventName, type HookItem, itemOf } from "./hook-message.ts";
import { deliveryRecord, type HookPace, HookQueue, type HookTarget } from "./hook-queue.ts";
import { hookTargetError } from "./hook-target.ts";
import { memoryOnly, type SecretStore } from "./secret-store.ts";
import { newSecret } from "./sign-message.ts";
import { formatError } from "./write-message.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The last wait is a day, so that a receiver that is gone for a day misses nothing. */
const RETRY_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
  24 * HOUR_MS,
];

/** A person who did something in a session this long ago is still at it. */
const PRESENT_MS = 60_000;

const defaultPace: HookPace = {
  resolve: (host) => lookup(host, { all: true }),
  timeoutMs: 10_000,
  retryMs: RETRY_MS,
  burst: 5,
  stormMs: 10_000,
  minuteMs: MINUTE_MS,
};

const KeptTarget = z.object({ url: z.string(), secret: z.string() });

interface WebhooksOptions {
  readonly rows: WebhookRows;
  readonly sessions: Pick<Sessions, "all" | "find" | "onChange">;
  /** The operating-system user whose sessions they are for. */
  readonly owner: string;
  /** Where the URLs and secrets are kept. */
  readonly secrets?: SecretStore | undefined;
  readonly log: Log;
  /** Address of a session's page. */
  readonly linkOf: (session: SessionId) => string;
  readonly pace?: Partial<HookPace> | undefined;
}

/** What a new hook is made of. */
interface WantedWebhook {
  readonly url: string;
  readonly session: string | undefined;
  readonly settings: WebhookSettings;
}

/** Sends events of the owner's sessions to hooks (docs/decisions/0049). The events are those of the sessions' logs. */
export class Webhooks implements Disposable {
  readonly #options: WebhooksOptions;
  readonly #pace: HookPace;
  readonly #secrets: SecretStore;
  readonly #queues = new Map<string, HookQueue>();
  readonly #targets = new Map<string, HookTarget>();
  /** The last event that the relay has told every session of. */
  #told: unknown;
  readonly #undo = new Undo();

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#pace = { ...defaultPace, ...options.pace };
    this.#secrets = options.secrets ?? memoryOnly();
    for (const hook of options.rows.list()) this.#open(hook);
    const { sessions, owner } = options;
    this.#undo.add(eachSession(sessions, (session) => (session.owner === owner ? this.#watch(session) : undefined)));
    this.#undo.add(sessions.onChange(() => this.#dropHooks()));
    this.#dropHooks();
  }

  /** Begins to deliver, once the relay has an address for the links. */
  start(): void {
    for (const queue of this.#queues.values()) queue.start();
  }

  list(): Webhook[] {
    return [...this.#queues.values()].map((queue) => this.#record(queue));
  }

  /** @throws RemoteError `invalid_params`, `unknown_session` or `limit_reached` */
  async add({
    url: text,
    session,
    settings,
  }: WantedWebhook): Promise<Webhook & { secret: string; kept: "keychain" | "file" }> {
    const address = settings.address === undefined ? undefined : canonicalAddress(settings.address);
    const url = new URL(text);
    const why = hookTargetError(url, address) ?? formatError(url, settings.format);
    if (why !== undefined) throw new RemoteError("invalid_params", `url: ${why}.`);
    const target = session === undefined ? undefined : this.#sessionOf(session);
    if (this.#queues.size >= webhookLimits.hooks) {
      throw new RemoteError("limit_reached", `A relay has at most ${webhookLimits.hooks} webhooks: remove one first.`);
    }
    const secret = newSecret();
    const hook: WebhookRow = {
      id: randomBytes(6).toString("hex"),
      session: target?.id ?? null,
      to: url.origin,
      settings: { ...settings, ...(address === undefined ? {} : { address }) },
      createdAt: new Date().toISOString(),
    };
    const kept = await this.#secrets.set(accountOf(hook.id), JSON.stringify({ url: url.href, secret }));
    this.#options.rows.add(hook);
    this.#targets.set(hook.id, { url: url.href, secret });
    return { ...this.#record(this.#open(hook)), secret, kept };
  }

  /** @throws RemoteError `unknown_webhook` */
  async remove(id: string): Promise<void> {
    this.#queueOf(id);
    this.#options.rows.remove(id);
    await this.#close(id);
  }

  /** @throws RemoteError `unknown_webhook` */
  test(id: string): Promise<WebhookAttempt> {
    return this.#queueOf(id).test(testItem(new Date()));
  }

  /** @throws RemoteError `unknown_webhook` */
  deliveries(id: string, which: { state: DeliveryState | undefined; limit: number }): WebhookDelivery[] {
    this.#queueOf(id);
    return this.#options.rows.deliveries(id, which).map(deliveryRecord);
  }

  /** @throws RemoteError `unknown_webhook` */
  replay(id: string, delivery: string | undefined): number {
    const queue = this.#queueOf(id);
    if (delivery !== undefined && this.#options.rows.delivery(id, delivery) === undefined) {
      throw new RemoteError("unknown_webhook", "The webhook has no message with this id, or keeps it no longer.");
    }
    return queue.replay(delivery);
  }

  [Symbol.dispose](): void {
    this.#undo.dispose();
    for (const queue of this.#queues.values()) queue[Symbol.dispose]();
  }

  #open(hook: WebhookRow): HookQueue {
    const { rows, log, linkOf } = this.#options;
    const queue = new HookQueue({ hook, rows, log, linkOf, pace: this.#pace, target: () => this.#targetOf(hook.id) });
    this.#queues.set(hook.id, queue);
    return queue;
  }

  async #close(id: string): Promise<void> {
    this.#queues.get(id)?.[Symbol.dispose]();
    this.#queues.delete(id);
    this.#targets.delete(id);
    await this.#secrets.remove(accountOf(id));
  }

  async #targetOf(id: string): Promise<HookTarget> {
    const known = this.#targets.get(id);
    if (known !== undefined) return known;
    const kept = await this.#secrets.get(accountOf(id));
    if (kept === undefined)
      throw new Error("its URL and secret are not in the keychain: remove the webhook and add it again");
    const target = KeptTarget.parse(JSON.parse(kept));
    this.#targets.set(id, target);
    return target;
  }

  #record({ hook, lastError }: HookQueue): Webhook {
    const { rows } = this.#options;
    const { id, session, to, settings, createdAt } = hook;
    const waiting = rows.count(id, "waiting");
    return { ...settings, id, to, session, createdAt, waiting, dead: rows.count(id, "dead"), lastError };
  }

  #queueOf(id: string): HookQueue {
    const queue = this.#queues.get(id);
    if (queue === undefined) throw new RemoteError("unknown_webhook", "No webhook has this id.");
    return queue;
  }

  #sessionOf(wanted: string): Session {
    const own = this.#options.sessions.all().filter(({ owner }) => owner === this.#options.owner);
    const found = own.find(({ id }) => id === wanted) ?? own.find(({ state }) => state.now.session.name === wanted);
    if (found === undefined) throw new RemoteError("unknown_session", "No session of yours has this id or name.");
    return found;
  }

  /** Drops the hooks of sessions that are gone. */
  #dropHooks(): void {
    const { sessions, log } = this.#options;
    for (const { hook } of this.#queues.values()) {
      if (hook.session === null || sessions.find(hook.session) !== undefined) continue;
      this.#close(hook.id).catch((error) => log.warn("the secret of a webhook could not be removed", { error }));
    }
  }

  #watch(session: Session): () => void {
    const { events } = session.state;
    const names = new EventNames();
    const take = (logged: LoggedEvent) => {
      const its = names.next(logged.event);
      if (this.#queues.size > 0) this.#take(session, logged, its);
    };
    // Those of the relay's start, such as of shells that have ended meanwhile.
    for (const logged of events.after(0).events) take(logged);
    return events.subscribe(take);
  }

  #take(session: Session, { event, at }: LoggedEvent, names: readonly HookEventName[]): void {
    // The relay tells every session of a budget: hooks that are for all of them hear of it once.
    const isRepeated = event.data === this.#told;
    this.#told = event.data;
    const concern = concernOf(session.id, event);
    for (const queue of this.#queues.values()) {
      const { session: only, settings } = queue.hook;
      if (only === null ? isRepeated : only !== session.id) continue;
      const name = nameFor(settings.events, names);
      const { id, name: sessionName } = session.state.now.session;
      try {
        if (concern !== undefined && settles(event)) queue.settle(concern);
        if (name === undefined) continue;
        const item = () =>
          itemOf({ name, event, at, session: { id, name: sessionName }, contentFree: settings.contentFree });
        const { after } = settings;
        if (after !== undefined && concern !== undefined && mayStay(name)) queue.hold(item(), concern, after);
        else if (settings.always || !session.presence.within(PRESENT_MS)) queue.take(item());
      } catch (error) {
        // Nothing of a webhook may hold up the session.
        this.#options.log.error("an event could not be kept for a webhook", { webhook: queue.hook.id, error });
      }
    }
  }
}

function accountOf(id: string): string {
  return `webhook:${id}`;
}

function testItem(at: Date): HookItem {
  return {
    event: "webhook.test",
    at: at.toISOString(),
    session: null,
    title: "Test message of Patchbay",
    text: "The webhook works.",
    data: null,
  };
}
