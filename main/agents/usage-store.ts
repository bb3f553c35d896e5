import type Database from "libsql";
import { z } from "zod";
import type { TokenUsage } from "../../core/protocol/agent-records.ts";
import { SessionId, ShellId } from "../../core/protocol/ids.ts";
import { dollars, doubtsOf, type ModelSum, type PricedCall } from "./ledger.ts";
import type { PriceBasis } from "./pricing.ts";

/**
 * Usage is kept per API call under the call's own id, so that reading a transcript again after a crash changes
 * nothing; hours and days are sums over it. A run says in which shell an agent session was seen.
 * A session is unread while its agent may still write, and until its last records were read after that.
 */
export const agentMigrations: readonly string[] = [
  `CREATE TABLE agent_call (
    agent_type TEXT NOT NULL, agent_session TEXT NOT NULL, call_id TEXT NOT NULL, model TEXT NOT NULL, at TEXT NOT NULL,
    input INTEGER NOT NULL, output INTEGER NOT NULL, cached INTEGER NOT NULL, cost REAL NOT NULL,
    basis TEXT NOT NULL, priced_as TEXT,
    PRIMARY KEY (agent_type, agent_session, call_id)) WITHOUT ROWID;
  CREATE INDEX agent_call_at ON agent_call (at);
  CREATE TABLE agent_run (
    session TEXT NOT NULL, agent_type TEXT NOT NULL, agent_session TEXT NOT NULL, shell INTEGER NOT NULL,
    home TEXT NOT NULL, cwd TEXT NOT NULL, model TEXT NOT NULL, started_at TEXT NOT NULL, last_activity_at TEXT NOT NULL,
    PRIMARY KEY (session, agent_type, agent_session, shell)) WITHOUT ROWID;`,
  `CREATE TABLE agent_unread (
    agent_type TEXT NOT NULL, agent_session TEXT NOT NULL, PRIMARY KEY (agent_type, agent_session)) WITHOUT ROWID;`,
  `CREATE TABLE agent_window (
    agent_type TEXT NOT NULL, home TEXT NOT NULL, limit_name TEXT NOT NULL, minutes INTEGER NOT NULL,
    used_percent REAL NOT NULL, resets_at INTEGER, at INTEGER NOT NULL,
    PRIMARY KEY (agent_type, home, limit_name, minutes)) WITHOUT ROWID;`,
  // The agent session that started a run by one of its tools.
  `ALTER TABLE agent_run ADD COLUMN parent_type TEXT;
  ALTER TABLE agent_run ADD COLUMN parent_session TEXT;`,
  // How the agent was started, and when it left the session; NULL while it works on it. Runs from before have ended.
  `ALTER TABLE agent_run ADD COLUMN program TEXT;
  ALTER TABLE agent_run ADD COLUMN assumed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE agent_run ADD COLUMN ended_at TEXT;
  UPDATE agent_run SET ended_at = last_activity_at;`,
];

/** An agent session names itself; another kind may use the same name. */
export interface AgentSessionKey {
  readonly agentType: string;
  readonly sessionId: string;
}

/** An agent session as seen in one shell of one Patchbay session. */
export interface AgentRun extends AgentSessionKey {
  readonly session: SessionId;
  readonly shellId: ShellId;
  readonly home: string;
  readonly cwd: string;
  readonly model: string;
  readonly startedAt: string;
  readonly lastActivityAt: string;
  /** The agent session whose tool started it. */
  readonly startedBy?: AgentSessionKey;
  /** How its program was started. */
  readonly program?: ProgramStart | undefined;
  /** Only folder and time speak for the session. */
  readonly assumed?: true | undefined;
  /** When the agent was seen to have left the session while its shell ran on; absent until then. */
  readonly endedAt?: string | undefined;
}

/** How an agent's program was started: what is typed for it, its arguments, and the variables that choose its account. */
export const ProgramStart = z.object({
  name: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});
export type ProgramStart = Readonly<z.infer<typeof ProgramStart>>;

/** A quota window of an account as an agent has last reported it. Times in ms since the epoch. */
export type StoredWindow = Readonly<z.infer<typeof WindowRow>>;

/** Usage of one model in one hour or one day. `from` is its beginning: ISO with Z for an hour, a local date for a day. */
export interface UsageBucket extends TokenUsage {
  readonly from: string;
  readonly agentType: string;
  readonly model: string;
  readonly sessionId: string;
  readonly calls: number;
}

export interface UsageStore {
  /** Keeps calls, each once; a call told again with more output replaces the earlier telling. All or nothing. */
  recordCalls(key: AgentSessionKey, calls: readonly PricedCall[]): void;
  calls(key: AgentSessionKey): readonly PricedCall[];
  sums(key: AgentSessionKey): readonly ModelSum[];
  /** Keeps a run. Its agent session counts as unread from then on. */
  recordRun(run: AgentRun): void;
  /** Forgets a run that was a mistake. What its agent session used stays: it may be another agent's. */
  removeRun(run: AgentRun): void;
  runs(session: SessionId): readonly AgentRun[];
  /** The runs of all sessions. */
  allRuns(): readonly AgentRun[];
  /** Everything that an ended agent wrote has been read. */
  markRead(key: AgentSessionKey): void;
  /** The runs whose sessions may have records that were never read, because a relay was gone when they were written. */
  unread(): readonly AgentRun[];
  history(since: Date, until: Date, by: "hour" | "day"): readonly UsageBucket[];
  /** The models without a price of the calls since a time, those with the most calls first: 100 at most. */
  unpriced(since: Date): readonly { readonly model: string; readonly agentType: string; readonly calls: number }[];
  windows(): readonly StoredWindow[];
  /** Keeps a window in the place of what was known of it. */
  putWindow(window: StoredWindow): void;
}

/** A store over a database that has had `agentMigrations`. */
export function usageStore(database: Database.Database): UsageStore {
  const insertCall = database.prepare(`INSERT INTO agent_call VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET model = excluded.model, at = excluded.at, input = excluded.input, output = excluded.output,
      cached = excluded.cached, cost = excluded.cost, basis = excluded.basis, priced_as = excluded.priced_as
    WHERE excluded.output >= output`);
  const selectCalls = database.prepare(`SELECT call_id AS id, model, at, input, output, cached, cost, basis,
      priced_as AS pricedAs FROM agent_call WHERE agent_type = ? AND agent_session = ?`);
  const selectSums = database.prepare(`SELECT model, ${sums} FROM agent_call
    WHERE agent_type = ? AND agent_session = ? GROUP BY model ORDER BY min(at)`);
  const insertRun =
    database.prepare(`INSERT INTO agent_run (session, agent_type, agent_session, shell, home, cwd, model,
      started_at, last_activity_at, parent_type, parent_session, program, assumed, ended_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET home = excluded.home, cwd = excluded.cwd, model = excluded.model,
      started_at = min(started_at, excluded.started_at), last_activity_at = max(last_activity_at, excluded.last_activity_at),
      parent_type = coalesce(excluded.parent_type, parent_type),
      parent_session = coalesce(excluded.parent_session, parent_session),
      program = coalesce(excluded.program, program), assumed = excluded.assumed, ended_at = excluded.ended_at`);
  const selectRuns = database.prepare(`SELECT ${runColumns} FROM agent_run WHERE session = ? ORDER BY started_at`);
  const selectAllRuns = database.prepare(`SELECT ${runColumns} FROM agent_run ORDER BY last_activity_at`);
  const deleteRun = database.prepare(
    "DELETE FROM agent_run WHERE session = ? AND agent_type = ? AND agent_session = ? AND shell = ?",
  );
  const insertUnread = database.prepare("INSERT OR IGNORE INTO agent_unread VALUES (?, ?)");
  const deleteUnread = database.prepare("DELETE FROM agent_unread WHERE agent_type = ? AND agent_session = ?");
  const selectUnread = database.prepare(
    `SELECT ${runColumns} FROM agent_run JOIN agent_unread USING (agent_type, agent_session) ORDER BY started_at`,
  );
  const selectUnpriced = database.prepare(`SELECT model, agent_type AS agentType, count(*) AS calls FROM agent_call
    WHERE at >= ? AND basis = 'unpriced' GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT 100`);
  const selectWindows = database.prepare(`SELECT agent_type AS agentType, home, limit_name AS "limit", minutes,
      used_percent AS usedPercent, resets_at AS resetsAt, at FROM agent_window`);
  const insertWindow = database.prepare("INSERT OR REPLACE INTO agent_window VALUES (?, ?, ?, ?, ?, ?, ?)");
  /** Sums are read for every session at each look at a budget, and those of an ended agent do not change. */
  const knownSums = new Map<string, readonly ModelSum[]>();
  const recordAll = database.transaction((key: AgentSessionKey, calls: readonly PricedCall[]) => {
    for (const { id, model, at, input, output, cached, cost, basis, pricedAs } of calls)
      insertCall.run(key.agentType, key.sessionId, id, model, at, input, output, cached, cost, basis, pricedAs ?? null);
  });

  return {
    recordCalls(key, calls) {
      if (calls.length === 0) return;
      knownSums.delete(nameOf(key));
      recordAll(key, calls);
    },
    calls(key) {
      const rows = z.array(CallRow).parse(selectCalls.all(key.agentType, key.sessionId));
      return rows.map(({ pricedAs, ...call }) => (pricedAs === null ? call : { ...call, pricedAs }));
    },
    sums(key) {
      const name = nameOf(key);
      const rows = () => z.array(SumRow).parse(selectSums.all(key.agentType, key.sessionId));
      const known = knownSums.get(name) ?? rows().map(modelSum);
      knownSums.set(name, known);
      return known;
    },
    recordRun(run) {
      const { session, agentType, sessionId, shellId, home, cwd, model, startedAt, lastActivityAt, startedBy } = run;
      const parent = [startedBy?.agentType ?? null, startedBy?.sessionId ?? null];
      const known = [session, agentType, sessionId, shellId, home, cwd, model, startedAt, lastActivityAt, ...parent];
      const program = run.program === undefined ? null : JSON.stringify(run.program);
      insertRun.run(...known, program, run.assumed === true ? 1 : 0, run.endedAt ?? null);
      insertUnread.run(agentType, sessionId);
    },
    removeRun: ({ session, agentType, sessionId, shellId }) =>
      void deleteRun.run(session, agentType, sessionId, shellId),
    markRead: ({ agentType, sessionId }) => void deleteUnread.run(agentType, sessionId),
    unread: () => z.array(RunRow).parse(selectUnread.all()).map(runOfRow),
    runs: (session) => z.array(RunRow).parse(selectRuns.all(session)).map(runOfRow),
    allRuns: () => z.array(RunRow).parse(selectAllRuns.all()).map(runOfRow),
    unpriced: (since) => z.array(UnpricedRow).parse(selectUnpriced.all(since.toISOString())),
    windows: () => z.array(WindowRow).parse(selectWindows.all()),
    putWindow: ({ agentType, home, limit, minutes, usedPercent, resetsAt, at }) =>
      void insertWindow.run(agentType, home, limit, minutes, usedPercent, resetsAt, at),
    history(since, until, by) {
      const bucket = by === "hour" ? localHour : "date(at, 'localtime')";
      const select = database.prepare(`SELECT ${bucket} AS "from", agent_type AS agentType, agent_session AS sessionId,
          model, ${sums} FROM agent_call WHERE at >= ? AND at < ? GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`);
      const rows = z.array(BucketRow).parse(select.all(since.toISOString(), until.toISOString()));
      return rows.map((row) => {
        const { calls, usage } = modelSum(row);
        return {
          from: row.from,
          agentType: row.agentType,
          sessionId: row.sessionId,
          model: row.model,
          calls,
          ...usage,
        };
      });
    },
  };
}

/** The full hour on the local clock, told in UTC: with half an hour between them, an hour of UTC would belong to two days. */
const localHour = "strftime('%Y-%m-%dT%H:%M:00.000Z', unixepoch(at) - unixepoch(at, 'localtime') % 3600, 'unixepoch')";

const bases = ["listed", "override", "reported", "approximate", "unpriced"] as const satisfies readonly PriceBasis[];

/** A sum is as certain as its least certain call. */
const sums = `count(*) AS calls, sum(input) AS input, sum(output) AS output, sum(cached) AS cached, sum(cost) AS cost,
  max(CASE basis WHEN 'unpriced' THEN 4 WHEN 'approximate' THEN 3 WHEN 'reported' THEN 2 WHEN 'override' THEN 1 ELSE 0 END) AS doubt,
  sum(CASE basis WHEN 'approximate' THEN cost END) AS approximateCost, max(priced_as) AS pricedAs`;

const runColumns = `session, agent_type AS agentType, agent_session AS sessionId, shell AS shellId, home, cwd, model,
  started_at AS startedAt, last_activity_at AS lastActivityAt, parent_type AS parentType, parent_session AS parentSession,
  program, assumed, ended_at AS endedAt`;

function nameOf({ agentType, sessionId }: AgentSessionKey): string {
  return `${agentType}/${sessionId}`;
}

function runOfRow(row: z.infer<typeof RunRow>): AgentRun {
  const { parentType, parentSession, program, assumed, endedAt, ...run } = row;
  return {
    ...run,
    ...(program !== undefined && { program }),
    ...(assumed !== 0 && { assumed: true }),
    ...(endedAt !== null && { endedAt }),
    ...(parentType !== null &&
      parentSession !== null && { startedBy: { agentType: parentType, sessionId: parentSession } }),
  };
}

function programOfColumn(text: string | null): ProgramStart | undefined {
  try {
    return text === null ? undefined : ProgramStart.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function modelSum({ model, calls, doubt, pricedAs, approximateCost, ...sum }: z.infer<typeof SumRow>): ModelSum {
  const basis = bases[doubt] ?? "unpriced";
  const { input, output, cached, cost } = sum;
  const doubts = doubtsOf(basis === "unpriced", approximateCost ?? undefined);
  const usage = { input, output, cached, cost: dollars(cost), ...doubts };
  return { model, calls, usage, basis, ...(pricedAs !== null && { pricedAs }) };
}

const CallRow = z.object({
  id: z.string(),
  model: z.string(),
  at: z.string(),
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  cost: z.number(),
  basis: z.enum(bases),
  pricedAs: z.string().nullable(),
});
const SumRow = z.object({
  model: z.string(),
  calls: z.number(),
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  cost: z.number(),
  doubt: z.number(),
  approximateCost: z.number().nullable(),
  pricedAs: z.string().nullable(),
});
const UnpricedRow = z.object({ model: z.string(), agentType: z.string(), calls: z.number() });
const BucketRow = SumRow.extend({ from: z.string(), agentType: z.string(), sessionId: z.string() });
const RunRow = z.object({
  session: SessionId,
  agentType: z.string(),
  sessionId: z.string(),
  shellId: ShellId,
  home: z.string(),
  cwd: z.string(),
  model: z.string(),
  startedAt: z.string(),
  lastActivityAt: z.string(),
  parentType: z.string().nullable(),
  parentSession: z.string().nullable(),
  program: z.string().nullable().transform(programOfColumn),
  assumed: z.number(),
  endedAt: z.string().nullable(),
});
const WindowRow = z.object({
  agentType: z.string(),
  home: z.string(),
  /** "" for the account's general one. */
  limit: z.string(),
  minutes: z.number(),
  usedPercent: z.number(),
  resetsAt: z.number().nullable(),
  at: z.number(),
});
