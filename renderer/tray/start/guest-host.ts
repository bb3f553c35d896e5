import type { Client } from "../../../core/client/client.ts";
import { panelSession } from "../../../core/client/panel-session.ts";
import { type AskableName, askSpec } from "../../../core/commands/asked.ts";
import { answerAdopt } from "../../../core/commands/session/answer-adopt.ts";
import { answerAgent } from "../../../core/commands/session/answer-agent.ts";
import type { ProcedureName } from "../../../core/procedures/index.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import { relayOps } from "../../../core/protocol/relay-ops.ts";
import { roleForbids } from "../../../core/protocol/roles.ts";
import { mayAnswer } from "../../../core/protocol/waiting.ts";
import type { InvokeArgs, OnMessages, PanelContent } from "../../../preload/channels.ts";
import type { PanelCall, PanelHost, PanelMessage } from "../host.ts";
import { words } from "../words/index.ts";
import { handleCall, type PanelHandlers } from "./panel-handlers.ts";

/** Changes within this time are told together. */
const TOGETHER_MS = 100;

/** The answers that the page's client can ask for. */
const ANSWERS = ["answerQuestion", "answerAdopt", "answerAgent"] as const;

/** The parts of the page's client that the host uses. */
export type GuestClient = Pick<Client, "mirror" | "self" | "connected" | "subscribe" | "ask">;

type Listeners = { readonly [N in PanelMessage]: Set<(message: OnMessages[N]) => void> };

/**
 * The panel's host in the page of a guest: shows the one session from the mirror of the page's client, and answers by that
 * client's own requests. It makes no other request, and the relay decides on each as on any of that client.
 */
export class GuestHost implements PanelHost {
  readonly #client: GuestClient;
  readonly #listeners: Listeners = {
    "panel.changed": new Set(),
    "panel.tab": new Set(),
    "panel.section": new Set(),
  };
  readonly #handlers: PanelHandlers;
  /** The client as it was told last. */
  #told: Pick<GuestClient, "mirror" | "connected"> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopFollowing: (() => void) | undefined;

  constructor(client: GuestClient) {
    this.#client = client;
    this.#handlers = {
      "panel.start": () => this.#tell(),
      "panel.run": ({ operation, params }) => {
        // Without the session, which the client's connection names.
        if (operation === "answerQuestion") return client.ask(operation, relayOps.answerQuestion.params.parse(params));
        if (operation === "answerAdopt") return client.ask(operation, answerAdopt.params.parse(params));
        if (operation === "answerAgent") return client.ask(operation, answerAgent.params.parse(params));
        if (operation === "getQuestions") return client.mirror?.questions ?? [];
        throw new Error(words.browser.onlyInApp);
      },
    };
  }

  can(name: PanelCall): boolean {
    return Object.hasOwn(this.#handlers, name);
  }

  readonly canRun = (name: ProcedureName): boolean => ANSWERS.some((answer) => answer === name && this.#mayAsk(answer));

  invoke<N extends PanelCall>(name: N, args: InvokeArgs<N>): Promise<unknown> {
    return handleCall(this.#handlers, name, args);
  }

  /** Subscribes to messages. The client is followed only while something listens. Returns an unsubscribe function. */
  on<N extends PanelMessage>(name: N, listener: (message: OnMessages[N]) => void): () => void {
    const listeners: Listeners[N] = this.#listeners[name];
    listeners.add(listener);
    this.#followWhileHeard();
    return () => {
      listeners.delete(listener);
      this.#followWhileHeard();
    };
  }

  /** Reports whether the role of the page's client allows a request, as the request is declared. */
  #mayAsk(name: AskableName): boolean {
    const { self } = this.#client;
    const needed = askSpec(name)?.role;
    return this.#client.connected && self !== undefined && needed !== undefined && !roleForbids(needed, self.role);
  }

  #followWhileHeard(): void {
    if (this.#listeners["panel.changed"].size > 0) {
      this.#stopFollowing ??= this.#client.subscribe(() => this.#tellSoon());
      return;
    }
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
    this.#clearTimer();
  }

  #tellSoon(): void {
    const { mirror, connected } = this.#client;
    // The client's own layout changes nothing here.
    if (mirror === this.#told?.mirror && connected === this.#told?.connected) return;
    this.#timer ??= setTimeout(() => this.#tell(), TOGETHER_MS);
  }

  #tell(): void {
    this.#clearTimer();
    const { mirror, connected, self } = this.#client;
    this.#told = { mirror, connected };
    if (mirror === undefined) return;
    const content = contentOf(mirror, self);
    for (const tell of [...this.#listeners["panel.changed"]]) tell(content);
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Makes the content from a session's mirror. What is of the relay and its owner is not known here, nor shown. */
function contentOf({ session: { id, name }, ...mirror }: SessionMirror, self: GuestClient["self"]): PanelContent {
  const unknown = () => undefined;
  const questions = mirror.questions.map((question) =>
    question.source !== "governor" || mayAnswer(question, mirror.clients, self)
      ? question
      : { ...question, answerable: false },
  );
  return {
    address: "",
    externalAddresses: [],
    healthIssue: undefined,
    logins: [],
    version: "",
    sessions: [
      panelSession({
        ...{ id, name, self: self?.id, mirror: { ...mirror, questions }, guests: [], muted: [], costToday: 0 },
        labelOf: unknown,
        startOf: unknown,
      }),
    ],
    costToday: 0,
    budgets: { day: null, session: null },
    desktop: undefined,
  };
}
