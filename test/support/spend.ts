import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Database from "libsql";

/** Puts a call of an agent into the store of a relay that does not run, as its transcript would have. */
export function spend(data: string, cost: number, agentType = "claude"): void {
  const database = new Database(join(data, "patchbay.db"));
  database
    .prepare("INSERT INTO agent_call VALUES (?, 'spent', ?, 'claude-test', ?, 1000, 100, 0, ?, 'listed', NULL)")
    .run([agentType, randomUUID(), new Date().toISOString(), cost]);
  database.close();
}
