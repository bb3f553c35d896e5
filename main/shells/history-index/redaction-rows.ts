import { z } from "zod";
import type { Redaction, RedactionQuery } from "../../../core/protocol/history-search.ts";
import { ShellId } from "../../../core/protocol/ids.ts";
import { type HiddenSecret, redactSecrets } from "../../system/redact-secrets.ts";
import { type IndexDatabase, StoredText } from "./database.ts";

/** Redactions that are kept of one text; more of them say nothing new. */
const MOST_OF_TEXT = 100;

/** The tables whose rows were redacted: documents of output, commands, messages of conversations. */
type RedactedTable = "docs" | "commands" | "messages";

const Row = z.object({
  rule: StoredText,
  length: z.int(),
  at: z.number(),
  of: z.enum(["output", "commands", "conversations"]),
  session: StoredText.nullable(),
  shell: z.int().nullable(),
  place: z.int().nullable(),
  agent_type: StoredText.nullable(),
  agent_session: StoredText.nullable(),
  cursor: StoredText.nullable(),
});

const Count = z.object({ count: z.int() });

/** Table `redactions`: by which rule something was hidden in a row of the index, and never what. */
export class RedactionRows {
  readonly #database: IndexDatabase;

  constructor(database: IndexDatabase) {
    this.#database = database;
  }

  /**
   * Hides the secrets of a text.
   *
   * @returns the text, and what notes its redactions once its row is stored
   */
  redact(text: string): {
    readonly text: string;
    readonly note: (table: RedactedTable, row: number, at: number) => void;
  } {
    const found: HiddenSecret[] = [];
    const redacted = redactSecrets(text, (secret) => found.push(secret));
    return {
      text: redacted,
      note: (table, row, at) => {
        for (const { rule, length } of found.slice(0, MOST_OF_TEXT)) {
          this.#database
            .prepare("INSERT INTO redactions (source, row, at, rule, length) VALUES (?, ?, ?, ?, ?)")
            .run([table, row, Math.trunc(at), rule, length]);
        }
      },
    };
  }

  /** Forgets the redactions of a row that is removed or written anew. */
  remove(table: RedactedTable, row: number): void {
    this.#database.prepare("DELETE FROM redactions WHERE source = ? AND row = ?").run([table, row]);
  }

  count(): number {
    return Count.parse(this.#database.prepare("SELECT count(*) AS count FROM redactions").get([])).count;
  }

  /** Returns the latest redactions that a query fits. */
  list({ rule, since, limit }: RedactionQuery): Redaction[] {
    const rows = this.#database
      .prepare(`SELECT CAST(rule AS BLOB) AS rule, length, at, of, CAST(session AS BLOB) AS session, shell, place,
           CAST(agent_type AS BLOB) AS agent_type, CAST(agent_session AS BLOB) AS agent_session, CAST(cursor AS BLOB) AS cursor
         FROM (${PLACES}) WHERE (?1 IS NULL OR rule = ?1) AND at >= ?2 ORDER BY at DESC LIMIT ?3`)
      .all([rule ?? null, since === undefined ? 0 : Date.parse(since), limit]);
    return rows.map((row) => {
      const { rule, length, at, of, session, shell, place, agent_type, agent_session, cursor } = Row.parse(row);
      return {
        ...{ rule, in: of, length, at: new Date(at).toISOString() },
        ...(session === null ? {} : { session }),
        ...(shell === null ? {} : { shellId: ShellId.parse(shell) }),
        ...(place === null ? {} : { offset: place }),
        ...(agent_type === null || agent_session === null
          ? {}
          : { conversation: { agentType: agent_type, agentSessionId: agent_session } }),
        ...(cursor === null ? {} : { id: cursor }),
      };
    });
  }
}

const PLACES = `
  SELECT rule, length, r.at AS at, 'output' AS of, session, shell, starts AS place,
    NULL AS agent_type, NULL AS agent_session, NULL AS cursor
  FROM redactions r JOIN docs ON docs.id = row JOIN shells ON shells.id = shell_id
    JOIN sessions ON sessions.id = session_id WHERE source = 'docs'
  UNION ALL
  SELECT rule, length, r.at, 'commands', session, shell, output_from, NULL, NULL, NULL
  FROM redactions r JOIN commands ON commands.rowid = row JOIN shells ON shells.id = shell_id
    JOIN sessions ON sessions.id = session_id WHERE source = 'commands'
  UNION ALL
  SELECT rule, length, r.at, 'conversations', NULL, NULL, NULL, agent_type, agent_session, messages.cursor
  FROM redactions r JOIN messages ON messages.id = row
    JOIN conversations ON conversations.id = conversation_id WHERE source = 'messages'`;
