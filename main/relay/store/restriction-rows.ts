import { z } from "zod";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { AgentPermission } from "../../../core/protocol/shell-restrictions.ts";
import { Flag } from "./columns.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Table `agent_permissions` and the column `sessions.restrict_shells`. Every write is durable. */
export class RestrictionRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns whether all shells of the session are restricted; true for an unknown session. */
  restrictsShells(session: SessionId): boolean {
    const statement = this.#database.prepare("SELECT restrict_shells AS restricted FROM sessions WHERE id = ?");
    return SettingRow.safeParse(statement.get([session])).data?.restricted ?? true;
  }

  setRestrictShells(session: SessionId, on: boolean): void {
    const statement = this.#database.prepare("UPDATE sessions SET restrict_shells = ? WHERE id = ?");
    durably(this.#database, () => statement.run([on ? 1 : 0, session]));
  }

  /** Returns the agents that may always control the session, oldest permission first. */
  listPermissions(session: SessionId): AgentPermission[] {
    const statement = this.#database.prepare(
      `SELECT agent AS agentType, folder, allowed_at AS allowedAt FROM agent_permissions
       WHERE session_id = ? ORDER BY allowed_at, rowid`,
    );
    return z.array(PermissionRow).parse(statement.all([session]));
  }

  putPermission(session: SessionId, { agentType, folder, allowedAt }: AgentPermission): void {
    const statement = this.#database.prepare(
      "INSERT OR REPLACE INTO agent_permissions (session_id, agent, folder, allowed_at) VALUES (?, ?, ?, ?)",
    );
    durably(this.#database, () => statement.run([session, agentType, folder, allowedAt]));
  }

  /** Returns how many permissions were removed. */
  removePermission(session: SessionId, { agentType, folder }: Pick<AgentPermission, "agentType" | "folder">): number {
    const statement = this.#database.prepare(
      "DELETE FROM agent_permissions WHERE session_id = ? AND agent = ? AND folder = ?",
    );
    return durably(this.#database, () => statement.run([session, agentType, folder]).changes);
  }
}

const SettingRow = z.object({ restricted: Flag });
const PermissionRow = z.object({ agentType: z.string(), folder: z.string(), allowedAt: z.string() });
