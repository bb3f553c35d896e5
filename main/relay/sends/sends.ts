import type { Agent } from "../../../core/protocol/agent-records.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import { hasReached, type Receipt, type ReceiptState } from "../../../core/protocol/receipts.ts";
import type { ReceiptRows, StoredReceipt } from "../store/receipt-rows.ts";
import { AgentRecord, type AgentRecordOptions } from "./agent-record.ts";
import { type DeliveryOptions, type Hindrance, PromptDelivery } from "./prompt-delivery.ts";
import { isQueued, ReceiptBook, type SendsSession } from "./receipt-book.ts";
import { checkText } from "./type-prompt.ts";

interface SendsOptions extends DeliveryOptions, Pick<AgentRecordOptions, "follow" | "timing"> {
  readonly session: SendsSession;
  readonly rows: ReceiptRows;
}

/** A prompt as a caller sends it. */
interface WantedPrompt extends Pick<Receipt, "when" | "guard"> {
  readonly shellId?: ShellId | undefined;
  readonly agentSessionId?: string | undefined;
  readonly text: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly expect?: string | undefined;
}

/** Who sends a prompt. */
export interface Sender {
  readonly account: string;
  readonly name: string;
  /** It is a program. */
  readonly isAutomated: boolean;
  /** It acts for an agent, which must not type where a question is open, and changes its own prompts only. */
  readonly byAgent: boolean;
  /** It is restricted, and so is what it types into. */
  readonly restrictsShell: boolean;
}

/** How often the queues are looked at while prompts wait: for their expiry, and for what sends no event. */
const TICK_MS = 1000;

/**
 * The prompts that are sent to the agents in a session's shells. Each shell has a queue, whose prompts are written one
 * after the other; the receipts say what is known of each (docs/decisions/0026).
 */
export class Sends implements Disposable {
  readonly #options: SendsOptions;
  readonly #book: ReceiptBook;
  readonly #record: AgentRecord;
  readonly #delivery: PromptDelivery;
  /** Shells whose queue is being worked on; true if it is to be looked at once more. */
  readonly #working = new Map<ShellId, boolean>();
  #tick: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(options: SendsOptions) {
    this.#options = options;
    this.#book = new ReceiptBook(options.session, options.rows);
    this.#record = new AgentRecord({ ...options, book: this.#book });
    this.#book.onChange(({ id, shellId, state }) => {
      if (state === "accepted" || state === "started") options.guard.promptTaken(shellId, id);
    });
    this.#delivery = new PromptDelivery({
      ...options,
      book: this.#book,
      isDisposed: () => this.#disposed,
      entered: () => this.#record.wake(),
    });
  }

  /** Takes over what the last run of the relay left. Called once, when the session is complete. */
  restore(): void {
    for (const { receipt, prompt } of this.#book.all()) {
      if (receipt.final || isQueued(receipt, prompt)) continue;
      this.#book.step(receipt.id, {
        state: "uncertain",
        evidence: `the relay was restarted while it wrote the prompt${prompt.entered ? " and awaited the agent's record" : ""}`,
      });
    }
    this.#record.wake();
    this.#wakeAll();
  }

  /** Returns receipts: those that are not final in the order of their queues, with `all` the final ones before them. */
  list({ all = false }: { readonly all?: boolean } = {}): Receipt[] {
    const stored = this.#book.all().filter(({ receipt }) => all || !receipt.final);
    const rank = ({ receipt, prompt }: StoredReceipt) => (isQueued(receipt, prompt) ? 1 : 0);
    return stored
      .toSorted((one, other) => rank(one) - rank(other) || (rank(one) === 1 ? inQueue(one, other) : 0))
      .map(({ receipt }) => receipt);
  }

  /** @throws RemoteError `unknown_receipt` */
  get(id: number): Receipt & { prompt: string } {
    const { receipt, prompt } = this.#book.get(id);
    return { ...receipt, prompt: prompt.text };
  }

  /**
   * Returns the shell that a prompt is for.
   *
   * @throws RemoteError `invalid_params`, `unknown_agent_session`
   */
  shellOf({ shellId, agentSessionId }: Pick<WantedPrompt, "shellId" | "agentSessionId">): ShellId {
    if ((shellId === undefined) === (agentSessionId === undefined)) {
      throw new RemoteError(
        "invalid_params",
        `params: expected exactly one of shellId and agentSessionId, got ${shellId === undefined ? "neither" : "both"}.`,
      );
    }
    if (shellId !== undefined) return shellId;
    const agent = this.#options.agents().find(({ sessionId }) => sessionId === agentSessionId);
    if (agent?.assumed === true) {
      throw new RemoteError(
        "unknown_agent_session",
        `Nothing proves yet that the agent in shell ${agent.shellId} works on the session ${JSON.stringify(agentSessionId)}: name the shell instead, or try again after the agent's next answer.`,
      );
    }
    if (agent !== undefined) return agent.shellId;
    throw new RemoteError(
      "unknown_agent_session",
      `No agent with the session ${JSON.stringify(agentSessionId)} runs in this session's shells.`,
    );
  }

  /**
   * Queues a prompt and returns its receipt.
   *
   * @throws RemoteError `invalid_params`, `shell_exited`, `invalid_request`, `limit_reached`, `storage_failed`
   */
  send(shell: ShellId, wanted: WantedPrompt, { name, ...sender }: Sender): Receipt {
    checkText(wanted.text);
    const agent = this.#delivery.agentIn(shell, wanted.agentSessionId);
    if (agent === undefined && wanted.when === "idle") {
      throw new RemoteError(
        "invalid_request",
        `No known agent runs in shell ${shell}, so whether it is between turns cannot be told: start an agent there first. \`when: now\` (--when now) sends the prompt to another program that runs there.`,
      );
    }
    const { when, guard, text, expect = null, expiresIn } = wanted;
    const receipt = this.#book.add({
      ...{ shellId: shell, agentType: agent?.agentType ?? "", agentSessionId: agent?.sessionId ?? "" },
      ...{ when, guard, text, expect, by: name, ...sender },
      namesSession: wanted.agentSessionId !== undefined,
      expiresAt: new Date(Date.now() + expiresIn * 1000).toISOString(),
    });
    this.#wake(shell);
    return receipt;
  }

  /**
   * Changes a prompt that waits. One that gets another text is its editor's from then on.
   *
   * @throws RemoteError `unknown_receipt`, `prompt_sent`, `scope_forbids`, `invalid_params`, `storage_failed`
   */
  edit(
    id: number,
    {
      text,
      position,
      when,
      expiresIn,
    }: { readonly [K in "text" | "when" | "expiresIn"]?: WantedPrompt[K] | undefined } & {
      position?: number | undefined;
    },
    { name: by, account, byAgent, restrictsShell }: Sender,
  ): Receipt {
    const { shellId } = this.#waiting(id, { account, byAgent });
    if (text !== undefined) checkText(text);
    this.#book.edit(id, {
      ...(text === undefined ? {} : { rewritten: { by, text, account, byAgent, restrictsShell } }),
      ...(when === undefined ? {} : { when }),
      ...(expiresIn === undefined ? {} : { expiresAt: new Date(Date.now() + expiresIn * 1000).toISOString() }),
    });
    if (position !== undefined) this.#book.move(id, position);
    this.#wake(shellId);
    return this.#book.get(id).receipt;
  }

  /** Takes a prompt out of its queue. @throws RemoteError `unknown_receipt`, `prompt_sent`, `scope_forbids` */
  cancel(id: number, by: Sender): Receipt {
    this.#waiting(id, by);
    this.#book.step(id, { state: "refused", reason: "cancelled", evidence: `cancelled by ${by.name}` });
    return this.#book.get(id).receipt;
  }

  /**
   * Resolves to a receipt that has reached a state.
   *
   * @throws RemoteError `unknown_receipt`, `wait_timeout`, `prompt_undelivered` when it cannot reach the state any more
   */
  async waitFor(id: number, wanted: ReceiptState, timeoutMs: number, lifetime?: Lifetime): Promise<Receipt> {
    const { receipt } = this.#book.get(id);
    const isOver = (one: Receipt) => hasReached(one, wanted) || one.final;
    const reached = isOver(receipt) ? receipt : await this.#book.next(id, isOver, timeoutMs, lifetime);
    if (lifetime?.ended !== undefined) throw lifetime.ended;
    const { state, reason, history } = reached ?? this.#book.get(id).receipt;
    if (reached !== undefined && hasReached(reached, wanted)) return reached;
    const last = `${state}${reason === null ? "" : ` (${reason})`}: ${history.at(-1)?.evidence}`;
    if (reached !== undefined) throw new RemoteError("prompt_undelivered", `Prompt ${id} is ${last}.`);
    throw new RemoteError(
      "wait_timeout",
      `Prompt ${id} was not ${wanted} within ${formatSeconds(timeoutMs)}. It is ${last}.`,
    );
  }

  /** Takes an event of the session: what agents and shells do lets prompts go on. */
  heard(event: RelayEvent): void {
    switch (event.type) {
      case "agent.started":
      case "agent.updated":
      case "agent.waiting":
        this.#record.wake();
        this.#wake(event.data.shellId);
        break;
      case "agent.ended":
        this.#agentEnded(event.data);
        break;
      case "shell.exited":
        this.#wake(event.data.shellId);
        void this.#record.shellEnded(event.data.shellId).catch(() => undefined);
        break;
      case "question.answered":
      case "question.withdrawn":
        this.#wake(event.data.shellId);
    }
  }

  /** Leaves the prompts in the store. What is being written is uncertain at the next start. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    clearTimeout(this.#tick);
    this.#record[Symbol.dispose]();
  }

  /** Returns a prompt that a caller may change. @throws RemoteError `unknown_receipt`, `prompt_sent`, `scope_forbids` */
  #waiting(id: number, { account, byAgent }: Pick<Sender, "account" | "byAgent">): Receipt {
    const { receipt, prompt } = this.#book.get(id);
    if (byAgent && prompt.account !== account) {
      throw new RemoteError(
        "scope_forbids",
        `Prompt ${id} was sent by ${receipt.by}, and an agent changes only the prompts that it has sent itself.`,
      );
    }
    if (isQueued(receipt, prompt)) return receipt;
    const state = receipt.state === "queued" ? "being written" : receipt.state;
    throw new RemoteError("prompt_sent", `Prompt ${id} is ${state}, so it can no longer be changed.`);
  }

  #agentEnded(agent: Agent): void {
    for (const { receipt, prompt } of this.#book.queued(agent.shellId)) {
      if (receipt.agentType !== agent.agentType || !isQueued(receipt, prompt)) continue;
      // Another agent of the kind has ended.
      const own = this.#delivery.agentIn(agent.shellId, receipt.agentSessionId);
      if (own !== undefined && own.sessionId !== "" && own.sessionId !== agent.sessionId) continue;
      this.#book.step(receipt.id, { state: "refused", reason: "agent_gone", evidence: "the agent has ended" });
    }
    void this.#record.ended(agent).catch(() => undefined);
  }

  #wakeAll(): void {
    const shells = new Set(
      this.#book.all().flatMap(({ receipt, prompt }) => (isQueued(receipt, prompt) ? [receipt.shellId] : [])),
    );
    for (const shell of shells) this.#wake(shell);
  }

  /** Looks at the queue of a shell. */
  #wake(shell: ShellId): void {
    if (this.#disposed) return;
    if (this.#working.has(shell)) {
      this.#working.set(shell, true);
      return;
    }
    this.#working.set(shell, false);
    void this.#work(shell)
      .catch(() => undefined)
      .finally(() => {
        const again = this.#working.get(shell) === true;
        this.#working.delete(shell);
        if (again) this.#wake(shell);
        else if (this.#book.queued(shell).length > 0) this.#scheduleTick();
      });
  }

  #scheduleTick(): void {
    if (this.#disposed || this.#tick !== undefined) return;
    this.#tick = setTimeout(() => {
      this.#tick = undefined;
      this.#wakeAll();
    }, TICK_MS);
    this.#tick.unref();
  }

  /** Writes the prompts of a queue, until one has to wait. */
  async #work(shell: ShellId): Promise<void> {
    for (;;) {
      this.#expire(shell);
      const queue = this.#book.queued(shell);
      // A prompt that is to be written now does not wait for those that wait for the agent.
      const head = queue.find(({ receipt }) => receipt.when === "now") ?? queue[0];
      if (head === undefined || this.#disposed) return;
      const hindrance = (await this.#delivery.hindrance(head)) ?? (await this.#delivery.write(head.receipt.id));
      if (this.#disposed) return;
      if (hindrance !== undefined && !this.#putOff(head.receipt.id, hindrance)) return;
    }
  }

  #expire(shell: ShellId): void {
    for (const { receipt } of this.#book.queued(shell)) {
      if (Date.parse(receipt.expiresAt) > Date.now()) continue;
      const evidence = `not written in time${receipt.waitsFor === null ? "" : `: ${receipt.waitsFor}`}`;
      this.#book.step(receipt.id, { state: "expired", evidence });
    }
  }

  /** Refuses a prompt that cannot wait; says of one that can what it waits for. Returns whether the queue goes on. */
  #putOff(id: number, { reason, why, isPermanent }: Hindrance): boolean {
    const stored = this.#book.find(id);
    if (stored === undefined || !isQueued(stored.receipt, stored.prompt)) return true;
    if (isPermanent || stored.receipt.when === "now")
      return this.#book.step(id, { state: "refused", reason, evidence: why });
    this.#book.setWaitsFor(id, why);
    return false;
  }
}

function inQueue(one: StoredReceipt, other: StoredReceipt): number {
  return one.receipt.shellId - other.receipt.shellId || one.prompt.order - other.prompt.order;
}
