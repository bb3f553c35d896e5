import { closeSync, fstatSync, read as readCallback, readSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { promisify } from "node:util";
import { TokenBucket } from "../../core/protocol/rate-limits.ts";
import { processorMs } from "../system/processor-time.ts";
import { IrregularFileError, openRegularFile } from "../system/regular-files.ts";
import { realHome } from "./adapters/agent-home.ts";

/** Reads in chunks, between which the event loop gets its turn. */
const read = promisify(readCallback);

/**
 * Milliseconds of processor time for a file at once, and in each second from then on: one that grows without end costs the
 * others no more. A long transcript is read to its end within it, because most lines are not parsed.
 */
const ALLOWANCE = { capacity: 5000, perSecond: 400 };
/** After a chunk that took longer the next one is half as large, else twice: many files may be read at once. */
const LONG_CHUNK_MS = 4;
const LEAST_CHUNK_BYTES = 16 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** A reading starts with this much: most are of the few lines since the last one. */
const FIRST_CHUNK_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 50 * 1024 * 1024;
/** What is beyond this in one file is not read: no transcript is a tenth of it, a sparse file can be any size. */
const MAX_FILE_BYTES = 4 * 1024 * 1024 * 1024;
const HEAD_BYTES = 128;

/** Receives one line without its newline: `bytes[start, end)`, valid only during the call. */
export type LineHandler = (bytes: Buffer, start: number, end: number) => void;

interface LineHandlers {
  readonly onLine: LineHandler;
  readonly onTail: LineHandler;
  readonly isDone: () => boolean;
}

const NEVER = () => false;

/** A part that could not be read, for the log. */
export interface ReadProblem {
  readonly reason: string;
  readonly path: string;
  readonly offset?: number;
}

/**
 * Reads a growing file line by line, each byte once. Keeps its place between calls of `read`; starts over when the file
 * was truncated, replaced or rewritten. A line over 50 MB is skipped, and what is beyond 4 GB. Nothing outside of `root`
 * is opened, and nothing that is not a regular file.
 */
export class LineReader {
  readonly path: string;
  readonly #root: string;
  readonly #problem: (problem: ReadProblem) => void;
  readonly #document: boolean;
  #position = 0;
  #offset = 0;
  #inode = 0;
  #mtime = -1;
  #size = -1;
  #head: Buffer = Buffer.alloc(0);
  #skipping = false;
  readonly #clock: () => number;
  readonly #allowance = new TokenBucket(ALLOWANCE, () => performance.now());
  #reported = "";
  #hasFailed = false;

  /** `document`: the file is one JSON text that is rewritten as a whole; it is given to `onTail` after each change. */
  constructor(
    path: string,
    root: string,
    problem: (problem: ReadProblem) => void,
    { document = false, clock = processorMs }: { readonly document?: boolean; readonly clock?: () => number } = {},
  ) {
    this.#clock = clock;
    this.path = path;
    this.#root = root;
    this.#problem = problem;
    this.#document = document;
  }

  /** Where in the file the line is that `onLine` has been given. */
  get position(): number {
    return this.#position;
  }

  /** Tells whether the last reading failed, so that there may be more in the file than was read. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /**
   * Passes every new complete line to `onLine`, then the unfinished last one to `onTail`, which may see it again. Ends early
   * after a line for which `isDone` says so; the next reading continues behind it. Resolves with whether there was anything new.
   */
  async read(onLine: LineHandler, onTail: LineHandler, isDone: () => boolean = NEVER): Promise<boolean> {
    this.#hasFailed = false;
    const file = this.#open();
    if (file === undefined) return false;
    try {
      const { ino, size, mtimeMs } = fstatSync(file);
      if (ino === this.#inode && size === this.#size && mtimeMs === this.#mtime) return false;
      if (!this.#continues(file, ino, size)) this.#startOver(file, ino);
      let restMs = 0;
      // It may be given as a whole again with each byte that it grows.
      const onRest: LineHandler = (bytes, start, end) => {
        const before = this.#clock();
        onTail(bytes, start, end);
        restMs = this.#clock() - before;
      };
      if (this.#document) await this.#readDocument(file, size, onRest);
      else if (await this.#readFrom(file, size, { onLine, onTail: onRest, isDone })) return true;
      if (restMs > 0) await this.#pause(restMs);
      // `size` was taken before reading: what came meanwhile makes the next look differ and is read then.
      this.#size = size;
      this.#mtime = mtimeMs;
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    } finally {
      closeSync(file);
    }
  }

  #open(): number | undefined {
    try {
      const real = realpathSync(this.path);
      const root = realHome(this.#root);
      if (!real.startsWith(root + sep)) {
        this.#report("leads out of the agent's folder");
        return undefined;
      }
      return openRegularFile(real, { follow: false });
    } catch (error) {
      if (error instanceof IrregularFileError) this.#report("is not a regular file");
      else this.#fail(error);
    }
    return undefined;
  }

  #continues(file: number, inode: number, size: number): boolean {
    if (inode !== this.#inode || size < this.#offset) return false;
    const head = Buffer.alloc(this.#head.length);
    readSync(file, head, 0, head.length, 0);
    return head.equals(this.#head);
  }

  #startOver(file: number, inode: number): void {
    this.#inode = inode;
    this.#offset = 0;
    this.#skipping = false;
    this.#head = readHead(file);
  }

  async #readDocument(file: number, size: number, onTail: LineHandler): Promise<void> {
    if (size > MAX_LINE_BYTES) {
      this.#report("document over 50 MB skipped");
      return;
    }
    const buffer = Buffer.allocUnsafeSlow(size);
    const { bytesRead } = await read(file, buffer, 0, size, 0);
    onTail(buffer, 0, bytesRead);
  }

  /** Resolves with whether it has ended early. */
  async #readFrom(file: number, size: number, { onLine, onTail, isDone }: LineHandlers): Promise<boolean> {
    let buffer: Buffer = Buffer.allocUnsafeSlow(
      Math.min(CHUNK_BYTES, Math.max(FIRST_CHUNK_BYTES, size - this.#offset)),
    );
    let filled = 0; // bytes of an unfinished line at the start of the buffer
    let most = FIRST_CHUNK_BYTES;
    for (;;) {
      const place = this.#offset + filled;
      if (place >= MAX_FILE_BYTES) {
        this.#report("not read beyond 4 GB");
        break;
      }
      const { bytesRead } = await read(file, buffer, filled, Math.min(most, buffer.length - filled), place);
      if (bytesRead === 0) break;
      const end = filled + bytesRead;
      const before = this.#clock();
      const rest = this.#takeLines(buffer, filled, end, onLine, isDone);
      const tookMs = this.#clock() - before;
      most = tookMs > LONG_CHUNK_MS ? Math.max(LEAST_CHUNK_BYTES, most / 2) : Math.min(CHUNK_BYTES, most * 2);
      filled = end - rest;
      this.#offset += rest;
      if (isDone()) return true;
      if (this.#skipping) {
        this.#offset += filled;
        filled = 0;
      } else if (rest > 0) buffer.copyWithin(0, rest, end);
      else if (filled > MAX_LINE_BYTES) this.#skipLine(filled);
      if (this.#skipping) filled = 0;
      if (filled === buffer.length) buffer = grown(buffer);
      await this.#pause(tookMs);
    }
    if (this.#head.length < HEAD_BYTES) this.#head = readHead(file);
    if (filled > 0) onTail(buffer, 0, filled);
    return false;
  }

  /** Waits where the file has taken more than its share. */
  async #pause(tookMs: number): Promise<void> {
    const waitMs = this.#allowance.spend(tookMs);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }

  /** Returns where the unfinished rest begins. `scanned` bytes at the start are known to hold no newline. */
  #takeLines(buffer: Buffer, scanned: number, end: number, onLine: LineHandler, isDone: () => boolean): number {
    const filled = buffer.subarray(0, end);
    let start = 0;
    for (let from = scanned; ; from = start) {
      const newline = filled.indexOf(10, from);
      if (newline === -1) return start;
      if (this.#skipping) this.#skipping = false;
      else if (newline > start) {
        this.#position = this.#offset + start;
        onLine(buffer, start, newline);
        if (isDone()) return newline + 1;
      }
      start = newline + 1;
    }
  }

  #skipLine(length: number): void {
    this.#problem({ reason: "line over 50 MB skipped", path: this.path, offset: this.#offset });
    this.#skipping = true;
    this.#offset += length;
  }

  #fail(error: unknown): void {
    const reason = reasonOf(error);
    this.#hasFailed = reason !== "";
    this.#report(reason);
  }

  /** Once per reason, so that a folder without permission does not fill the log every second. */
  #report(reason: string): void {
    if (reason === this.#reported || reason === "") return;
    this.#reported = reason;
    this.#problem({ reason, path: this.path });
  }
}

function readHead(file: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
}

function grown(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(buffer.length * 2, MAX_LINE_BYTES + CHUNK_BYTES));
  buffer.copy(larger);
  return larger;
}

/** Missing files are not reported: transcripts appear late and are cleaned up. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT" || code === "ENOTDIR") return "";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  return `cannot be read${code === "" ? "" : ` (${code})`}`;
}
