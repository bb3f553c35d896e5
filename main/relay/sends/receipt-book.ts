import { RemoteError } from "../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import {
  mayFollow,
  type Receipt,
  type ReceiptState,
  type RefusalReason,
  sendLimits,
} from "../../../core/protocol/receipts.ts";
import { Changes } from "../../system/changes.ts";
import { BESIDE, redactPart } from "../../system/redact-part.ts";
import { ignoreDiskErrors } from "../store/disk-errors.ts";
import type { ReceiptRows, StoredPrompt, StoredReceipt } from "../store/receipt-rows.ts";

/** The session that the receipts belong to, as far as they change it. */
export interface SendsSession {
  readonly id: SessionId;
  emit(event: RelayEvent): void;
}

/** A prompt before the book has given its receipt an id and a state. */
export type NewPrompt = Pick<
  Receipt,
  "shellId" | "agentType" | "agentSessionId" | "when" | "guard" | "expect" | "by" | "expiresAt"
> &
  Pick<StoredPrompt, "text" | "account" | "byAgent" | "restrictsShell" | "namesSession"> & {
    /** A program sends it. */
    readonly isAutomated: boolean;
  };

/** Who has sent a prompt, and what follows for its delivery. */
type SentBy = Pick<Receipt, "by"> & Pick<StoredPrompt, "account" | "byAgent" | "restrictsShell">;

/** A change of a queued prompt. Another text comes with its sender. */
interface PromptEdit extends Partial<Pick<Receipt, "when" | "expiresAt">> {
  readonly rewritten?: (SentBy & { readonly text: string }) | undefined;
}

/** A step of a receipt. */
interface Step {
  readonly state: ReceiptState;
  readonly evidence: string;
  readonly reason?: RefusalReason | null;
  readonly final?: boolean;
}

/** Always final. */
const FINAL: readonly ReceiptState[] = ["started", "refused", "expired"];

/**
 * The receipts of a session's prompts and their states (core/protocol/receipts.ts). A state is in the store before it is
 * published, and the store knows that a prompt is being written before its first byte is.
 */
export class ReceiptBook {
  readonly #session: SendsSession;
  readonly #rows: ReceiptRows;
  readonly #known: Map<number, StoredReceipt>;
  readonly #changes = new Changes<Receipt>();

  constructor(session: SendsSession, rows: ReceiptRows) {
    this.#session = session;
    this.#rows = rows;
    this.#known = new Map(rows.list(session.id).map((stored) => [stored.receipt.id, stored]));
  }

  /** Returns the kept receipts, oldest first. */
  all(): StoredReceipt[] {
    return [...this.#known.values()];
  }

  /** Returns the prompts that wait for a shell, in the order of its queue. */
  queued(shell: ShellId): StoredReceipt[] {
    return this.all()
      .filter(({ receipt, prompt }) => receipt.shellId === shell && isQueued(receipt, prompt))
      .toSorted((one, other) => one.prompt.order - other.prompt.order);
  }

  find(id: number): StoredReceipt | undefined {
    return this.#known.get(id);
  }

  /** @throws RemoteError `unknown_receipt` */
  get(id: number): StoredReceipt {
    const stored = this.#known.get(id);
    if (stored !== undefined) return stored;
    throw new RemoteError("unknown_receipt", `The session has no receipt ${id}, or keeps it no longer.`);
  }

  /**
   * Records a prompt at the end of its shell's queue.
   *
   * @throws RemoteError `limit_reached`, `storage_failed`
   */
  add({ text, account, byAgent, restrictsShell, namesSession, isAutomated, ...shown }: NewPrompt): Receipt {
    this.#checkLimits(shown.shellId, { account, isAutomated });
    const id = this.#rows.nextId(this.#session.id);
    const receipt: Receipt = {
      ...shown,
      id,
      session: this.#session.id,
      text: beginningOf(text),
      length: text.length,
      state: "queued",
      final: false,
      reason: null,
      waitsFor: null,
      history: [{ state: "queued", at: new Date().toISOString(), evidence: "the relay keeps the prompt" }],
    };
    const prompt: StoredPrompt = {
      ...{ text, account, byAgent, restrictsShell, namesSession },
      ...{ order: id, writingAt: null, entered: false, proof: null },
    };
    this.#rows.put({ receipt, prompt }, { isDurable: true });
    this.#publish({ receipt, prompt });
    return receipt;
  }

  /** Changes a queued prompt. */
  edit(id: number, { rewritten, ...shown }: PromptEdit): Receipt {
    const { receipt, prompt } = this.get(id);
    const { by, ...given } = rewritten ?? { by: receipt.by, text: prompt.text };
    const { text } = given;
    const changed = {
      receipt: { ...receipt, ...shown, by, text: beginningOf(text), length: text.length },
      prompt: { ...prompt, ...given },
    };
    this.#rows.put(changed, { isDurable: true });
    return this.#publish(changed);
  }

  /** Gives a queued prompt a place in its queue, from 1. */
  move(id: number, position: number): void {
    const { receipt } = this.get(id);
    const others = this.queued(receipt.shellId).filter((other) => other.receipt.id !== id);
    const before = others[position - 2]?.prompt.order;
    const after = others[Math.max(0, position - 1)]?.prompt.order;
    const last = others.at(-1)?.prompt.order ?? 0;
    const order = after === undefined ? last + 1 : before === undefined ? after - 1 : (before + after) / 2;
    this.setPrompt(id, { order });
    this.#publish(this.get(id));
  }

  /** Says what a queued prompt waits for. Not stored: the next start finds out again. */
  setWaitsFor(id: number, waitsFor: string | null): void {
    const stored = this.find(id);
    if (stored === undefined || stored.receipt.waitsFor === waitsFor) return;
    this.#publish({ ...stored, receipt: { ...stored.receipt, waitsFor } });
  }

  /** Records what the relay needs to know of a prompt. */
  setPrompt(
    id: number,
    change: Partial<Pick<StoredPrompt, "order" | "writingAt" | "entered" | "proof">>,
    options?: { readonly isDurable: boolean },
  ): void {
    const stored = this.get(id);
    const changed = { ...stored, prompt: { ...stored.prompt, ...change } };
    this.#rows.put(changed, options);
    this.#known.set(id, changed);
  }

  /** Takes a step, if it may follow the state that the receipt has. Returns whether it did. */
  step(id: number, { state, evidence, reason = null, final = FINAL.includes(state) }: Step): boolean {
    const stored = this.find(id);
    if (stored === undefined || stored.receipt.final || !mayFollow(stored.receipt.state, state)) return false;
    const entry = { state, at: new Date().toISOString(), evidence };
    const history = [...stored.receipt.history, entry];
    this.#settle({ ...stored, receipt: { ...stored.receipt, state, reason, final, waitsFor: null, history } });
    return true;
  }

  /** Nothing more is expected. */
  close(id: number): void {
    const stored = this.find(id);
    if (stored !== undefined && !stored.receipt.final)
      this.#settle({ ...stored, receipt: { ...stored.receipt, final: true } });
  }

  /** Calls the listener with every receipt that changes. Returns an unsubscribe function. */
  onChange(listener: (receipt: Receipt) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Resolves to the receipt once it fits; undefined at the timeout and at the end of the caller's lifetime. */
  next(
    id: number,
    fits: (receipt: Receipt) => boolean,
    timeoutMs: number,
    lifetime?: Lifetime,
  ): Promise<Receipt | undefined> {
    return this.#changes.next((receipt) => receipt.id === id && fits(receipt), timeoutMs, lifetime);
  }

  #settle(stored: StoredReceipt): void {
    ignoreDiskErrors(() => this.#rows.put(stored));
    this.#publish(stored);
    if (stored.receipt.final) this.#dropOld();
  }

  #publish(stored: StoredReceipt): Receipt {
    const { receipt } = stored;
    this.#known.set(receipt.id, stored);
    this.#session.emit({ type: "receipt.changed", data: receipt });
    this.#changes.tell(receipt);
    return receipt;
  }

  /** The queues of the shell and the session are limited for programs alone, so that these keep no person out. */
  #checkLimits(shell: ShellId, { account, isAutomated }: Pick<NewPrompt, "account" | "isAutomated">): void {
    const open = this.all().filter(({ receipt, prompt }) => isQueued(receipt, prompt));
    const own = open.filter(({ prompt }) => prompt.account === account).length;
    const here = open.filter(({ receipt }) => receipt.shellId === shell).length;
    const most = (limit: number) => (isAutomated ? limit : Number.POSITIVE_INFINITY);
    const checks = [
      [own, sendLimits.queuedPerCaller, "of this caller"],
      [here, most(sendLimits.queuedPerShell), `for shell ${shell}`],
      [open.length, most(sendLimits.queuedPerSession), "in this session"],
    ] as const;
    for (const [count, limit, what] of checks) {
      if (count < limit) continue;
      throw new RemoteError("limit_reached", `${limit} prompts wait ${what}, the limit: cancel some, or wait.`);
    }
  }

  #dropOld(): void {
    const due = Date.now() - sendLimits.keptSeconds * 1000;
    const final = this.all().filter(({ receipt }) => receipt.final);
    const surplus = final.length - sendLimits.keptFinal;
    const newest = Math.max(...this.#known.keys());
    for (const [index, { receipt }] of final.entries()) {
      const endedAt = Date.parse(receipt.history.at(-1)?.at ?? "");
      // The newest one stays, because the next id counts on from it.
      if (receipt.id === newest || (index >= surplus && endedAt >= due)) continue;
      ignoreDiskErrors(() => this.#rows.remove(this.#session.id, receipt.id));
      this.#known.delete(receipt.id);
    }
  }
}

/** Whether a prompt waits in its queue, with nothing of it written. */
export function isQueued({ state }: Pick<Receipt, "state">, { writingAt }: Pick<StoredPrompt, "writingAt">): boolean {
  return state === "queued" && writingAt === null;
}

/** Returns the first characters of a prompt. Of a secret that goes on after them no rule would recognize the beginning. */
function beginningOf(text: string): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(sendLimits.shownText - 1))
    ? sendLimits.shownText - 1
    : sendLimits.shownText;
  if (text.length <= end) return text;
  const beginning = text.slice(0, end);
  let lastWord = end;
  while (lastWord > 0 && text.charAt(lastWord - 1).trim() !== "") lastWord -= 1;
  const shown = redactPart(beginning, { after: text.slice(end, end + BESIDE) });
  return beginning.slice(0, lastWord) + shown.slice(lastWord);
}
