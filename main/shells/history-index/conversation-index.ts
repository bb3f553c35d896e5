import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { ConversationMessage, ConversationPage } from "../../../core/protocol/conversations.ts";
import type { SearchHit, SearchQuery } from "../../../core/protocol/history-search.ts";
import { type SearchPattern, searchPattern, THREAD_MS } from "../../../core/protocol/search-pattern.ts";
import { redactSecrets } from "../../system/redact-secrets.ts";
import { StoredBytes } from "../../system/stored-text.ts";
import { asOne, type IndexDatabase, isDamage, type Sealer, StoredText, storedRow } from "./database.ts";
import type { FilterRows } from "./filter-rows.ts";
import { TOO_LONG } from "./index-calls.ts";
import type { RedactionRows } from "./redaction-rows.ts";
import { describe } from "./text-hits.ts";
import { pages } from "./text-rows.ts";

/** Messages that are read and stored at a time. */
const PAGE_MESSAGES = 500;
/** Of each text of a message, so much is found. */
const LONGEST_TEXT = 256 * 1024;
/** More than a message has in bytes: three texts, of which each character takes three. */
const LONGEST_MESSAGE = 10 * LONGEST_TEXT;
/** A call among so many of the last messages may still get its result. */
const LATE_RESULTS = 50;
/** Messages that are looked up at a time. */
const LOOKED_UP = 64;
const MAX_TITLE = 200;
const MAX_TIME = Number.MAX_SAFE_INTEGER;
/** The filters of messages; those of output have the number of their session, from 1. */
const FILTERS = 0;
/** A filter is made of so much of a text, and of as much of what follows as a text to look for may be long. */
const PART_LENGTH = 4096;
const PART_OVERLAP = 1000;

interface StoredConversation {
  readonly agentType: string;
  readonly agentSessionId: string;
  readonly changedAt: number;
  readonly cwd?: string;
}

/** Reads conversations, as `getConversation` does. */
export interface ConversationReader {
  /** Lists all that have a transcript, those first that were written last. */
  stored(): Promise<readonly StoredConversation[]>;
  /** Reads the messages after a cursor, or `start`. */
  page(
    name: Pick<StoredConversation, "agentType" | "agentSessionId">,
    wanted: { readonly after: string; readonly limit: number },
  ): Promise<Pick<ConversationPage, "messages" | "hasMore">>;
}

const Facts = z.object({ title: z.string(), cwd: z.string().optional() });
const ConversationRow = z.object({
  id: z.int(),
  changed_at: z.int(),
  cursor: StoredText.nullable(),
  sealed: StoredText,
});
const MessageRow = z.object({
  id: z.int(),
  cursor: StoredText,
  at: z.int(),
  message: StoredBytes,
  agent_type: StoredText,
  agent_session: StoredText,
  conversation: StoredText,
});

/**
 * The index of conversations with agents. Its texts are sealed, as commands are. Each page of messages is stored together
 * with the cursor that it reaches, so a kill costs one page, and only transcripts that have changed are read.
 */
export class ConversationIndex {
  readonly #database: IndexDatabase;
  readonly #sealer: Sealer;
  readonly #filters: FilterRows;
  readonly #redactions: RedactionRows;

  constructor(
    database: IndexDatabase,
    {
      sealer,
      filters,
      redactions,
    }: { readonly sealer: Sealer; readonly filters: FilterRows; readonly redactions: RedactionRows },
  ) {
    this.#database = database;
    this.#sealer = sealer;
    this.#filters = filters;
    this.#redactions = redactions;
  }

  /** Indexes what was said since the last time, and forgets conversations whose transcripts are gone. */
  async update(reader: ConversationReader): Promise<void> {
    const stored = await reader.stored();
    const known = new Set(stored.map(({ agentType, agentSessionId }) => `${agentType} ${agentSessionId}`));
    for (const row of this.#database
      .prepare(
        "SELECT id, CAST(agent_type AS BLOB) AS agent_type, CAST(agent_session AS BLOB) AS agent_session FROM conversations",
      )
      .all([])) {
      const { id, agent_type, agent_session } = z
        .object({ id: z.int(), agent_type: StoredText, agent_session: StoredText })
        .parse(row);
      if (!known.has(`${agent_type} ${agent_session}`)) this.#forget(id);
    }
    for (const one of stored) {
      await this.#read(reader, one).catch((error: unknown) => {
        // A transcript that cannot be read now is tried again when it changes.
        if (isDamage(error)) throw error;
      });
    }
  }

  /** Returns the latest messages that hold a pattern. */
  search({ since, until, limit, ...query }: SearchQuery): SearchHit[] {
    const pattern = searchPattern(query, THREAD_MS);
    const end = query.regex ? performance.now() + THREAD_MS : Number.POSITIVE_INFINITY;
    const read = this.#database.prepare(
      `SELECT messages.id AS id, CAST(messages.cursor AS BLOB) AS cursor, at, messages.sealed AS message,
         CAST(agent_type AS BLOB) AS agent_type, CAST(agent_session AS BLOB) AS agent_session,
         CAST(conversations.sealed AS BLOB) AS conversation
       FROM messages JOIN conversations ON conversations.id = conversation_id
       WHERE messages.id IN (SELECT value FROM json_each(?)) ORDER BY at DESC, messages.id DESC`,
    );
    const hits: SearchHit[] = [];
    for (const ids of pages(this.#candidates(pattern.literals, since, until), LOOKED_UP)) {
      for (const row of read.all([JSON.stringify(ids)])) {
        if (performance.now() > end) throw new Error(TOO_LONG);
        const hit = this.#hit(row, pattern);
        if (hit !== undefined) hits.push(hit);
      }
      if (hits.length >= limit) break;
    }
    return hits.slice(0, limit);
  }

  /** Returns the messages that may hold some texts, the latest first. Each text may be in another part of a message. */
  #candidates(literals: readonly string[], since: string | undefined, until: string | undefined): number[] {
    const holding = this.#database.prepare(
      `SELECT DISTINCT messages.id AS id, at FROM message_parts JOIN messages ON messages.id = message_id
       WHERE message_parts.id IN (SELECT value FROM json_each(?)) AND at >= ? AND at < ?
       ORDER BY at DESC, messages.id DESC`,
    );
    const bounds = [since === undefined ? 0 : Date.parse(since), until === undefined ? MAX_TIME : Date.parse(until)];
    const found = literals.map((literal) => {
      const parts = JSON.stringify([...this.#filters.candidates(FILTERS, [literal])]);
      return holding.all([parts, ...bounds]).map((row) => z.object({ id: z.int() }).parse(row).id);
    });
    const [first = [], ...others] = found.sort((a, b) => a.length - b.length);
    const sets = others.map((ids) => new Set(ids));
    return first.filter((id) => sets.every((ids) => ids.has(id)));
  }

  async #read(reader: ConversationReader, stored: StoredConversation): Promise<void> {
    const { agentType, agentSessionId, cwd } = stored;
    const known = this.#row(stored);
    // In whole microseconds: file systems keep less than a millisecond, and the column is of whole numbers.
    const changedAt = Math.round(stored.changedAt * 1000);
    if (known?.changed_at === changedAt) return;
    let { title } = this.#facts(known?.sealed);
    let after = known?.cursor ?? null;
    for (let hasMore = true; hasMore; ) {
      const page = await reader.page(stored, { after: after ?? "start", limit: PAGE_MESSAGES });
      const { messages } = page;
      title ||= titleOf(messages);
      hasMore = page.hasMore && messages.length > 0;
      const final = hasMore ? messages.length : settledCount(messages);
      const reached: string | null = messages[final - 1]?.cursor ?? after;
      asOne(this.#database, () => {
        const sealed = this.#sealer.seal(JSON.stringify({ title, ...(cwd === undefined ? {} : { cwd }) }));
        this.#database
          .prepare(
            `INSERT INTO conversations (agent_type, agent_session, changed_at, cursor, sealed) VALUES (?, ?, ?, ?, ?)
               ON CONFLICT DO UPDATE SET changed_at = excluded.changed_at, cursor = excluded.cursor,
                 sealed = excluded.sealed`,
          )
          // While there is more to read, it counts as not read.
          .run([agentType, agentSessionId, page.hasMore ? -1 : changedAt, reached, sealed]);
        const id = this.#row(stored)?.id ?? 0;
        this.#store(id, { after, messages });
      });
      after = reached;
    }
  }

  /** Replaces the messages after a cursor: the last ones may have been stored without their results. */
  #store(id: number, { after, messages }: { after: string | null; messages: readonly ConversationMessage[] }): void {
    const last = this.#database
      .prepare("SELECT max(id) AS id FROM messages WHERE conversation_id = ? AND cursor = ?")
      .get([id, after ?? ""]);
    this.#remove(id, z.object({ id: z.int().nullable() }).parse(last).id ?? 0);
    for (const message of messages) {
      const { text, note } = this.#redactions.redact(textOf(message));
      const sealed = this.#sealer.sealBytes(deflateRawSync(text));
      const { lastInsertRowid } = this.#database
        .prepare("INSERT INTO messages (conversation_id, cursor, at, sealed) VALUES (?, ?, ?, ?)")
        .run([id, message.cursor, Date.parse(message.at) || 0, sealed]);
      const row = Number(lastInsertRowid);
      for (let at = 0; at === 0 || at + PART_OVERLAP < text.length; at += PART_LENGTH) {
        const part = this.#database.prepare("INSERT INTO message_parts (message_id) VALUES (?)").run([row]);
        this.#filters.add(FILTERS, Number(part.lastInsertRowid), text.slice(at, at + PART_LENGTH + PART_OVERLAP));
      }
      note("messages", row, Date.parse(message.at) || 0);
    }
    this.#filters.close(FILTERS);
  }

  #forget(id: number): void {
    asOne(this.#database, () => {
      this.#remove(id, 0);
      this.#database.prepare("DELETE FROM conversations WHERE id = ?").run([id]);
    });
  }

  /** Removes the messages of a conversation that were stored after one. */
  #remove(id: number, after: number): void {
    const rows = this.#database
      .prepare("SELECT id FROM messages WHERE conversation_id = ? AND id > ?")
      .all([id, after]);
    for (const row of rows) {
      const message = z.object({ id: z.int() }).parse(row).id;
      for (const part of this.#database.prepare("SELECT id FROM message_parts WHERE message_id = ?").all([message])) {
        this.#filters.remove(FILTERS, z.object({ id: z.int() }).parse(part).id);
      }
      this.#database.prepare("DELETE FROM message_parts WHERE message_id = ?").run([message]);
      this.#database.prepare("DELETE FROM messages WHERE id = ?").run([message]);
      this.#redactions.remove("messages", message);
    }
  }

  #row({ agentType, agentSessionId }: StoredConversation): z.infer<typeof ConversationRow> | undefined {
    const row = this.#database
      .prepare(
        "SELECT id, changed_at, CAST(cursor AS BLOB) AS cursor, CAST(sealed AS BLOB) AS sealed FROM conversations WHERE agent_type = ? AND agent_session = ?",
      )
      .get([agentType, agentSessionId]);
    return storedRow(ConversationRow.optional(), row);
  }

  #facts(sealed: string | undefined): z.infer<typeof Facts> {
    const text = sealed === undefined ? undefined : this.#sealer.open(sealed);
    return text === undefined ? { title: "" } : Facts.parse(JSON.parse(text));
  }

  #hit(row: unknown, pattern: SearchPattern): SearchHit | undefined {
    const { cursor, at, message, agent_type: agentType, agent_session, conversation } = MessageRow.parse(row);
    const opened = this.#sealer.openBytes(message);
    if (opened === undefined) return undefined;
    const text = inflateRawSync(opened, { maxOutputLength: LONGEST_MESSAGE }).toString();
    const [match] = pattern.matches(text);
    if (match === undefined) return undefined;
    const [found] = describe(text, match.index, match.length);
    return {
      in: "conversations",
      id: cursor,
      conversation: { agentType, agentSessionId: agent_session, ...this.#facts(conversation) },
      at: new Date(at).toISOString(),
      ...found,
    };
  }
}

/** The texts of a message in which is searched: what was said, what a tool was called with, and its result. */
function textOf({ text, tool }: ConversationMessage): string {
  const call = tool === undefined ? "" : `${tool.name} ${JSON.stringify(tool.input)}`;
  const texts = [text, call, tool?.result ?? ""].filter((part) => part !== "");
  return texts.map((part) => part.slice(0, LONGEST_TEXT)).join("\n");
}

function titleOf(messages: readonly ConversationMessage[]): string {
  const prompt = messages.find(({ role, kind }) => role === "user" && kind === "prompt");
  // Before it is cut: what is left of a secret is none of a known format.
  return redactSecrets((prompt?.text ?? "").slice(0, MAX_TITLE * 4))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_TITLE);
}

/** How many of the messages get nothing added any more: those before the first call that has no result yet. */
function settledCount(messages: readonly ConversationMessage[]): number {
  const first = Math.max(0, messages.length - LATE_RESULTS);
  const open = messages.slice(first).findIndex(({ tool }) => tool !== undefined && tool.result === undefined);
  return open < 0 ? messages.length : first + open;
}
