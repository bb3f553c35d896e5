import type { KV } from "@nats-io/kv";
import { z } from "zod";
import { jsonOrUndefined } from "../../../core/protocol/json-value.ts";
import { Question } from "../../../core/protocol/questions.ts";
import type { Log } from "../../system/log.ts";
import { eachSession } from "../session/each-session.ts";
import type { Subscriber } from "../session/session-state.ts";
import type { MemberRelay, MemberSession } from "./member-relay.ts";

/** The broker keeps them this long after they were last written. */
export const QUESTIONS_TTL_MS = 24 * 3600_000;
/** They are written again this often while they stay the same. */
const RENEW_EVERY_MS = 6 * 3600_000;
/** Changes within this time are written together. */
const GATHER_MS = 250;
const MOST_BYTES = 512 * 1024;
const MOST_QUESTIONS = 200;
const KEPT_TEXT = 4000;

const UNANSWERABLE = { digest: null, answerable: false } as const;
const NONE = "[]";
const Kept = z.array(Question).max(MOST_QUESTIONS);

/** Where the broker keeps them. */
type QuestionStore = Pick<KV, "get" | "put">;

interface KeptQuestionsOptions {
  readonly member: string;
  readonly sessions: MemberRelay["sessions"];
  readonly log: Log;
}

/**
 * The open questions of this relay's sessions, which the broker keeps for the time when the relay is away. Each member
 * writes its own only, which the broker checks. They are read when they are asked for, and kept at no other relay.
 */
export class KeptQuestions implements Disposable {
  readonly #options: KeptQuestionsOptions;
  readonly #unwatch: () => void;
  readonly #renewal: NodeJS.Timeout;
  #kv: QuestionStore | undefined;
  #timer: NodeJS.Timeout | undefined;
  #written: { readonly text: string; readonly at: number } | undefined;

  constructor(options: KeptQuestionsOptions) {
    this.#options = options;
    this.#renewal = setInterval(() => this.#schedule(), RENEW_EVERY_MS);
    this.#renewal.unref();
    this.#unwatch = eachSession(options.sessions, (session) => this.#watch(session));
  }

  /** Writes from now on; called at each connection to the broker. */
  open(kv: QuestionStore): void {
    this.#kv = kv;
    this.#written = undefined;
    this.#schedule();
  }

  /** Stops until `open`: the connection to the broker is lost. */
  suspend(): void {
    this.#kv = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Writes what has changed, before the relay leaves. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
  }

  /** Returns the questions of all sessions of a relay that is away, as it last wrote them: nothing answers them, whatever they say. */
  async read(member: string): Promise<readonly Question[]> {
    const entry = await this.#kv?.get(member);
    if (entry === undefined || entry === null || entry.operation !== "PUT") return [];
    const kept = Kept.safeParse(jsonOrUndefined(new TextDecoder().decode(entry.value))).data ?? [];
    return kept.map((question) => ({ ...question, ...UNANSWERABLE }));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#renewal);
    this.#unwatch();
    this.suspend();
  }

  #watch(session: MemberSession): () => void {
    const { subscribers } = session.state;
    const subscriber: Subscriber = {
      send: (frame) => {
        if (frame.type === "diff" && /^question/.test(frame.diff.kind)) this.#schedule();
      },
    };
    subscribers.add(subscriber);
    return () => {
      subscribers.delete(subscriber);
      this.#schedule();
    };
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#write();
    }, GATHER_MS);
  }

  async #write(): Promise<void> {
    const { member, sessions, log } = this.#options;
    const text = encode(sessions.all().flatMap(({ questions }) => questions.list({ all: false })));
    const now = performance.now();
    const isSame = this.#written !== undefined && this.#written.text === text;
    const isFresh = this.#written !== undefined && (text === NONE || now - this.#written.at < RENEW_EVERY_MS / 2);
    if (this.#kv === undefined || (isSame && isFresh)) return;
    this.#written = { text, at: now };
    try {
      await this.#kv.put(member, text);
    } catch (error) {
      this.#written = undefined;
      log.warn("the fleet's broker does not keep this relay's questions", { error: String(error) });
    }
  }
}

/**
 * The latest that fit. The screen, the changes to files and other input stay here, so that they are no longer what the digest
 * names; and no answer reaches the agent of a relay that is away.
 */
function encode(questions: readonly Question[]): string {
  const kept: string[] = [];
  let size = NONE.length;
  for (const question of questions.slice(-MOST_QUESTIONS).reverse()) {
    const { command } = question.detail;
    const [text, detail] = [question.text.slice(0, KEPT_TEXT), command === undefined ? {} : { command }];
    const encoded = JSON.stringify({ ...question, text, detail, ...UNANSWERABLE } satisfies Question);
    size += Buffer.byteLength(encoded) + Number(kept.length > 0);
    if (size > MOST_BYTES) break;
    kept.push(encoded);
  }
  return `[${kept.reverse().join(",")}]`;
}
