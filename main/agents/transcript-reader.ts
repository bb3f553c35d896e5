import type {
  AgentAdapter,
  ParsePurpose,
  TranscriptFiles,
  TranscriptParser,
  TranscriptSink,
} from "./adapters/adapter.ts";
import { DatabaseReader } from "./database-reader.ts";
import { isDenseJson } from "./dense-json.ts";
import { type LineHandler, LineReader, type ReadProblem } from "./line-reader.ts";

/** Receives problems of a reading. */
export interface ReadLog {
  problem(problem: ReadProblem): void;
}

/** Reads the new records in all files of one agent session, each byte once, and passes them to a sink. */
export class TranscriptReader {
  readonly #adapter: AgentAdapter;
  readonly #home: string;
  readonly #session: string;
  readonly #purpose: ParsePurpose;
  readonly #log: ReadLog;
  readonly #files = new Map<string, Reading>();

  constructor(adapter: AgentAdapter, home: string, session: string, purpose: ParsePurpose, log: ReadLog) {
    this.#adapter = adapter;
    this.#home = home;
    this.#session = session;
    this.#purpose = purpose;
    this.#log = log;
  }

  /** The files known so far. */
  paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** Tells whether the last reading of one of them failed. */
  get hasFailed(): boolean {
    return [...this.#files.values()].some((file) => file.hasFailed);
  }

  /**
   * Resolves with whether there was anything new. A file that vanishes keeps what it contributed. `isDone` ends the reading of
   * a file early, soon after the record for which it says so.
   */
  async read(
    sink: TranscriptSink,
    files = this.#adapter.files(this.#home, this.#session),
    isDone?: () => boolean,
  ): Promise<boolean> {
    this.#follow(files);
    let news = false;
    for (const file of this.#files.values()) {
      if (await file.read(sink, isDone)) news = true;
    }
    return news;
  }

  #follow(files: TranscriptFiles): void {
    const paths = files.main === undefined ? files.subagents : [files.main, ...files.subagents];
    for (const path of paths) {
      if (this.#files.has(path)) continue;
      this.#files.set(path, this.#reading(path, path !== files.main));
    }
  }

  #reading(path: string, subagent: boolean): Reading {
    const { database } = this.#adapter;
    const parser = this.#adapter.parser(this.#session, this.#purpose);
    if (database === undefined || !path.endsWith(".db"))
      return new FileReading(path, this.#home, subagent, parser, this.#log);
    const source = { root: this.#home, session: this.#session, transcript: database, purpose: this.#purpose };
    const reader = new DatabaseReader(path, source, (problem) => this.#log.problem(problem));
    return {
      get hasFailed() {
        return reader.hasFailed;
      },
      read: (sink, isDone) => reader.read((record, ofSubagent) => parser.record(record, ofSubagent, sink), isDone),
    };
  }
}

/** The reading of one file, which continues where it ended. */
interface Reading {
  /** True after a `read` that failed. */
  readonly hasFailed: boolean;
  /** Resolves with whether there was anything new. */
  read(sink: TranscriptSink, isDone?: () => boolean): Promise<boolean>;
}

const KEPT_LINES = 4;
/** Values of a document, which is a whole conversation. */
const MOST_DOCUMENT_VALUES = 400_000;
const [SPACE, CLOSING_BRACE] = [0x20, 0x7d];

const skipped = {
  "not JSON": "record that is not JSON skipped",
  "too many values": "record of too many values skipped",
} as const;

class FileReading implements Reading {
  readonly #lines: LineReader;
  readonly #isDocument: boolean;
  readonly #mostValues: number | undefined;
  readonly #subagent: boolean;
  readonly #parser: TranscriptParser;
  readonly #log: ReadLog;
  /** It had too many values before. */
  #isDense = false;
  readonly #kept: { readonly bytes: Buffer; readonly length: number }[] = [];

  constructor(path: string, home: string, subagent: boolean, parser: TranscriptParser, log: ReadLog) {
    this.#isDocument = path.endsWith(".json");
    this.#mostValues = this.#isDocument ? MOST_DOCUMENT_VALUES : undefined;
    this.#lines = new LineReader(path, home, (problem) => log.problem(problem), { document: this.#isDocument });
    this.#subagent = subagent;
    this.#parser = parser;
    this.#log = log;
  }

  get hasFailed(): boolean {
    return this.#lines.hasFailed;
  }

  async read(sink: TranscriptSink, isDone?: () => boolean): Promise<boolean> {
    // Of the lines that can only change the status, the last ones suffice.
    let pending = 0;
    const onLine: LineHandler = (bytes, start, end) => {
      const matters = this.#parser.matters(bytes, start, end);
      if (matters === "no") return;
      if (matters === "status") {
        this.#keep(pending, bytes, start, end);
        pending += 1;
        return;
      }
      pending = 0;
      this.#parse(bytes, start, end, sink, true);
    };
    const onTail: LineHandler = (bytes, start, end) => {
      // Half a record is not parsed with each byte that it grows.
      if (!endsWithBrace(bytes, start, end)) return;
      if (this.#parser.matters(bytes, start, end) !== "no") this.#parse(bytes, start, end, sink, false);
    };
    const news = await this.#lines.read(onLine, onTail, isDone);
    for (let index = Math.max(0, pending - KEPT_LINES); index < pending; index += 1) {
      const kept = this.#kept[index % KEPT_LINES];
      if (kept !== undefined) this.#parse(kept.bytes, 0, kept.length, sink, true);
    }
    return news;
  }

  /** Copies a line out of the reader's buffer, which is about to be used again. */
  #keep(index: number, bytes: Buffer, start: number, end: number): void {
    const slot = index % KEPT_LINES;
    const length = end - start;
    const known = this.#kept[slot]?.bytes;
    const kept = known !== undefined && known.length >= length ? known : Buffer.allocUnsafeSlow(length * 2);
    bytes.copy(kept, 0, start, end);
    this.#kept[slot] = { bytes: kept, length };
  }

  #parse(bytes: Buffer, start: number, end: number, sink: TranscriptSink, complete: boolean): void {
    if (isDenseJson(bytes, start, end, this.#mostValues)) {
      // A document is given again after each change.
      this.#skip("too many values", sink, complete || (this.#isDocument && !this.#isDense));
      this.#isDense = true;
      return;
    }
    let record: unknown;
    try {
      record = JSON.parse(bytes.toString("utf8", start, end));
    } catch {
      this.#skip("not JSON", sink, complete);
      return;
    }
    this.#parser.record(record, this.#subagent, sink);
  }

  #skip(why: keyof typeof skipped, sink: TranscriptSink, complete: boolean): void {
    // An unfinished last line is delivered again.
    if (!complete) return;
    sink.skip(why);
    this.#log.problem({ reason: skipped[why], path: this.#lines.path, offset: this.#lines.position });
  }
}

function endsWithBrace(bytes: Buffer, start: number, end: number): boolean {
  let last = end - 1;
  while (last > start && (bytes[last] ?? 0) <= SPACE) last -= 1;
  return bytes[last] === CLOSING_BRACE;
}
