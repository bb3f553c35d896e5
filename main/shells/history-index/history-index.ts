import { setImmediate as immediate } from "node:timers/promises";
import { z } from "zod";
import type {
  CommandQuery,
  CommandRecord,
  CommandSource,
  OfShells,
  SearchHit,
  SearchQuery,
} from "../../../core/protocol/history-search.ts";
import { ShellId } from "../../../core/protocol/ids.ts";
import { jsonOrUndefined } from "../../../core/protocol/json-value.ts";
import { type SearchPattern, searchPattern, THREAD_MS } from "../../../core/protocol/search-pattern.ts";
import { Queue } from "../../system/in-turns.ts";
import type { HistoryReader, OutputRun } from "../history/history-reader.ts";
import { type MasterKey, type SegmentFrame, type SegmentOwner, StoredVtState } from "../history/segment.ts";
import type { StoredSegment } from "../history/trim.ts";
import { CommandRows } from "./command-rows.ts";
import { ConversationIndex } from "./conversation-index.ts";
import {
  asOne,
  type IndexDatabase,
  openIndex,
  Sealer,
  StoredText,
  shrinkFile,
  storedRow,
  usedBytes,
} from "./database.ts";
import { FilterRows } from "./filter-rows.ts";
import { TOO_LONG } from "./index-calls.ts";
import { RedactionRows } from "./redaction-rows.ts";
import { DocCutter, outsideOfSequences, timedPieces } from "./text-docs.ts";
import { hitsIn } from "./text-hits.ts";
import { type DocRow, type IndexedDoc, pages, TextRows } from "./text-rows.ts";

/** Output after which what was indexed is stored, so that a kill costs no more. */
const STORE_BYTES = 1024 * 1024;
/** Documents that are read at a time: few, since what is common is found in the first ones. */
const DOCS = 64;
/** What is read after a document for the lines that follow. */
const AFTER_BYTES = 1024;
/** The document before is read for the lines before the first ones, where it begins no farther away. */
const BEFORE_BYTES = 32 * 1024;

const ShellRow = z.object({
  id: z.int(),
  session_id: z.int(),
  indexed: z.int(),
  state: StoredText.transform(jsonOrUndefined).pipe(StoredVtState),
});
type ShellRow = z.infer<typeof ShellRow>;

const KnownShellRow = z.object({
  id: z.int(),
  session_id: z.int(),
  session: StoredText,
  shell: z.int(),
  stamp: StoredText.nullable(),
});

/** The segments of a shell. */
interface Recorded {
  readonly owner: SegmentOwner;
  /** Offset of the first byte of all. */
  readonly oldest: number;
  /** The latest one. */
  readonly file: string;
  /** Another one whenever a segment has grown, was begun, compressed or removed. */
  readonly stamp: string;
  /** Time of the latest output, in milliseconds since 1970. */
  readonly at: number;
}

const NOTHING_RECORDED = { oldest: Number.MAX_SAFE_INTEGER, stamp: "" };

interface IndexOptions {
  readonly file: string;
  readonly key: MasterKey;
  readonly reader: HistoryReader;
  /** Lists the segments of a history. */
  readonly segments: () => Promise<readonly StoredSegment[]>;
  /** Bound of the whole history in bytes, of which the index takes half at most; default: none. */
  readonly maxBytes?: number;
}

/**
 * The index of a history: its commands, and which parts of it may hold a text. It is made from the segments, holds no text
 * in clear, and may be removed at any time. What was indexed is stored together with its place, so nothing is indexed twice.
 */
export class HistoryIndex implements Disposable {
  readonly #options: IndexOptions;
  readonly #database: IndexDatabase;
  readonly #commands: CommandRows;
  readonly #texts: TextRows;
  readonly conversations: ConversationIndex;
  readonly redactions: RedactionRows;

  constructor(options: IndexOptions) {
    this.#options = options;
    this.#database = openIndex(options.file);
    const sealer = new Sealer(options.key);
    this.redactions = new RedactionRows(this.#database);
    this.#commands = new CommandRows(this.#database, sealer, this.redactions);
    const filters = new FilterRows(this.#database, options.key);
    this.conversations = new ConversationIndex(this.#database, { sealer, filters, redactions: this.redactions });
    this.#texts = new TextRows(this.#database, filters, this.redactions);
  }

  /**
   * Indexes what is recorded of all shells, each in its turn, and forgets what is recorded no longer. Nothing is read of a
   * shell whose segments are those of the last time. The shell that printed last comes last: what was indexed last is found
   * first.
   */
  async catchUp(turns = new Queue()): Promise<void> {
    // Listed in its turn: of a shell that was begun and indexed meanwhile nothing would be there.
    const { there, unchanged } = await turns.run(async () => {
      const there = await this.#recorded();
      return { there, unchanged: this.#prune(there) };
    });
    for (const [key, { owner, file, stamp }] of [...there].sort(([, one], [, other]) => one.at - other.at)) {
      if (unchanged.has(key)) continue;
      await turns.run(async () => {
        await this.add(owner);
        // What could not be read is tried again, and named again.
        if (!this.#options.reader.damage.has(file)) this.#stamp(this.#shell(owner).id, stamp);
      });
    }
  }

  /**
   * Forgets what is beyond the bound, which may be narrower than the last time, and gives back to the disk what the file does
   * not need, in steps between which everything else has its turn.
   */
  async tidy(turns = new Queue()): Promise<void> {
    for (const step of [() => this.#keepWithinBound(), () => shrinkFile(this.#database)]) {
      while (await turns.run(async () => step())) await immediate();
    }
  }

  /** Indexes what was recorded of a shell since the last time. */
  async add(owner: SegmentOwner): Promise<void> {
    const shell = this.#shell(owner);
    const docs: IndexedDoc[] = [];
    let at = 0;
    let expected = shell.indexed;
    let stored = expected;
    const newCutter = (position: { offset: number; state: ReturnType<typeof outsideOfSequences> }) =>
      new DocCutter(position, (doc) => docs.push({ ...doc, at }));
    let cutter = newCutter({ offset: shell.indexed, state: shell.state });
    // The last document may have grown.
    const events: (SegmentFrame & { kind: "event" })[] = [];
    const store = (isLast: boolean) => {
      const { rest, position } = cutter;
      const all = isLast && rest !== undefined ? [...docs, { ...rest, at }] : docs;
      this.#store(shell, { from: stored, docs: all, events, position });
      stored = position.offset;
      docs.length = 0;
      events.length = 0;
    };
    for await (const frame of this.#options.reader.frames(owner, expected)) {
      if (frame.kind === "event") {
        events.push(frame);
        continue;
      }
      const end = frame.offset + frame.bytes.length;
      if (end <= expected) continue;
      if (frame.offset > expected) {
        // What follows a gap stands for itself, and can be read from the first piece that knows its state.
        if (frame.before === undefined) continue;
        if (cutter.rest !== undefined) docs.push({ ...cutter.rest, at });
        cutter = newCutter({ offset: frame.offset, state: frame.before });
        expected = frame.offset;
      }
      for (const piece of timedPieces(frame, expected)) {
        at = piece.at;
        cutter.push(piece.bytes);
      }
      expected = end;
      if (cutter.position.offset - stored > STORE_BYTES) store(false);
    }
    store(true);
  }

  /** Notes who entered a command. */
  typed(owner: SegmentOwner, from: number, by: CommandSource): void {
    this.#commands.typed({ shell: this.#shell(owner).id, from }, by);
  }

  commands(session: string, query: CommandQuery & OfShells): CommandRecord[] {
    return this.#commands.list(session, query);
  }

  command(session: string, place: { readonly shell: number; readonly from: number }): CommandRecord | undefined {
    return this.#commands.get(session, place);
  }

  /** Returns the latest places of a session whose output holds a text. */
  async search(
    session: string,
    { shell, among, since, until, limit, ...query }: SearchQuery & OfShells,
  ): Promise<SearchHit[]> {
    const pattern = searchPattern(query, THREAD_MS);
    const end = query.regex ? performance.now() + THREAD_MS : Number.POSITIVE_INFINITY;
    const id = this.#sessionId(session);
    const hits: SearchHit[] = [];
    if (id === undefined) return hits;
    const candidates = this.#texts.candidates(id, {
      literals: pattern.literals,
      shell,
      among,
      since: since === undefined ? 0 : Date.parse(since),
      until: until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until),
    });
    const read = this.#options.reader.lookUp();
    const runsOf = (shell: number, places: Parameters<typeof read>[1]) => read({ session, shell }, places);
    // Documents of one line overlap.
    const places = new Set<string>();
    for (const docs of pages(candidates, DOCS)) {
      for (const hit of await hitsInDocs(docs, { runsOf, pattern, end })) {
        const place = `${hit.shellId} ${hit.offset}`;
        if (!places.has(place)) hits.push(hit);
        places.add(place);
      }
      if (hits.length >= limit) break;
    }
    return hits.slice(0, limit);
  }

  /**
   * Forgets the oldest documents while the index takes more than half of the bound. Conversations are forgotten with their
   * transcripts only, and leave a quarter of the bound for documents in any case.
   *
   * @returns whether there may be more to forget
   */
  #keepWithinBound(): boolean {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.#options;
    if (usedBytes(this.#database) * 2 <= maxBytes || this.#texts.bytes * 4 <= maxBytes) return false;
    asOne(this.#database, () => this.#texts.removeOldest());
    return true;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** Stores documents and commands together with the place up to which they reach. */
  #store(
    shell: ShellRow,
    {
      from,
      docs,
      events,
      position,
    }: {
      readonly from: number;
      readonly docs: readonly IndexedDoc[];
      readonly events: readonly (SegmentFrame & { kind: "event" })[];
      readonly position: { offset: number; state: object };
    },
  ): void {
    asOne(this.#database, () => {
      this.#texts.remove(shell.session_id, shell.id, { from });
      this.#texts.add(shell.session_id, shell.id, docs);
      for (const { event } of events) {
        if (event.kind === "command-start") this.#commands.start({ shell: shell.id, from: event.offset }, event);
        // A command that runs ends with its shell.
        else if (event.kind !== "size") this.#commands.end(shell.id, event);
      }
      this.#database
        .prepare("UPDATE shells SET indexed = ?, state = ? WHERE id = ?")
        .run([position.offset, JSON.stringify(position.state), shell.id]);
    });
    // Less is stored at a time than is forgotten at a time.
    this.#keepWithinBound();
  }

  /** Lists the shells of which something is recorded. */
  async #recorded(): Promise<ReadonlyMap<string, Recorded>> {
    const there = new Map<string, Recorded>();
    for (const { owner, file, start, bytes, at } of await this.#options.segments()) {
      const key = `${owner.session} ${owner.shell}`;
      const oldest = there.get(key)?.oldest ?? start;
      there.set(key, { owner, oldest, file, stamp: `${oldest} ${start} ${bytes}`, at });
    }
    return there;
  }

  /** Forgets what is recorded no longer. Returns the shells whose segments are those of the last time. */
  #prune(there: ReadonlyMap<string, Recorded>): ReadonlySet<string> {
    const unchanged = new Set<string>();
    const rows = this.#database
      .prepare(
        `SELECT shells.id AS id, session_id, CAST(session AS BLOB) AS session, shell, CAST(stamp AS BLOB) AS stamp
         FROM shells JOIN sessions ON sessions.id = session_id LEFT JOIN caught_up ON shell_id = shells.id`,
      )
      .all([]);
    for (const row of rows) {
      const { id, session_id, session, shell, stamp } = storedRow(KnownShellRow, row);
      const key = `${session} ${shell}`;
      const recorded = there.get(key) ?? NOTHING_RECORDED;
      if (recorded.stamp === stamp) {
        unchanged.add(key);
        continue;
      }
      const before = recorded.oldest;
      asOne(this.#database, () => {
        this.#texts.remove(session_id, id, { before });
        this.#commands.removeBefore(id, before);
        if (!there.has(key)) this.#stamp(id, recorded.stamp);
      });
    }
    return unchanged;
  }

  #stamp(shell: number, stamp: string): void {
    this.#database.prepare("INSERT OR REPLACE INTO caught_up (shell_id, stamp) VALUES (?, ?)").run([shell, stamp]);
  }

  #shell({ session, shell }: SegmentOwner): ShellRow {
    this.#database.prepare("INSERT OR IGNORE INTO sessions (session) VALUES (?)").run([session]);
    const id = this.#sessionId(session) ?? 0;
    this.#database
      .prepare("INSERT OR IGNORE INTO shells (session_id, shell, indexed, state) VALUES (?, ?, 0, ?)")
      .run([id, shell, JSON.stringify(outsideOfSequences(0))]);
    const row = this.#database
      .prepare(
        "SELECT id, session_id, indexed, CAST(state AS BLOB) AS state FROM shells WHERE session_id = ? AND shell = ?",
      )
      .get([id, shell]);
    return storedRow(ShellRow, row);
  }

  #sessionId(session: string): number | undefined {
    const row = this.#database.prepare("SELECT id FROM sessions WHERE session = ?").get([session]);
    return z.object({ id: z.int() }).optional().parse(row)?.id;
  }
}

/** Reads documents, and returns what is found in them in their order. Documents of one shell are read together. */
async function hitsInDocs(
  docs: readonly DocRow[],
  {
    runsOf,
    pattern,
    end,
  }: {
    readonly runsOf: (shell: number, places: readonly { from: number; to: number }[]) => Promise<OutputRun[]>;
    readonly pattern: SearchPattern;
    /** When the search has taken too long, by `performance.now()`: the clock may be set meanwhile. */
    readonly end: number;
  },
): Promise<readonly SearchHit[]> {
  const found = new Map<DocRow, readonly SearchHit[]>();
  for (const shell of new Set(docs.map((doc) => doc.shell))) {
    const own = docs.filter((doc) => doc.shell === shell);
    const runs = await runsOf(
      shell,
      own.map((doc) => ({ from: leadOf(doc), to: doc.ends + AFTER_BYTES })),
    );
    for (const doc of own) {
      if (performance.now() > end) throw new Error(TOO_LONG);
      found.set(doc, hitsOf(doc, runs, pattern));
    }
  }
  return docs.flatMap((doc) => found.get(doc) ?? []);
}

/** Returns from where a document is read: the lines before its first ones are in the document before it. */
function leadOf({ starts, previous }: DocRow): number {
  return previous === null || starts - previous > BEFORE_BYTES ? starts : previous;
}

/** Returns what is found in a document, the last first. */
function hitsOf(doc: DocRow, runs: readonly OutputRun[], pattern: SearchPattern): SearchHit[] {
  const { shell, starts, ends, at } = doc;
  const run = runs.find(({ start, bytes }) => start < ends && start + bytes.length > starts);
  if (run === undefined) return [];
  const [lead, begins] = [leadOf(doc), Math.max(starts, run.start)];
  // Where the document before is lost in part, nothing says how an escape sequence went on.
  const start = run.start <= lead ? lead : begins;
  const bytes = run.bytes.subarray(start - run.start, ends + AFTER_BYTES - run.start);
  return hitsIn(bytes, { start, begins, ends, pattern }).map((hit) => ({
    in: "output",
    shellId: ShellId.parse(shell),
    at: new Date(at).toISOString(),
    ...hit,
  }));
}
