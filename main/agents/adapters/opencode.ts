import { lstatSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { StoredText } from "../../system/stored-text.ts";
import type { AgentAdapter } from "./adapter.ts";
import { argument, fileFacts, readJsonLater, recogniseProgram } from "./adapter-files.ts";
import { openReadOnly } from "./agent-database.ts";
import { homeOf } from "./agent-home.ts";
import { beganAfter, grownSince, inFolder, named, type SessionFile, sessionDuring } from "./join-by-time.ts";
import { opencodeContextSize } from "./opencode-models.ts";
import { OpencodeParser } from "./opencode-records.ts";

/**
 * opencode, a native program. It keeps all sessions in one SQLite database, `opencode.db`; a session begins with the first
 * prompt, and nothing names the process.
 */
export function opencodeAdapter(): AgentAdapter {
  const read = new Map<string, { readonly stamp: string; readonly sessions: readonly SessionOfFolder[] }>();

  return {
    kind: "opencode",
    apps: ["opencode"],
    provider: "",
    resume: {
      words: (sessionId) => ["-s", sessionId],
      flags: ["--auto", "--mdns"],
      values: ["--agent", "--hostname", "--mdns-domain", "--model", "-m", "--port"],
      chooses: ["--continue", "-c", "--fork", "--prompt", "--session", "-s"],
    },
    recognise(process) {
      if (SERVERS.has(process.argv()[1] ?? "")) return undefined;
      return recogniseProgram(process, "opencode", OWN_PATH);
    },
    home(env) {
      const home = env("HOME") || env("USERPROFILE");
      const data = env("XDG_DATA_HOME") || (home ? join(home, ".local", "share") : undefined);
      return data === undefined ? undefined : join(data, "opencode");
    },
    join(request) {
      const home = homeOf(this, request.process);
      if (home === undefined) return undefined;
      const argv = request.process.argv();
      const sessions = () => sessionsIn(home).filter(({ folder }) => folder === request.cwd);
      const asked = named(request, argument(argv, "--session", "-s"));
      const continued = () => (continues(argv) ? grownSince(request, sessions) : undefined);
      return inFolder(request, home, asked ?? beganAfter(request, sessions) ?? continued());
    },
    sessionsOf(process) {
      const asked = argument(process.argv, "--session", "-s");
      if (asked !== undefined) return [asked];
      const own = sessionsIn(process.home).filter(({ folder }) => folder === process.cwd);
      return sessionDuring(process, own, continues(process.argv));
    },
    startModel(process) {
      const asked = argument(process.argv(), "--model", "-m");
      if (asked !== undefined) return asked.slice(asked.indexOf("/") + 1);
      const config = process.env("XDG_CONFIG_HOME") || join(process.env("HOME") ?? "", ".config");
      return settingsModel(join(config, "opencode", "opencode.json"));
    },
    async contextSize(process, cwd, used) {
      // The paths in the settings of a sandbox are its own.
      if (process.foreignFiles?.() !== undefined) return undefined;
      return opencodeContextSize((name) => process.env(name), cwd, used);
    },
    files(home, session) {
      const isKnown = sessionsIn(home).some(({ sessionId }) => sessionId === session);
      return { main: isKnown ? databaseOf(home) : undefined, subagents: [] };
    },
    database: { tables: ["session", "message", "part"], query: (purpose) => queries[purpose] },
    stored(home, session) {
      const known = sessionsIn(home).find(({ sessionId }) => sessionId === session);
      return known && { path: databaseOf(home), changedAt: known.changedAt, cwd: known.folder };
    },
    relatedSessions: async () => [],
    sessions: (home) => sessionsIn(home).map(({ sessionId }) => sessionId),
    parser: (_session, purpose) => new OpencodeParser(purpose),
    titleStatus: () => undefined,
    screenStatus: {
      busy: /\besc (?:again to )?interrupt\b/i,
      waits: /^[ \t┃│|]*△[ \t]+Permission required\b/mu,
    },
  };

  /** The newest sessions, oldest first; read again when the database has changed. */
  function sessionsIn(home: string): readonly SessionOfFolder[] {
    const path = databaseOf(home);
    const stamp = stampOf(path);
    if (stamp === undefined) return [];
    const known = read.get(home);
    if (known?.stamp === stamp) return known.sessions;
    const sessions = readSessions(path) ?? known?.sessions ?? [];
    read.set(home, { stamp, sessions });
    return sessions;
  }
}

interface SessionOfFolder extends SessionFile {
  readonly folder: string;
}

/** Programs of the same name that serve the sessions of other terminals, or have none. */
const SERVERS: ReadonlySet<string> = new Set([
  ...["serve", "web", "acp", "mcp", "auth", "agent", "models", "stats", "export", "import", "upgrade", "uninstall"],
  ...["github", "pr", "debug", "db", "completion", "session", "providers", "plugin"],
]);

const OWN_PATH = /[\\/]opencode-ai[\\/]bin[\\/]|[\\/]opencode-(linux|darwin|windows)-[^\\/]+[\\/]bin[\\/]/;
const MOST_SESSIONS = 2000;

/** The session and those of its sub-agents, whose parent it is or another one of them: what they used counts for it. */
const FAMILY = `WITH RECURSIVE family(id) AS (
  SELECT id FROM session WHERE id = ?1
  UNION SELECT session.id FROM session JOIN family ON session.parent_id = family.id)`;
const OF_FAMILY = "session.id IN (SELECT id FROM family)";

/** A long record holds no more than a short one that counts. */
const OF_SESSION = `session JOIN message ON message.session_id = session.id
  WHERE ${OF_FAMILY}`;

/** A fork begins with copies of the messages of another session, which counts what they used; they keep their times. */
const IS_COPY = "message.time_created < session.time_created";

const queries = {
  usage: `${FAMILY}
    SELECT 'message' AS kind, message.id AS id, message.time_updated AS mark, message.data AS record,
      session.parent_id IS NOT NULL AS subagent
    FROM ${OF_SESSION} AND message.time_updated >= ?2 AND length(message.data) < 1000000
      AND NOT (${IS_COPY})
    UNION ALL
    SELECT 'session', id, time_updated, json_object('cost', max(0,
      (SELECT sum(cost) FROM session WHERE ${OF_FAMILY}) -
      (SELECT total(json_extract(message.data, '$.cost'))
        FROM ${OF_SESSION} AND ${IS_COPY} AND json_valid(message.data)))), 0
    FROM session WHERE id = ?1 AND time_updated >= ?2
    ORDER BY mark, id LIMIT ?3`,
  events: `${FAMILY}
    SELECT 'part' AS kind, part.id AS id, part.time_created AS mark,
      json_object('role', json_extract(message.data, '$.role'), 'model', json_extract(message.data, '$.modelID'),
        'session', session.id, 'message', message.id, 'at', part.time_created, 'part', CASE
          WHEN length(part.data) < 1000000 THEN json(part.data)
          ELSE json_object('type', 'left-out', 'length', length(part.data)) END) AS record,
      session.parent_id IS NOT NULL AS subagent
    FROM session JOIN message ON message.session_id = session.id JOIN part ON part.message_id = message.id
    WHERE ${OF_FAMILY} AND part.time_created >= ?2
    UNION ALL
    SELECT 'message', message.id, message.time_created, json_set(
        CASE WHEN ${IS_COPY} THEN json_remove(message.data, '$.tokens') ELSE message.data END, '$.session', session.id),
      session.parent_id IS NOT NULL
    FROM ${OF_SESSION} AND message.time_created >= ?2 AND length(message.data) < 1000000
    UNION ALL
    SELECT 'facts', message.id, message.time_created, json_object(
      'mode', json_extract(message.data, '$.mode'),
      'added', (SELECT sum(json_extract(message.data, fullkey || '.additions')) FROM json_each(message.data, '$.summary.diffs')),
      'removed', (SELECT sum(json_extract(message.data, fullkey || '.deletions')) FROM json_each(message.data, '$.summary.diffs'))), 0
    FROM session JOIN message ON message.session_id = session.id
    WHERE session.id = ?1 AND message.time_created >= ?2 AND length(message.data) < 1000000
    ORDER BY mark, id LIMIT ?3`,
} as const;

function databaseOf(home: string): string {
  return join(home, "opencode.db");
}

function stampOf(path: string): string | undefined {
  if (fileFacts(path) === undefined || lstatSync(path).isSymbolicLink()) return undefined;
  const [main, log] = [fileFacts(path), fileFacts(`${path}-wal`)];
  return `${main?.changedAt}:${main?.size}:${log?.changedAt}:${log?.size}`;
}

function readSessions(path: string): SessionOfFolder[] | undefined {
  try {
    const database = openReadOnly(path, ["session"]);
    try {
      const rows = database
        .prepare(`SELECT CAST(id AS BLOB) AS sessionId, CAST(directory AS BLOB) AS folder,
            CAST(time_created AS REAL) AS startedAt, CAST(time_updated AS REAL) AS changedAt
          FROM session WHERE parent_id IS NULL ORDER BY time_created DESC LIMIT ${MOST_SESSIONS}`)
        .all([]);
      return z.array(SessionRow).parse(rows).reverse();
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

function continues(argv: readonly string[]): boolean {
  return argv.some((word) => word === "--continue" || word === "-c");
}

async function settingsModel(path: string): Promise<string | undefined> {
  const model = (await readJsonLater(path, Settings))?.model;
  return model?.slice(model.indexOf("/") + 1);
}

const SessionRow = z.object({
  sessionId: StoredText,
  folder: StoredText,
  startedAt: z.number(),
  changedAt: z.number(),
});
const Settings = z.object({ model: z.string().optional().catch(undefined) });
