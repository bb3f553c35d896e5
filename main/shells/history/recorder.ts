import { setTimeout as delay } from "node:timers/promises";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { FlushedState, FlushOptions, RecordingOptions, RecordingState } from "../../../core/protocol/history.ts";
import { KEPT_BYTES, type OutputLog } from "../output-log.ts";
import type { ShellRecorder } from "../shell-recorder.ts";
import { AgeBound } from "./age-bound.ts";
import { masterKey, type SegmentOwner } from "./segment.ts";
import { compressSegment } from "./segment-file.ts";
import { type RecordingPlace, ShellHistory } from "./shell-history.ts";
import { latestBefore, listSegments, trimSegments } from "./trim.ts";

/** Output that waits for the disk beyond what the logs hold anyway, of all shells together. */
const WAITING_BYTES = 16 * 1024 * 1024;
/** After an error the disk is asked again this much later. */
const RETRY_MS = 1000;
/** Segments are compressed this much later, when little is being written. */
const QUIET_MS = 1000;
/** While more than this is written within that time, the processor is for what prints it. */
const BUSY_BYTES = 1024 * 1024;
/** More segments than this are compressed all the same: one that is not takes ten times its place of the bound that all shells share. */
const MOST_WAITING = 32;
/** Time after which a segment that could not be compressed is tried again. */
const COMPRESS_AGAIN_MS = 60_000;
const TRIM_EVERY_MS = 3600_000;
/** So much is written between two looks at the bounds. */
const TRIM_EVERY_BYTES = 32 * 1024 * 1024;

interface RecorderOptions {
  readonly log: (message: string) => void;
  /** Called with a sentence when output cannot be written, and with undefined when it can be again. */
  readonly onTrouble?: (sentence: string | undefined) => void;
  /** Time after which a segment that no longer grows is compressed; default: 1 s. */
  readonly quietMs?: number;
  /** Time after which a segment that could not be compressed is tried again; default: 1 min. */
  readonly againMs?: number;
}

/** Records the shells of all sessions in segments on disk. Off until `configure` names a folder. */
export class HistoryRecorder {
  readonly #options: RecorderOptions;
  readonly #shells = new Set<ShellHistory>();
  readonly #ready = new Set<ShellHistory>();
  readonly #closed = new Map<string, SegmentOwner>();
  #settings: RecordingOptions | undefined;
  #place: RecordingPlace | undefined;
  #writing: Promise<void> | undefined;
  #trouble: string | undefined;
  #lostBefore = 0;
  #sinceTrim = 0;
  /** Bytes that were written since segments were last compressed, or were to be. */
  #sinceLook = 0;
  #quiet: NodeJS.Timeout | undefined;
  #trims: NodeJS.Timeout | undefined;
  #tidying: Promise<void> | undefined;
  /** Why the last segment was not compressed; empty while they are. */
  #uncompressed = "";
  #isDisposed = false;
  readonly #startedAt = Date.now();
  #age: AgeBound | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Records as told from now on; the shells that run, too, with what is still in memory of them. */
  configure(settings: RecordingOptions): RecordingState {
    const before = this.#settings;
    this.#settings = settings;
    const isSame = before !== undefined && before.folder === settings.folder && before.key === settings.key;
    if (!isSame) this.#moveTo(settings);
    for (const shell of this.#shells) {
      if (this.#placeOf(shell.owner.session) === undefined) shell.pause();
      else shell.take("all");
    }
    return this.state();
  }

  state(): RecordingState {
    return {
      trouble: this.#trouble ?? null,
      waiting: [...this.#shells].reduce((sum, { waitingBytes }) => sum + waitingBytes, 0),
      lost: this.#lostBefore + [...this.#shells].reduce((sum, { lost }) => sum + lost, 0),
    };
  }

  /** Starts to record a shell. */
  record(session: string, shell: number, log: OutputLog): ShellRecorder {
    const history: ShellHistory = new ShellHistory({
      owner: { session, shell },
      log,
      place: () => this.#placeOf(session),
      waitingLimit: () => KEPT_BYTES + WAITING_BYTES / Math.max(1, this.#ready.size),
      wake: () => this.#wake(history),
      closed: (file) => {
        this.#closed.set(file, { session, shell });
        this.#tidyLater();
      },
    });
    this.#shells.add(history);
    return history;
  }

  /**
   * Resolves when everything that was printed before is on disk, or when the disk takes nothing.
   *
   * @param longestMs after this time it resolves in any case; `waiting` tells what is not on disk then
   */
  async flush(
    { session, shell, rotate = false }: FlushOptions = {},
    longestMs = Number.POSITIVE_INFINITY,
  ): Promise<FlushedState> {
    const end = performance.now() + longestMs;
    const noted: FlushedState["noted"] = [];
    for (const one of this.#shells) {
      if ((session ?? one.owner.session) !== one.owner.session || (shell ?? one.owner.shell) !== one.owner.shell)
        continue;
      if (rotate) one.rotate();
      else one.take("all");
      if (session !== undefined) noted.push([one.owner.shell, one.noted]);
    }
    while (this.#writing !== undefined && this.#trouble === undefined && performance.now() < end) {
      await Promise.race([this.#writing, delay(50)]);
    }
    return { ...this.state(), noted };
  }

  /** Writes what waits, unless the disk takes nothing, and stops. */
  async dispose(): Promise<void> {
    for (const shell of this.#shells) shell.end();
    await this.flush();
    this.#isDisposed = true;
    clearTimeout(this.#quiet);
    clearInterval(this.#trims);
    await this.#tidying;
  }

  #moveTo({ folder, key }: RecordingOptions): void {
    this.#setTrouble(undefined);
    this.#closed.clear();
    clearInterval(this.#trims);
    for (const shell of this.#shells) shell.pause();
    this.#place =
      folder === null ? undefined : { folder, key: masterKey(key === null ? undefined : Buffer.from(key, "base64")) };
    if (folder === null) return;
    this.#trims = setInterval(() => this.#trim(), TRIM_EVERY_MS);
    this.#trims.unref();
    this.#trim();
    void this.#findLeftOver(folder);
  }

  #placeOf(session: string): RecordingPlace | undefined {
    return this.#settings?.except.includes(session) === true ? undefined : this.#place;
  }

  #wake(shell: ShellHistory): void {
    this.#ready.add(shell);
    if (!this.#isDisposed)
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
        if (this.#ready.size > 0) this.#wake([...this.#ready][0] ?? shell);
      });
  }

  /** One write at a time, the shells in turn. */
  async #write(): Promise<void> {
    for (const shell of this.#ready) {
      if (this.#isDisposed) return;
      this.#ready.delete(shell);
      const waited = shell.waitingBytes;
      try {
        if (await shell.write(this.#placeOf(shell.owner.session))) this.#ready.add(shell);
        this.#setTrouble(undefined);
        const written = Math.max(0, waited - shell.waitingBytes);
        this.#sinceLook += written;
        this.#sinceTrim += written;
        if (this.#sinceTrim > TRIM_EVERY_BYTES) this.#trim();
      } catch (error) {
        this.#setTrouble(`The history cannot be written (${errorText(error)}): free some space, or turn it off.`);
        this.#ready.add(shell);
        await delay(RETRY_MS, undefined, { ref: false });
      }
      if (shell.isDone && this.#shells.delete(shell)) this.#lostBefore += shell.lost;
    }
  }

  #setTrouble(sentence: string | undefined): void {
    if (sentence === this.#trouble) return;
    this.#trouble = sentence;
    this.#options.log(sentence ?? "The history is written again.");
    this.#options.onTrouble?.(sentence);
  }

  #trim(): void {
    const { folder, days, maxBytes } = this.#settings ?? {};
    if (folder === undefined || folder === null || days === undefined) return;
    this.#sinceTrim = 0;
    this.#removeOld(folder, days, maxBytes).catch((error: unknown) =>
      this.#options.log(`Old history could not be removed: ${errorText(error)}`),
    );
  }

  async #removeOld(folder: string, days: number, maxBytes: number | undefined): Promise<void> {
    this.#age ??= new AgeBound(latestBefore(await listSegments(folder), this.#startedAt));
    const isOpen = (file: string) => [...this.#shells].some(({ openFile }) => openFile === file);
    await trimSegments(folder, { before: this.#age.before(days), maxBytes }, isOpen);
  }

  /** Segments that the last shell host left open are compressed as well. */
  async #findLeftOver(folder: string): Promise<void> {
    const open = new Set([...this.#shells].map(({ openFile }) => openFile));
    for (const { file, owner } of await listSegments(folder)) {
      if (file.endsWith(".seg") && !open.has(file)) this.#closed.set(file, owner);
    }
    this.#tidyLater();
  }

  #tidyLater(ms = this.#options.quietMs ?? QUIET_MS): void {
    if (this.#isDisposed || this.#quiet !== undefined) return;
    this.#quiet = setTimeout(() => {
      this.#tidying = this.#tidy().finally(() => {
        this.#quiet = undefined;
        this.#sinceLook = 0;
        if (this.#closed.size === 0) return;
        this.#tidyLater(this.#uncompressed === "" ? undefined : (this.#options.againMs ?? COMPRESS_AGAIN_MS));
      });
    }, ms);
    this.#quiet.unref();
  }

  /** Compresses one segment after the other, as long as little is written or many wait, up to one that cannot be. */
  async #tidy(): Promise<void> {
    for (const [file, owner] of this.#closed) {
      const place = this.#place;
      if (this.#isDisposed || this.#writing !== undefined) return;
      if (this.#sinceLook > BUSY_BYTES && this.#closed.size <= MOST_WAITING) return;
      if (place === undefined) return this.#closed.clear();
      this.#closed.delete(file);
      if ([...this.#shells].some(({ openFile }) => openFile === file)) continue;
      try {
        await compressSegment(file, place.key, owner);
        this.#uncompressed = "";
      } catch (error) {
        this.#notCompressed(errorText(error));
        // The last one to be tried next time, so that one bad file keeps no other from it.
        if (this.#place === place) this.#closed.set(file, owner);
        return;
      }
    }
  }

  /** Logs why a segment was not compressed, once for as long as it stays so. */
  #notCompressed(why: string): void {
    if (this.#uncompressed !== why) this.#options.log(`A segment of the history was not compressed: ${why}`);
    this.#uncompressed = why;
  }
}
