import type { Agent } from "../../core/protocol/agent-records.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import type { Accounts } from "./accounts.ts";
import type { AgentAdapter } from "./adapters/adapter.ts";
import type { KnownRun } from "./agent-reports.ts";
import { runKey } from "./agent-reports.ts";
import type { AgentsOptions } from "./agents-options.ts";
import type { Clock } from "./clock.ts";
import type { SessionAccount } from "./session-account.ts";
import type { AgentRun, AgentSessionKey, UsageStore } from "./usage-store.ts";

interface Options extends Pick<AgentsOptions, "log"> {
  readonly accounts: Pick<Accounts, "get" | "report" | "readToEnd">;
  readonly store: Pick<UsageStore, "recordRun" | "markRead">;
  readonly clock: Pick<Clock, "now">;
  readonly onChange: (session: SessionId, agent: Agent) => void;
}

interface DetachedTurn {
  readonly run: AgentRun;
  readonly adapter: AgentAdapter;
  account: SessionAccount;
  /** When its terminal was seen to be gone, in ms. */
  readonly since: number;
}

/**
 * Turns that go on in a daemon of the agent after their terminal has ended: their calls are counted until the turn has
 * ended too.
 */
export class DetachedTurns {
  readonly #options: Options;
  readonly #turns = new Map<string, DetachedTurn>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Takes the session of an agent that has ended, after it was read. Returns whether its turn goes on. */
  take(run: AgentRun, adapter: AgentAdapter, account: SessionAccount | undefined): boolean {
    if (account === undefined || !goesOn(run, adapter, account)) return false;
    const turn = { run, adapter, account, since: this.#options.clock.now() };
    this.#turns.set(runKey(run), turn);
    // Unread until the turn has ended, so that a relay that starts meanwhile takes it over.
    this.#attempt(() => this.#options.store.recordRun(run));
    this.#options.onChange(run.session, this.#record(turn, "working"));
    return true;
  }

  /** The turns of a session, or without one of all sessions. */
  runs(session?: SessionId): readonly KnownRun[] {
    const own = [...this.#turns.values()].filter(({ run }) => session === undefined || run.session === session);
    return own.map(({ run }) => ({ run, status: "working", detached: true }));
  }

  has(key: AgentSessionKey): boolean {
    return this.#turns.has(runKey(key));
  }

  /** The accounts that are to be kept open. */
  accounts(): readonly SessionAccount[] {
    for (const turn of this.#turns.values())
      turn.account = this.#options.accounts.get(turn.adapter, turn.run) ?? turn.account;
    return [...this.#turns.values()].map(({ account }) => account);
  }

  /** New records of an account were read. */
  updated(account: SessionAccount): void {
    for (const turn of this.#turns.values()) {
      if (turn.account === account) this.#options.onChange(turn.run.session, this.#record(turn, "working"));
    }
  }

  /** Looks which of them have ended: by their transcript, or because nothing works on them any more. */
  async look(): Promise<void> {
    for (const turn of [...this.#turns.values()]) {
      if (goesOn(turn.run, turn.adapter, turn.account)) continue;
      this.#turns.delete(runKey(turn.run));
      const { account, kept } = await this.#options.accounts.readToEnd(turn.adapter, turn.run);
      const { run } = turn;
      const lastActivityAt = account?.lastAt ?? run.lastActivityAt;
      this.#attempt(() => this.#options.store.recordRun({ ...run, lastActivityAt }));
      if (kept) this.#attempt(() => this.#options.store.markRead(run));
      this.#options.onChange(run.session, this.#record(turn, "ended"));
    }
  }

  /** A terminal shows the session again, as after a resume. */
  attached(key: AgentSessionKey): void {
    this.#turns.delete(runKey(key));
  }

  #record({ run, since }: DetachedTurn, state: "working" | "ended"): Agent {
    const at = new Date(state === "working" ? since : this.#options.clock.now()).toISOString();
    const detail = state === "working" ? "its terminal has ended, and its turn goes on" : "its turn has ended";
    const { shellId, agentType, model, sessionId } = run;
    return {
      ...{ shellId, agentType, model, sessionId },
      tokenUsage: this.#options.accounts.report(run).usage,
      ...{ state, status: state, since: at, reason: { source: "transcript", detail, at } },
    };
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#options.log("an agent's run could not be kept", { error: String(error) });
    }
  }
}

function goesOn({ home, sessionId }: AgentRun, adapter: AgentAdapter, account: SessionAccount): boolean {
  return account.status?.status === "working" && adapter.worksOn?.(home, sessionId) === true;
}
