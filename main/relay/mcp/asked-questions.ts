import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { isOpen, type Question } from "../../../core/protocol/questions.ts";
import { withoutSecretsAtOnce } from "../../system/hide-in-value.ts";
import { hideSecretsInCut } from "../../system/redact-part.ts";
import { eachSession } from "../session/each-session.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { answerOf, formOf } from "./elicitation.ts";
import type { McpCaller } from "./mcp-caller.ts";

/** Questions that a client is asked at a time: it shows them one after the other. */
const MOST_ASKED = 20;
/** A question is asked for as long as it is open: this is the longest time that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

interface AskedQuestionsOptions {
  readonly server: Pick<Server, "elicitInput">;
  readonly caller: McpCaller;
  /** Resolves when the client can be asked. */
  readonly ready: Promise<unknown>;
  readonly sessions: Pick<Sessions, "all" | "onChange">;
}

/**
 * Puts the open questions of agents to the person behind a client (elicitation), for as long as the client listens. An
 * answer is a call of `answerQuestion` for what was shown, so it is asked of nobody who may not make that call: an agent
 * is not asked its own questions.
 */
export class AskedQuestions implements Disposable {
  readonly #options: AskedQuestionsOptions;
  /** What was asked, by session, question and what it showed; aborted when the question is settled elsewhere. */
  readonly #asked = new Map<string, AbortController>();
  readonly #stop: () => void;

  constructor(options: AskedQuestionsOptions) {
    this.#options = options;
    this.#stop = eachSession(options.sessions, (session) => this.#watch(session));
  }

  [Symbol.dispose](): void {
    this.#stop();
    for (const asked of this.#asked.values()) asked.abort();
  }

  #watch(session: Session): (() => void) | undefined {
    if (session.owner !== this.#options.caller.user) return undefined;
    const { subscribers } = session.state;
    const subscriber = {
      send: (frame: { readonly type: string; readonly diff?: { readonly kind: string } }) => {
        if (frame.diff?.kind === "question" || frame.diff?.kind === "question-gone") this.#look(session);
      },
    };
    subscribers.add(subscriber);
    this.#look(session);
    return () => subscribers.delete(subscriber);
  }

  /** Asks what is new, and takes back what is asked no more. */
  #look({ id: session, state }: Session): void {
    const open = state.now.questions.filter((question) => isOpen(question) && question.answerable);
    const names = new Set(open.map(nameOf));
    for (const [name, asked] of this.#asked) {
      if (!name.startsWith(`${session} `) || names.has(name)) continue;
      asked.abort();
      this.#asked.delete(name);
    }
    for (const question of open) {
      const name = nameOf(question);
      if (this.#asked.has(name) || this.#asked.size >= MOST_ASKED) continue;
      const asked = new AbortController();
      this.#asked.set(name, asked);
      // A client that cannot ask, or is gone, leaves the question to others.
      this.#ask(question, asked.signal).catch(() => undefined);
    }
  }

  async #ask(question: Question, signal: AbortSignal): Promise<void> {
    const { server, caller, ready } = this.#options;
    const { session, id } = question;
    await ready;
    if (!(await caller.may("answerQuestion", { session })) || signal.aborted) return;
    const shown = (await caller.hidesSecrets()) ? withoutSecretsAtOnce(question, hideSecretsInCut) : question;
    const { action, content } = await server.elicitInput(formOf(shown), { signal, timeout: LONGEST_MS });
    const answer = action === "accept" ? answerOf(question, content ?? {}) : undefined;
    if (answer === undefined || signal.aborted) return;
    await caller.call("answerQuestion", { session, id, ...answer }, { gone: signal });
  }
}

function nameOf({ session, id, digest }: Question): string {
  return `${session} ${id} ${digest}`;
}
