import { z } from "zod";
import { AuditEntry, type AuditQuery } from "../../../core/protocol/audit.ts";
import { type ChainHead, type ChainLink, contentDigest, nextLink } from "./audit-chain.ts";
import { json } from "./columns.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Entries kept, and digests of removed entries. */
export interface AuditLimits {
  readonly entries: number;
  readonly removed: number;
}

/** A digest takes about 100 bytes. */
const LIMITS: AuditLimits = { entries: 100_000, removed: 500_000 };

/** `repeats`: the id of an earlier entry, of which this one counts repetitions. */
export type NewAuditEntry = Omit<AuditEntry, "id"> & { readonly repeats?: number };

/** An entry of the chain as it is stored; `content` is null for an entry that was removed by trimming. */
export interface StoredLink {
  readonly id: number;
  readonly digest: string | null;
  readonly hash: string | null;
  readonly content: readonly (string | number | null)[] | null;
}

/** What the store records about the chain: `anchor` precedes its first entry. */
interface ChainEnds {
  readonly anchor: ChainHead;
  readonly head: ChainHead;
}

const CONTENT = `at, kind, who, credential, address, session, action, params, outcome, client, duration_ms, count, repeats`;
const COLUMNS = `id, at, kind, who, credential, address AS "from", session, action, params, outcome, client,
  duration_ms AS durationMs,
  count + coalesce((SELECT sum(more.count) FROM audit more WHERE more.repeats = audit.id), 0) AS count`;

/**
 * Tables `audit`, `audit_removed` and `audit_chain`. Entries are only added: each is linked to the one before by a hash,
 * and removing the content of old ones keeps their digests, so that the chain can still be followed.
 */
export class AuditRows {
  readonly #database: StoreDatabase;
  readonly #limits: AuditLimits;

  constructor(database: StoreDatabase, limits: AuditLimits = LIMITS) {
    this.#database = database;
    this.#limits = limits;
  }

  /** Adds entries in one transaction and returns their ids. */
  add(entries: readonly NewAuditEntry[]): number[] {
    const insert = this.#database.prepare(
      `INSERT INTO audit (id, ${CONTENT}, digest, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const ids: number[] = [];
    // Immediate, because a command that works on the data folder itself adds entries too.
    this.#database
      .transaction(() => {
        const { head: known } = this.chainEnds();
        // An entry that something else has put after the head must not stop the log.
        let head: ChainHead = { id: Math.max(known.id, this.#newestId()), hash: known.hash };
        for (const entry of entries) {
          const columns = contentOf(entry);
          const link: ChainLink = nextLink(head, contentDigest(columns));
          insert.run([link.id, ...columns, link.digest, link.hash]);
          ids.push(link.id);
          head = link;
        }
        this.#setEnds({ ...this.chainEnds(), head });
      })
      .immediate();
    return ids;
  }

  /** Returns the entries that match, newest first. */
  list({ before, limit, session, kind, outcome, text }: AuditQuery): AuditEntry[] {
    const [where, values]: [string[], (string | number)[]] = [["repeats IS NULL"], []];
    const add = (condition: string, ...given: (string | number)[]) => {
      where.push(condition);
      values.push(...given);
    };
    if (before !== undefined) add("id < ?", before);
    if (session !== undefined) add("session = ?", session);
    if (kind !== undefined) add("kind = ?", kind);
    if (outcome === "failed") add("outcome <> 'ok'");
    else if (outcome !== undefined) add("outcome = ?", outcome);
    if (text !== undefined && text !== "") {
      const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
      const columns = ["who", "action", "params", "outcome", "address"];
      add(`(${columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(" OR ")})`, ...columns.map(() => pattern));
    }
    const statement = this.#database.prepare(
      `SELECT ${COLUMNS} FROM audit WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ?`,
    );
    return z.array(Row).parse(statement.all([...values, limit]));
  }

  chainEnds(): ChainEnds {
    const statement = this.#database.prepare("SELECT anchor_id, anchor_hash, head_id, head_hash FROM audit_chain");
    const ends = EndsRow.optional().parse(statement.get([]));
    if (ends === undefined) return { anchor: { id: 0, hash: "" }, head: { id: 0, hash: "" } };
    return {
      anchor: { id: ends.anchor_id, hash: ends.anchor_hash },
      head: { id: ends.head_id, hash: ends.head_hash },
    };
  }

  /** Returns the next entries of the chain after an id, in order, with or without their content. */
  links(after: number, limit: number): StoredLink[] {
    const statement = this.#database.prepare(
      `SELECT id, digest, hash, 1 AS kept, ${CONTENT} FROM audit WHERE id > ?1 UNION ALL
       SELECT id, digest, NULL, 0, ${CONTENT.replace(/\w+/g, "NULL")} FROM audit_removed WHERE id > ?1
       ORDER BY id LIMIT ?2`,
    );
    return z.array(LinkRow).parse(statement.raw().all([after, limit]));
  }

  /** Returns the number of entries that are not part of the chain: older than its first one. */
  countBefore(anchor: number): number {
    return this.#count("SELECT count(*) AS n FROM audit WHERE id <= ?", [anchor]);
  }

  /**
   * Removes the oldest entries beyond the limit. They are those of the caller with the most entries, among the callers
   * with the kind of credential that has the most: one caller cannot push out the entries of the others.
   */
  trim(): void {
    this.#database
      .transaction(() => {
        let excess = this.#count("SELECT count(*) AS n FROM audit", []) - this.#limits.entries;
        const shares = excess > 0 ? this.#shares() : [];
        while (excess > 0) {
          const share = largestShare(shares);
          if (share === undefined) break;
          const removed = Math.min(excess, Math.ceil(share.n / 10));
          this.#remove(share, removed);
          share.n -= removed;
          excess -= removed;
        }
        this.#moveAnchor();
      })
      .immediate();
  }

  #shares(): Share[] {
    return z
      .array(ShareRow)
      .parse(
        this.#database.prepare("SELECT credential, who, count(*) AS n FROM audit GROUP BY credential, who").all([]),
      );
  }

  #remove({ credential, who }: Share, count: number): void {
    const oldest = `FROM audit WHERE credential = ?1 AND who IS ?2 ORDER BY id LIMIT ?3`;
    const values = [credential, who, count];
    this.#database
      .prepare(
        `INSERT INTO audit_removed (id, digest) SELECT id, digest FROM (SELECT id, digest ${oldest}) WHERE digest IS NOT NULL`,
      )
      .run(values);
    this.#database.prepare(`DELETE FROM audit WHERE id IN (SELECT id ${oldest})`).run(values);
  }

  /** Lets the chain begin later where it has too many removed entries. */
  #moveAnchor(): void {
    const excess = this.#count("SELECT count(*) AS n FROM audit_removed", []) - this.#limits.removed;
    if (excess <= 0) return;
    const statement = this.#database.prepare("SELECT id FROM audit_removed ORDER BY id LIMIT 1 OFFSET ?");
    const until = z.object({ id: z.int() }).parse(statement.get([excess - 1])).id;
    let { anchor } = this.chainEnds();
    while (anchor.id < until) {
      const links = this.links(anchor.id, Math.min(1000, until - anchor.id));
      if (links.length === 0) return;
      for (const { id, digest } of links) {
        // Verification reports what is missing.
        if (digest === null || id !== anchor.id + 1) return;
        anchor = nextLink(anchor, digest);
      }
    }
    this.#database.prepare("DELETE FROM audit_removed WHERE id <= ?").run([until]);
    this.#setEnds({ ...this.chainEnds(), anchor });
  }

  #setEnds({ anchor, head }: ChainEnds): void {
    this.#database
      .prepare(
        "INSERT OR REPLACE INTO audit_chain (id, anchor_id, anchor_hash, head_id, head_hash) VALUES (1, ?, ?, ?, ?)",
      )
      .run([anchor.id, anchor.hash, head.id, head.hash]);
  }

  #newestId(): number {
    return this.#count("SELECT coalesce(max(id), 0) AS n FROM audit", []);
  }

  #count(sql: string, values: readonly number[]): number {
    return CountRow.parse(this.#database.prepare(sql).get([...values])).n;
  }
}

interface Share {
  readonly credential: string;
  readonly who: string | null;
  n: number;
}

/** Returns the largest share of the credential with the most entries. */
function largestShare(shares: readonly Share[]): Share | undefined {
  const sums = new Map<string, number>();
  for (const { credential, n } of shares) sums.set(credential, (sums.get(credential) ?? 0) + n);
  const sumOf = ({ credential }: Share) => sums.get(credential) ?? 0;
  let largest: Share | undefined;
  for (const share of shares) {
    const more = largest === undefined ? share.n : sumOf(share) - sumOf(largest) || share.n - largest.n;
    if (share.n > 0 && more > 0) largest = share;
  }
  return largest;
}

const Row = AuditEntry.extend({ params: json(AuditEntry.shape.params) });
const CountRow = z.object({ n: z.int() });
const ShareRow = z.object({ credential: z.string(), who: z.string().nullable(), n: z.int() });
const EndsRow = z.object({
  anchor_id: z.int(),
  anchor_hash: z.string(),
  head_id: z.int(),
  head_hash: z.string(),
});
const LinkRow = z
  .tuple([z.int(), z.string().nullable(), z.string().nullable(), z.int()], z.union([z.string(), z.number(), z.null()]))
  .transform(
    ([id, digest, hash, kept, ...content]): StoredLink => ({ id, digest, hash, content: kept === 1 ? content : null }),
  );

function contentOf(entry: NewAuditEntry): (string | number | null)[] {
  const { at, kind, who, credential, from, session, action, params, outcome, client, durationMs, count } = entry;
  const { repeats = null } = entry;
  const text = JSON.stringify(params);
  const columns = [at, kind, who, credential, from, session, action, text, outcome, client, durationMs, count, repeats];
  return columns.map((column) => (typeof column === "string" ? storable(column) : column));
}

/**
 * Returns a text that the database gives back as it is, because its hash is checked: it cuts texts at U+0000 and replaces
 * lone surrogates.
 */
function storable(text: string): string {
  return Buffer.from(text).toString().replaceAll("\0", "\u2400");
}
