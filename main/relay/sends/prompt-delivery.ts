import type { Agent } from "../../../core/protocol/agent-records.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { PromptInput } from "../../../core/protocol/prompt-input.ts";
import type { Receipt } from "../../../core/protocol/receipts.ts";
import type { StoredReceipt } from "../store/receipt-rows.ts";
import { isQueued, type ReceiptBook } from "./receipt-book.ts";
import { type Obstacle, type TerminalPort, typePrompt } from "./type-prompt.ts";
import type { TypingGuard } from "./typing-guard.ts";

export interface DeliveryOptions {
  readonly guard: TypingGuard;
  readonly terminal: TerminalPort;
  readonly agents: () => readonly Agent[];
  /** How prompts are entered into a kind of agent; undefined for one that is not known. */
  readonly input: (agentType: string) => PromptInput | undefined;
  readonly isRunning: (shell: ShellId) => boolean;
  readonly isQuestionOpen: (shell: ShellId) => boolean;
  /** Rejects with `budget_reached` while automated input to the shell is held. */
  readonly checkBudget: (shell: ShellId) => Promise<void>;
  /** Whether the caller of that account may still type into the shell. */
  readonly isPermitted: (account: string, shell: ShellId) => boolean;
  /** Restricts a shell that a restricted caller types into. */
  readonly markTyped: (shell: ShellId) => void;
}

interface PromptDeliveryOptions extends DeliveryOptions {
  readonly book: ReceiptBook;
  readonly isDisposed: () => boolean;
  /** Called when a prompt was entered, to look for it in the agent's record. */
  readonly entered: () => void;
}

/** What a queued prompt waits for. `isPermanent`: it will not go away, so that the prompt is refused. */
export interface Hindrance extends Obstacle {
  readonly isPermanent?: true;
}

/** After Enter: how long the next prompt waits until the agent has recorded the one before. */
const RECORD_MS = 1500;
/** An agent that has recorded a prompt begins with it within this time, or never. */
const BEGIN_MS = 10_000;
/** Another session of an agent is noticed within this time. */
const SESSION_SEEN_MS = 1500;
/** After a start of the relay, agents are found again within this time. */
const AGENTS_FOUND_MS = 30_000;

/** Decides when a prompt may be written, writes it, and records in its receipt what was seen of it. */
export class PromptDelivery {
  readonly #options: PromptDeliveryOptions;
  readonly #book: ReceiptBook;
  readonly #startedAt = performance.now();

  constructor(options: PromptDeliveryOptions) {
    this.#options = options;
    this.#book = options.book;
  }

  /** Returns the agent that runs in a shell: that of a session, or the one that has the terminal. */
  agentIn(shell: ShellId, session?: string): Agent | undefined {
    const agents = this.#options.agents().filter(({ shellId, state }) => shellId === shell && state !== "ended");
    if (session !== undefined) return agents.find(({ sessionId }) => sessionId === session);
    return agents.find(({ paused }) => paused !== true) ?? agents[0];
  }

  /** Returns what is in the way of a prompt, before anything of it is written. */
  async hindrance({ receipt, prompt }: StoredReceipt): Promise<Hindrance | undefined> {
    const { guard, isPermitted, isRunning, isQuestionOpen } = this.#options;
    const { id, shellId: shell, expect, when } = receipt;
    if (!isRunning(shell)) return { reason: "shell_exited", why: `shell ${shell} has ended`, isPermanent: true };
    if (!isPermitted(prompt.account, shell)) {
      return {
        reason: "not_permitted",
        why: `${receipt.by} may no longer type into shell ${shell}`,
        isPermanent: true,
      };
    }
    const known = this.#agentHindrance({ receipt, prompt }) ?? (await this.#budgetHindrance(shell));
    if (known !== undefined) return known;
    if ((prompt.byAgent || receipt.guard) && isQuestionOpen(shell)) {
      return { reason: "question_open", why: `a question of an agent is open in shell ${shell}` };
    }
    if (receipt.guard) {
      const input = { shell, account: prompt.account, expect: expect ?? this.#programOf(receipt), prompt: id };
      const obstacle = await guard.inspect(input).catch((error: unknown) => failure(error));
      if (obstacle !== undefined) return obstacle;
    }
    return when === "idle" ? this.#turnHindrance({ receipt, prompt }) : this.#promptHindrance(shell);
  }

  /** The program that a prompt is for: its agent. */
  #programOf({ agentType }: Receipt): string | undefined {
    return agentType === "" ? undefined : agentType;
  }

  #agentHindrance({ receipt, prompt }: StoredReceipt): Hindrance | undefined {
    const { shellId, agentType, agentSessionId } = receipt;
    const own = agentSessionId === "" ? undefined : this.agentIn(shellId, agentSessionId);
    const front = this.agentIn(shellId);
    const agent = own ?? front;
    if (agent?.inPane === true) {
      const why = `${agent.agentType} runs in a pane of tmux in shell ${shellId}, and what is typed there may reach another pane`;
      return { reason: "unexpected_program", why, isPermanent: true };
    }
    if (agentType === "") return undefined;
    if (own?.paused === true) {
      return { reason: "unexpected_program", why: `${agentType} is stopped in shell ${shellId} (Ctrl-Z)` };
    }
    const isSameKind = front?.agentType === agentType;
    if (own !== undefined || (isSameKind && !prompt.namesSession)) return undefined;
    const why = isSameKind
      ? `${agentType} in shell ${shellId} is in another session now`
      : `${agentType} does not run in shell ${shellId}`;
    const isStarting = performance.now() - this.#startedAt < AGENTS_FOUND_MS;
    // Between two sessions an agent has none.
    return isStarting || (isSameKind && front.sessionId === "")
      ? { reason: "agent_gone", why }
      : { reason: "agent_gone", why, isPermanent: true };
  }

  async #budgetHindrance(shell: ShellId): Promise<Hindrance | undefined> {
    try {
      await this.#options.checkBudget(shell);
      return undefined;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      return { reason: "budget_reached", why: error.message.replace(/\.$/, "") };
    }
  }

  /** A prompt that waits for the agent's turn to end, and for the prompts before it to have begun. */
  #turnHindrance({ receipt: { shellId, agentType }, prompt: { namesSession } }: StoredReceipt): Hindrance | undefined {
    const { state, since = "" } = this.agentIn(shellId) ?? {};
    if (state !== "idle" && state !== "error") {
      return { reason: "agent_busy", why: `${agentType} is ${state ?? "not in a known state"}` };
    }
    // A `/clear` that was typed during the turn takes effect now.
    if (namesSession && Date.now() - Date.parse(since) < SESSION_SEEN_MS) {
      return { reason: "agent_busy", why: `${agentType} has just ended its turn, and may go on to another session` };
    }
    const before = this.#book.all().find(({ receipt, prompt }) => {
      if (receipt.shellId !== shellId || receipt.final || prompt.writingAt === null) return false;
      if (receipt.state === "uncertain") return false;
      const since = Date.now() - Date.parse(receipt.history.at(-1)?.at ?? "");
      return receipt.state !== "accepted" || since < BEGIN_MS;
    });
    if (before === undefined) return undefined;
    return { reason: "agent_busy", why: `prompt ${before.receipt.id} has not begun` };
  }

  /** Typed at a shell's prompt, a prompt would be executed as a command line. */
  async #promptHindrance(shell: ShellId): Promise<Hindrance | undefined> {
    const { atPrompt = null } = await this.#options.terminal.info(shell);
    if (atPrompt !== true) return undefined;
    return {
      reason: "unexpected_program",
      why: `shell ${shell} is at its prompt, and a prompt for an agent would be executed there`,
    };
  }

  /** Writes a prompt. Resolves to what was in its way while nothing was written. */
  async write(id: number): Promise<Hindrance | undefined> {
    const { guard, terminal, input } = this.#options;
    const { receipt, prompt } = this.#book.get(id);
    if (!isQueued(receipt, prompt)) return undefined;
    const { shellId: shell, agentType } = receipt;
    const stop = guard.write(shell, id);
    const keys = guard.keys(shell);
    const rule = input(agentType);
    try {
      const typed = await typePrompt(terminal, {
        ...{ shell, text: prompt.text, input: rule },
        obstacle: () => this.#obstacle(id, keys),
        begin: () => {
          if (prompt.restrictsShell) this.#options.markTyped(shell);
          this.#book.setPrompt(id, { writingAt: Date.now() }, { isDurable: true });
        },
        written: (evidence) => this.#book.step(id, { state: "written", evidence }),
        echoed: (evidence) => this.#book.step(id, { state: "echoed", evidence }),
        entering: () => this.#book.setPrompt(id, { entered: true }, { isDurable: true }),
      });
      if (typed.end === "refused") return typed;
      if (typed.end === "uncertain") {
        this.#book.step(id, { state: "uncertain", evidence: typed.why });
        guard.promptLeft(shell, id);
      }
    } catch (error) {
      if (this.#options.isDisposed()) return undefined;
      const { why } = failure(error);
      if (this.#book.get(id).prompt.writingAt === null) return failure(error);
      this.#book.step(id, { state: "uncertain", evidence: why });
    } finally {
      stop();
    }
    if (rule === undefined) this.#book.close(id);
    else await this.#awaitRecord(id);
    if (await this.#isLeft(id)) guard.promptLeft(shell, id);
    return undefined;
  }

  /** The next prompt must not arrive before the agent has read this one's Enter. */
  async #awaitRecord(id: number): Promise<void> {
    this.#options.entered();
    const isRecorded = (one: Receipt) => one.state !== "written" && one.state !== "echoed";
    if (!isRecorded(this.#book.get(id).receipt)) await this.#book.next(id, isRecorded, RECORD_MS);
  }

  /** Whether a prompt stands in the program's input after it was written: what follows would be appended to it. */
  async #isLeft(id: number): Promise<boolean> {
    const { terminal, input } = this.#options;
    const { receipt, prompt } = this.#book.get(id);
    if (receipt.state !== "echoed" && receipt.state !== "uncertain") return false;
    const screen = await terminal.screen(receipt.shellId).catch(() => "");
    return input(receipt.agentType)?.shows(screen, prompt.text) === true;
  }

  /** What has come in the way while a prompt is being written. */
  #obstacle(id: number, keys: number): Obstacle | undefined {
    const { guard, isRunning, isQuestionOpen } = this.#options;
    const { receipt, prompt } = this.#book.get(id);
    const { shellId: shell } = receipt;
    if (this.#options.isDisposed()) return { reason: "terminal_failed", why: "the relay ends" };
    if (!isRunning(shell)) return { reason: "shell_exited", why: `shell ${shell} has ended` };
    if (isQuestionOpen(shell)) return { reason: "question_open", why: `a question was asked in shell ${shell}` };
    const known = this.#agentHindrance({ receipt, prompt });
    if (known !== undefined) return known;
    if (this.agentIn(shell)?.state === "waiting")
      return { reason: "question_open", why: `the agent in shell ${shell} waits for an answer` };
    if (guard.keys(shell) !== keys) return { reason: "draft_unsent", why: `a person has typed in shell ${shell}` };
    if (prompt.writingAt !== null || !receipt.guard) return undefined;
    return guard.obstacle({ shell, account: prompt.account, prompt: id });
  }
}

function failure(error: unknown): Hindrance {
  if (!(error instanceof RemoteError))
    return { reason: "terminal_failed", why: "the relay failed to write; its log says why" };
  const why = error.message.replace(/\.$/, "");
  // A pattern that cannot be read, or takes too long, does so the next time too.
  if (error.code === "invalid_params") return { reason: "unexpected_program", why, isPermanent: true };
  return { reason: error.code === "shell_exited" ? "shell_exited" : "terminal_failed", why };
}
