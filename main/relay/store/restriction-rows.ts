import { z } from "zod";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { AgentPermission } from "../../../core/protocol/shell-restrictions.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** A session's setting for its shells, and the agents that may always control it. */
export class RestrictionRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Whether all shells of the session are restricted; so too where the session is not known. */
  restrictShells(session: SessionId): boolean {
    const row = this.#database.prepare("SELECT restrict_shells FROM sessions WHERE id = ?").get([session]);
    return Setting.safeParse(row).data?.restrict_shells !== 0;
  }

  setRestrictShells(session: SessionId, on: boolean): void {
    const statement = this.#database.prepare("UPDATE sessions SET restrict_shells = ? WHERE id = ?");
    durably(this.#database, () => statement.run([on ? 1 : 0, session]));
  }

  /** Oldest first. */
  permissions(session: SessionId): AgentPermission[] {
    return this.#database
      .prepare(
        "SELECT agent, folder, allowed_at FROM agent_permissions WHERE session_id = ? ORDER BY allowed_at, rowid",
      )
      .all([session])
      .map((row) => Row.parse(row));
  }

  allow(session: SessionId, { agentType, folder, allowedAt }: AgentPermission): void {
    const statement = this.#database.prepare(
      "INSERT OR REPLACE INTO agent_permissions (session_id, agent, folder, allowed_at) VALUES (?, ?, ?, ?)",
    );
    durably(this.#database, () => statement.run([session, agentType, folder, allowedAt]));
  }

  /** How many there were. */
  forget(session: SessionId, { agentType, folder }: Pick<AgentPermission, "agentType" | "folder">): number {
    const statement = this.#database.prepare(
      "DELETE FROM agent_permissions WHERE session_id = ? AND agent = ? AND folder = ?",
    );
    return durably(this.#database, () => statement.run([session, agentType, folder]).changes);
  }
}

const Setting = z.object({ restrict_shells: z.number() });

const Row = z
  .object({ agent: z.string(), folder: z.string(), allowed_at: z.string() })
  .transform(({ agent, folder, allowed_at }): AgentPermission => ({ agentType: agent, folder, allowedAt: allowed_at }));
