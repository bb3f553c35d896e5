import type { CostExplanation, TokenUsage } from "../../core/protocol/agent-records.ts";
import type { AgentAdapter, JoinedSession } from "./adapters/adapter.ts";
import { type FileWatch, watchFiles } from "./file-watch.ts";
import { addUsage, type ModelSum, noUsage } from "./ledger.ts";
import type { ReadProblem } from "./line-reader.ts";
import type { PriceCall } from "./pricing.ts";
import type { Quotas } from "./quotas.ts";
import { openAccount, type SessionAccount, type TranscriptSource } from "./session-account.ts";
import type { AgentSessionKey, UsageStore } from "./usage-store.ts";

/** The usage of one agent session. */
interface UsageReport {
  readonly models: readonly ModelSum[];
  readonly usage: TokenUsage;
  readonly session: CostExplanation["sessions"][number];
}

interface AccountsOptions {
  readonly store: UsageStore;
  /** Loaded with the first account: the list is large, and most relays start without an agent. */
  readonly price: () => Promise<PriceCall>;
  readonly quotas: Pick<Quotas, "report">;
  readonly log: (message: string, fields?: object) => void;
  /** Called after new transcript records were read. */
  readonly onUpdate: (account: SessionAccount) => void;
}

/** The accounts of running agent sessions: each opened once, kept current, and written to the store. */
export class Accounts implements Disposable {
  readonly #options: AccountsOptions;
  readonly #open = new Map<string, AccountEntry>();
  /** What closed accounts reported beyond what is in the store. */
  readonly #closed = new Map<string, UsageReport["session"]>();
  readonly #watch: FileWatch;
  #disposed = false;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#watch = watchFiles((path) => this.#changed(path), options.log);
  }

  /** The account of a session that an agent works on; undefined while it has no transcript or is being opened. */
  get(adapter: AgentAdapter, joined: Pick<JoinedSession, "home" | "sessionId">): SessionAccount | undefined {
    return this.#opened(adapter, joined)?.account;
  }

  /**
   * Reads the records of an ended agent that have not been read, once. Never rejects.
   * @returns its account, undefined without a transcript, which may come later; `kept`: all of it is in the store
   */
  async readToEnd(
    adapter: AgentAdapter,
    joined: Pick<JoinedSession, "home" | "sessionId">,
  ): Promise<{ readonly account: SessionAccount | undefined; readonly kept: boolean }> {
    const opened = this.#opened(adapter, joined);
    if (opened === undefined) return { account: undefined, kept: false };
    opened.readers += 1;
    try {
      await opened.ready;
      const { account } = opened;
      return { account, kept: account !== undefined && (await this.update(account)) };
    } finally {
      opened.readers -= 1;
    }
  }

  /** Opens a session's account on first use. */
  #opened(
    adapter: AgentAdapter,
    { home, sessionId }: Pick<JoinedSession, "home" | "sessionId">,
  ): AccountEntry | undefined {
    const id = keyOf(adapter.kind, sessionId);
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    // The transcript shows whether a session is a fork, so there is no account without one.
    if (adapter.files(home, sessionId).main === undefined) return undefined;
    const key = { agentType: adapter.kind, sessionId };
    const opened: AccountEntry = { key, account: undefined, ready: Promise.resolve(), readers: 0 };
    this.#open.set(id, opened);
    opened.ready = this.#openAccount(opened, this.source(adapter, home, sessionId));
    return opened;
  }

  source(adapter: AgentAdapter, home: string, sessionId: string): TranscriptSource {
    const problem = ({ reason, path, offset }: ReadProblem) =>
      this.#options.log(`transcript ${reason}`, { path, ...(offset !== undefined && { offset }) });
    return { adapter, home, sessionId, log: { problem } };
  }

  /** Updates all accounts that are in use and closes the others. */
  keepOnly(inUse: ReadonlySet<SessionAccount>): void {
    const paths = new Set<string>();
    for (const [key, opened] of this.#open) {
      if (opened.account === undefined) continue;
      if (inUse.has(opened.account) || opened.readers > 0) {
        void this.update(opened.account);
        for (const path of opened.account.paths()) paths.add(path);
      } else {
        this.#closed.set(key, sessionReport(opened.key, opened.account));
        this.#open.delete(key);
      }
    }
    this.#watch.only(paths);
  }

  /**
   * Reads new records, stores them and notifies the subscriber. Never rejects; resolves with whether everything was
   * read and stored.
   */
  async update(account: SessionAccount): Promise<boolean> {
    const key = [...this.#open.values()].find((opened) => opened.account === account)?.key;
    try {
      const news = await account.update();
      if (this.#disposed || key === undefined) return false;
      account.ledger.flush((calls) => this.#options.store.recordCalls(key, calls));
      if (news) this.#options.onUpdate(account);
      return !account.hasFailed;
    } catch (error) {
      this.#options.log("an agent's usage could not be kept; it will be tried again", { error: String(error) });
      return false;
    }
  }

  /** Stores calls during a reading, because reading a transcript that keeps growing may not end. */
  #keepEarly(key: AgentSessionKey, { ledger }: SessionAccount): void {
    if (this.#disposed) return;
    try {
      ledger.flush((calls) => this.#options.store.recordCalls(key, calls));
    } catch {
      // Calls that were not stored stay in the ledger: the end of the reading retries and reports the failure.
    }
  }

  report(key: AgentSessionKey): UsageReport {
    const id = keyOf(key.agentType, key.sessionId);
    const account = this.#open.get(id)?.account;
    const models = account?.ledger.byModel() ?? this.#options.store.sums(key);
    const counted = models.reduce((sum, { calls }) => sum + calls, 0);
    const nothing = { sessionId: key.sessionId, agentType: key.agentType, files: 0, counted, skipped: [] };
    const session =
      account === undefined ? { ...nothing, ...this.#closed.get(id), counted } : sessionReport(key, account);
    return { models, session, usage: models.reduce((sum, { usage }) => addUsage(sum, usage), noUsage) };
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#watch[Symbol.dispose]();
  }

  async #openAccount(opened: AccountEntry, source: TranscriptSource): Promise<void> {
    try {
      const price = await this.#options.price();
      const account = await openAccount({ ...source, price }, this.#options.store.calls(opened.key));
      if (this.#disposed) return;
      opened.account = account;
      account.onCalls = () => this.#keepEarly(opened.key, account);
      account.onWindows = (windows, at) =>
        this.#options.quotas.report({ agentType: opened.key.agentType, home: source.home }, windows, Date.parse(at));
      this.#options.onUpdate(account);
      await this.update(account);
    } catch (error) {
      this.#open.delete(keyOf(opened.key.agentType, opened.key.sessionId));
      this.#options.log("an agent's transcript could not be opened; it will be tried again", { error: String(error) });
    }
  }

  #changed(path: string): void {
    for (const { account } of this.#open.values()) {
      if (account?.paths().includes(path)) void this.update(account);
    }
  }
}

interface AccountEntry {
  readonly key: AgentSessionKey;
  account: SessionAccount | undefined;
  /** Resolves when the account is open, or could not be opened. */
  ready: Promise<void>;
  /** Number of pending reads to the end, which keep the account open. */
  readers: number;
}

function keyOf(agentType: string, sessionId: string): string {
  return `${agentType}/${sessionId}`;
}

function sessionReport({ sessionId, agentType }: AgentSessionKey, account: SessionAccount): UsageReport["session"] {
  const { counted, skipped } = account.ledger;
  const reported = account.reported !== undefined && { reported: account.reported };
  return { sessionId, agentType, files: account.files, counted, skipped: [...skipped], ...reported };
}
