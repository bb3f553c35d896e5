import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";

const count = z.number().min(0).catch(0);

/** A line of the record of an agent session that `patchbay acp` keeps. */
export const AcpLine = z.object({
  id: z.string(),
  at: z.string(),
  type: z.enum(["user", "assistant", "thinking", "tool", "result", "turn", "error", "model", "usage"]),
  text: z.string().catch(""),
  /** Of `tool` and `result`. */
  call: z.string().optional(),
  input: z.unknown().optional(),
  failed: z.boolean().optional(),
  /** Of `turn`: what it has used, as far as the agent tells. The model is empty where it is that of the session. */
  calls: z
    .array(
      z.object({
        model: z.string(),
        tokens: z.object({ input: count, cached: count, cacheWrite: count, output: count }),
      }),
    )
    .optional(),
  /** Of `usage`: the fill of the context, and what the session has cost in US dollars. */
  used: z.number().min(0).optional(),
  size: z.number().positive().optional(),
  cost: z.number().min(0).optional(),
});
export type AcpLine = z.infer<typeof AcpLine>;

/** Names the record of a running `patchbay acp`: `runs/<pid>.json`. */
export const AcpRun = z.object({ sessionId: z.uuid(), startedAt: z.number() });

/** The folder of the records for a user with this environment; undefined where the home folder is not known. */
export function acpFolder(env: (name: string) => string | undefined): string | undefined {
  const home = env("HOME") || env("USERPROFILE");
  const state = env("XDG_STATE_HOME") || (home ? join(home, ".local", "state") : undefined);
  return state === undefined ? undefined : join(state, "patchbay", "acp");
}

/** Returns the record of an agent session. */
export function acpRecordFile(folder: string, sessionId: string): string {
  return join(acpRecordsFolder(folder), `${sessionId}.jsonl`);
}

/** Returns the folder of all records: a file for each agent session. */
export function acpRecordsFolder(folder: string): string {
  return join(folder, "sessions");
}

export function acpRunFile(folder: string, pid: number): string {
  return join(folder, "runs", `${pid}.json`);
}

/** Records that are kept: beyond this number the oldest are removed. */
const MOST_RECORDS = 500;

/** Writes what an agent was asked and has done, for `get-agent-events`, the receipts of prompts and the counted cost. */
export class AcpRecord implements Disposable {
  readonly sessionId = randomUUID();
  readonly #file: string;
  readonly #run: string;
  #lines = 0;

  /** @throws an error of the file system where the folder cannot be written */
  constructor(
    folder = acpFolder((name) => process.env[name]) ?? join(homedir(), ".local", "state", "patchbay", "acp"),
  ) {
    const records = acpRecordsFolder(folder);
    this.#file = acpRecordFile(folder, this.sessionId);
    this.#run = acpRunFile(folder, process.pid);
    for (const place of [records, dirname(this.#run)]) mkdirSync(place, { recursive: true, mode: 0o700 });
    removeOldest(records);
    writeFileSync(this.#file, "", { mode: 0o600, flag: "wx" });
    // Left by a process of the same id.
    rmSync(this.#run, { force: true });
    const run = { sessionId: this.sessionId, startedAt: Date.now() - Math.round(process.uptime() * 1000) };
    writeFileSync(this.#run, JSON.stringify(run), { mode: 0o600, flag: "wx" });
  }

  add(line: Omit<AcpLine, "id" | "at">): void {
    this.#lines += 1;
    const { type, ...more } = line;
    const written = { type, id: `${this.sessionId}:${this.#lines}`, at: new Date().toISOString(), ...more };
    appendFileSync(this.#file, `${JSON.stringify(written)}\n`);
  }

  [Symbol.dispose](): void {
    rmSync(this.#run, { force: true });
  }
}

function removeOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length < MOST_RECORDS) return;
  const changed = names.map((name) => ({
    name,
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  changed.sort((one, other) => other.at - one.at);
  for (const { name } of changed.slice(MOST_RECORDS - 1)) rmSync(join(folder, name), { force: true });
}
