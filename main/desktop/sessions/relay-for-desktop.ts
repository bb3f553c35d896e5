import type { Guest } from "../../../core/operations/guests.ts";
import type { OperationInput, OperationName, OperationResult } from "../../../core/operations/index.ts";
import type { BudgetAlert, BudgetLimits } from "../../../core/protocol/budgets.ts";
import type { HistorySettings } from "../../../core/protocol/history.ts";
import type { ClientId, SessionId } from "../../../core/protocol/ids.ts";
import type { ClientLink } from "../../../core/protocol/link.ts";
import type { NotificationRecord } from "../../../core/protocol/notification-record.ts";
import type { PendingLogin } from "../../../core/protocol/pending-login.ts";
import type { UsageRow } from "../../../core/protocol/usage.ts";

/** What the desktop clients need of the relay that runs in the same process. */
export interface RelayForDesktop {
  /** Base address, for example `http://127.0.0.1:7717`. */
  readonly url: string;
  /** The user's open sessions, in the order in which people should see them. */
  sessions(): readonly { readonly id: string; readonly name: string }[];
  /** Calls back after a session was added, renamed or removed. Returns an unsubscribe function. */
  onSessions(changed: () => void): () => void;
  /** A client of this process joins a session over memory; its place gives it the id and the state it had before. Throws when there is no such session. */
  attachLocal(
    sessionId: string,
    identity: { readonly name: string; readonly role: "admin"; readonly place: "desktop" },
  ): ClientLink;
}

/** What the panel does to the relay, in the name of the user of this machine. Refusals are RemoteErrors. */
export interface RelayDesk extends RelayForDesktop {
  readonly version: string;
  /** From now on quitting leaves the shells running, for the next start. */
  keepShells(): void;
  /** Calls an operation of the relay as this machine's user. */
  run<N extends OperationName>(name: N, params: OperationInput<N>): Promise<OperationResult<N>>;
  /** Calls a procedure by its name as `run` does: what the user presses in the panel, where `client` is their own. */
  call(
    name: string,
    params: object,
    where: { readonly session: SessionId | undefined; readonly client: ClientId | undefined },
  ): Promise<unknown>;
  /** Pending logins of programs. */
  readonly logins: {
    pending(): readonly PendingLogin[];
    onChange(listener: () => void): () => void;
  };
  /** The guests of a session, connected or not; none of a session that was closed. */
  guests(session: SessionId): readonly Guest[];
  /** Calls back after a guest's role was changed or a guest was removed. Returns an unsubscribe function. */
  onGuests(changed: () => void): () => void;
  keepNotice(notice: Omit<NotificationRecord, "id">): void;
  /** What the user has decided about the history on disk. */
  history(): HistorySettings["choice"];
  /** The relay's health problem; undefined when there is none. */
  trouble(): string | undefined;
  onTrouble(changed: () => void): () => void;
  /** Addresses of the relay for other machines; empty without remote access. */
  outsideUrls(): readonly string[];
  usageHistory(since: Date, until: Date, by: "hour" | "day"): readonly UsageRow[];
  budgets(): BudgetLimits;
  /** Calls back with each warning of a budget. Returns an unsubscribe function. */
  onBudgetAlert(told: (alert: BudgetAlert) => void): () => void;
}
