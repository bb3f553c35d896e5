import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { isOpen, type Question } from "../../../core/protocol/questions.ts";
import { withoutSecretsAtOnce } from "../../system/hide-in-value.ts";
import { hideSecretsInCut } from "../../system/redact-part.ts";
import { hidesPart } from "../questions/answer-rights.ts";
import { eachSession } from "../session/each-session.ts";
import type { Subscriber } from "../session/session-state.ts";
import { answerOf, formOf } from "./elicitation.ts";
import type { McpCaller } from "./mcp-caller.ts";

/** Questions that a client is asked at a time: it shows them one after the other. */
const MOST_ASKED = 20;
/** The most of them that one shell has: what runs in it may ask without end, and leaves places to others. */
const MOST_OF_SHELL = 5;
/** A question is asked for as long as it is open: this is the longest time that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** A session, as far as its questions need it. */
interface AskingSession {
  readonly id: string;
  readonly owner: string;
  readonly state: {
    readonly now: { readonly questions: readonly Question[] };
    readonly subscribers: Pick<Set<Subscriber>, "add" | "delete">;
  };
}

/** A question that was put to the client. It is remembered while it is open, so that it is asked once. */
interface AskedQuestion extends Pick<Question, "session" | "shellId"> {
  /** Aborted when it is settled elsewhere. */
  readonly settled: AbortController;
  /** The client has not answered. */
  isPending: boolean;
}

interface AskedQuestionsOptions {
  readonly server: Pick<Server, "elicitInput">;
  readonly caller: McpCaller;
  /** Resolves when the client can be asked. */
  readonly ready: Promise<unknown>;
  readonly sessions: { all(): readonly AskingSession[]; onChange(listener: () => void): () => void };
}

/**
 * Puts the open questions of agents to the person behind a client (elicitation), for as long as the client listens. An
 * answer is a call of `answerQuestion` for what was shown, so it is asked of nobody who may not make that call: an agent
 * is not asked its own questions.
 */
export class AskedQuestions implements Disposable {
  readonly #options: AskedQuestionsOptions;
  /** By session, question and what it showed. */
  readonly #asked = new Map<string, AskedQuestion>();
  readonly #watched = new Set<AskingSession>();
  readonly #stop: () => void;

  constructor(options: AskedQuestionsOptions) {
    this.#options = options;
    this.#stop = eachSession(options.sessions, (session) => this.#watch(session));
  }

  [Symbol.dispose](): void {
    // So that no place that becomes free is taken.
    this.#watched.clear();
    this.#stop();
  }

  #watch(session: AskingSession): (() => void) | undefined {
    if (session.owner !== this.#options.caller.user) return undefined;
    const { subscribers } = session.state;
    const subscriber: Subscriber = {
      send: (frame) => {
        if (frame.type !== "diff" || (frame.diff.kind !== "question" && frame.diff.kind !== "question-gone")) return;
        this.#takeBack(session, openIn(session));
        this.#askNew();
      },
    };
    subscribers.add(subscriber);
    this.#watched.add(session);
    this.#askNew();
    return () => {
      subscribers.delete(subscriber);
      this.#watched.delete(session);
      this.#takeBack(session, []);
      this.#askNew();
    };
  }

  /** Takes back what a session asks no more. */
  #takeBack({ id }: AskingSession, open: readonly Question[]): void {
    const names = new Set(open.map(nameOf));
    for (const [name, { session, settled }] of this.#asked) {
      if (session !== id || names.has(name)) continue;
      settled.abort();
      this.#asked.delete(name);
    }
  }

  /** Asks what is new in all sessions, as far as there are places. */
  #askNew(): void {
    const pending = [...this.#asked.values()].filter(({ isPending }) => isPending);
    for (const question of [...this.#watched].flatMap(openIn)) {
      if (pending.length >= MOST_ASKED) return;
      const { session, shellId } = question;
      const ofShell = pending.filter((one) => one.session === session && one.shellId === shellId).length;
      const name = nameOf(question);
      if (this.#asked.has(name) || ofShell >= MOST_OF_SHELL) continue;
      const asked: AskedQuestion = { session, shellId, settled: new AbortController(), isPending: true };
      this.#asked.set(name, asked);
      pending.push(asked);
      // A client that cannot ask, or is gone, leaves the question to others.
      const answered = this.#ask(question, asked.settled.signal).catch(() => undefined);
      void answered.then(() => {
        asked.isPending = false;
        this.#askNew();
      });
    }
  }

  async #ask(question: Question, signal: AbortSignal): Promise<void> {
    const { server, caller, ready } = this.#options;
    const { session, id } = question;
    await ready;
    if (!(await caller.may("answerQuestion", { session })) || signal.aborted) return;
    const hidesSecrets = await caller.hidesSecrets();
    // Nobody can allow what they are not shown: the question is left to others.
    if (hidesSecrets && hidesPart(question)) return;
    const shown = hidesSecrets ? withoutSecretsAtOnce(question, hideSecretsInCut) : question;
    const { action, content } = await server.elicitInput(formOf(shown), { signal, timeout: LONGEST_MS });
    const answer = action === "accept" ? answerOf(question, content ?? {}) : undefined;
    if (answer === undefined || signal.aborted) return;
    await caller.call("answerQuestion", { session, id, ...answer }, { gone: signal });
  }
}

function openIn({ state }: AskingSession): Question[] {
  return state.now.questions.filter((question) => isOpen(question) && question.answerable);
}

function nameOf({ session, id, digest }: Question): string {
  return `${session} ${id} ${digest}`;
}
