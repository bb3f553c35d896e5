import { rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Lifetime } from "../../core/protocol/lifetime.ts";
import type { OutputSubscription, ShellExit, SubscribeOptions } from "../../core/protocol/shell-host.ts";
import type { MarkMessage, TerminalMessage, TerminalSignal } from "../../core/protocol/terminal-signals.ts";
import { type ProcessImage, readProcessImage } from "../system/processes/terminal-session.ts";
import { Coalescer } from "./coalesce.ts";
import { CommandRecording } from "./command-recording.ts";
import { FlowControlledSubscription } from "./flow-control.ts";
import { inputFull } from "./input-queue.ts";
import type { ShellKind } from "./integration/login-shell.ts";
import { CommandTracker } from "./marks/command-tracker.ts";
import { MarkFilter } from "./marks/mark-filter.ts";
import type { MarkSecret } from "./marks/mark-secret.ts";
import { parseClaim } from "./marks/parse-claim.ts";
import { plainMark } from "./marks/plain-mark.ts";
import { parseOsc, parseRequest } from "./marks/terminal-signal.ts";
import { OutputLog } from "./output-log.ts";
import { OutputThrottle } from "./output-throttle.ts";
import { plainText } from "./plain-text.ts";
import { type Pty, type PtyOptions, spawnPty } from "./pty.ts";
import { ReadingTurn } from "./reading-turn.ts";
import { Screen } from "./screen.ts";
import type { RecordShell, ShellRecorder } from "./shell-recorder.ts";
import { lineInput, needsPaste } from "./type-line.ts";
import type { TypedLine } from "./typed-echo.ts";

interface ShellOptions extends PtyOptions {
  readonly id: number;
  readonly kind: ShellKind;
  readonly integrated: boolean;
  /** Secret that authenticates its marks. */
  readonly secret: MarkSecret;
  /** File through which the shell accepts lines at its prompt, if it does. */
  readonly lineFile: string | undefined;
  /** Whether a program runs in place of a shell. */
  readonly direct: boolean;
  /** Text before its output. */
  readonly prelude?: string | undefined;
  /** Records the shell; absent where nothing is ever recorded. */
  readonly record?: RecordShell | undefined;
  onSignal(signal: TerminalSignal): void;
  onExit(exit: ShellExit): void;
}

const APPLICATION_CURSOR = 1;
const BRACKETED_PASTE = 2004;
/** Modes that switch to the alternate screen, oldest first. */
const ALTERNATE_SCREEN: readonly number[] = [47, 1047, 1049];
const PASTE_MODE_MS = 300;
/** The key on which fish reads a line from its file: Ctrl-], which fish does not bind. */
const LOAD_KEY = "\u001d";
const MAX_TYPED_LINES = 16;

/** A pseudo-terminal and its state. It can still be read after the exit. */
export class Shell {
  readonly id: number;
  readonly pid: number;
  readonly program: string;
  readonly kind: ShellKind;
  readonly integrated: boolean;
  /** Whether a program runs in place of a shell. */
  readonly direct: boolean;
  readonly args: readonly string[];
  /** The program in the shell's process, read at the first mark. */
  processImage: Promise<ProcessImage | undefined> = Promise.resolve(undefined);
  readonly startedAt = performance.now();
  readonly log: OutputLog;
  readonly tracker = new CommandTracker();
  readonly screen: Screen;
  readonly #options: ShellOptions;
  readonly #pty: Pty;
  readonly #recorder: ShellRecorder | undefined;
  readonly #commands: CommandRecording | undefined;
  readonly #coalescer = new Coalescer((amount) => {
    const end = amount === "all" ? this.log.end : this.log.wholeEnd;
    this.#deliver(Math.max(this.#delivered, end));
    return this.log.end - this.#delivered;
  });
  readonly #filter: MarkFilter;
  readonly #subscriptions = new Set<FlowControlledSubscription>();
  readonly #holders = new Set<"throttle" | "turn">();
  readonly #throttle = new OutputThrottle(this.#subscriptions, (held) => this.#holdReading("throttle", held));
  readonly #turn = new ReadingTurn((held) => this.#holdReading("turn", held));
  readonly #waiters = new Set<() => void>();
  readonly #flushWatchers = new Set<() => void>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #delivered = 0;
  #typedLines: TypedLine[] = [];
  #writes = 0;
  #writesWhenEmpty = 0;
  exit: ShellExit | null = null;
  title = "";
  /** The program in the foreground as last reported; null at the prompt. */
  process: string | null = null;
  /** The latest command line as last reported. */
  commandLine: string | undefined;
  cwd: string | undefined;
  /** The folder that was last published. */
  publishedCwd: string | undefined;
  bracketedPaste = false;
  alternateScreen = false;
  applicationCursor = false;
  lastOutputAt = performance.now();

  constructor(options: ShellOptions) {
    this.#options = options;
    this.id = options.id;
    this.program = options.program;
    this.args = options.args;
    this.kind = options.kind;
    this.integrated = options.integrated;
    this.direct = options.direct;
    this.log = new OutputLog({
      osc: (payload, offset, end) => this.#message(parseOsc(payload), offset, end),
      bell: (offset) => this.#message({ kind: "bell" }, offset, offset + 1),
      mode: (mode, on) => this.#setMode(mode, on),
      request: (sequence, offset, end) => this.#message(parseRequest(sequence), offset, end),
    });
    this.#filter = new MarkFilter({
      output: (bytes) => this.log.append(bytes),
      mark: (payload) => this.#receiveMark(payload),
    });
    this.screen = new Screen(this.log, options.cols, options.rows);
    this.#recorder = options.record?.(options.id, this.log);
    this.#commands = this.#recorder && new CommandRecording(this, this.#recorder);
    this.#recorder?.noteEvent({ kind: "size", offset: 0, at: Date.now(), cols: options.cols, rows: options.rows });
    this.#pty = spawnPty(options);
    this.pid = this.#pty.pid;
    if (options.prelude !== undefined) this.#receive(Buffer.from(options.prelude));
    this.#pty.onData((bytes) => this.#receive(bytes));
    this.#pty.onExit((exit) => this.#ended(exit));
  }

  /** The latest lines typed while no marks identified their echo. */
  get typedLines(): readonly TypedLine[] {
    return this.#typedLines;
  }

  /** Bytes of input that the terminal has not accepted yet. */
  get queued(): number {
    return this.#pty.input.queued;
  }

  /** Whether nothing was typed since the line was known to be empty. */
  get lineUntouched(): boolean {
    return this.#writes === this.#writesWhenEmpty;
  }

  /** Records that the line at the prompt is empty. */
  noteEmptyLine(): void {
    this.#writesWhenEmpty = this.#writes;
  }

  /**
   * Writes bytes; what the terminal does not accept yet is queued. Throws `input_full`, with nothing written, beyond
   * the limit.
   */
  write(bytes: Buffer): void {
    const { input } = this.#pty;
    if (this.exit !== null || bytes.length === 0) return;
    if (!input.hasRoomFor(bytes.length)) {
      throw inputFull(this.id, { wanted: bytes.length, queued: input.queued });
    }
    this.#writes++;
    this.#recordTypedLines(bytes);
    input.push(bytes);
  }

  /** Whether a line that needs pasting can be pasted. zsh enables bracketed paste only just after its prompt. */
  async takesPaste(line: string): Promise<boolean> {
    if (!this.tracker.takesKeys || !needsPaste(line)) return this.bracketedPaste;
    return this.until(() => this.bracketedPaste, PASTE_MODE_MS);
  }

  typeLine(line: string): void {
    this.write(Buffer.from(lineInput(line, this.bracketedPaste)));
  }

  /** Enters a line at an empty prompt, which counts as empty afterwards, whatever else is typed meanwhile. */
  enterLine(line: string): void {
    const untouched = this.lineUntouched;
    const { lineFile } = this.#options;
    if (lineFile === undefined || !this.tracker.takesKeys) this.typeLine(line);
    else {
      writeFileSync(lineFile, line.replace(/\r\n?/g, "\n"), { mode: 0o600 });
      this.write(Buffer.from(LOAD_KEY));
    }
    if (untouched) this.noteEmptyLine();
  }

  resize(cols: number, rows: number): void {
    if (this.exit === null) this.#pty.resize(cols, rows);
    this.screen.resize(cols, rows);
    this.#recorder?.noteEvent({ kind: "size", offset: this.log.end, at: Date.now(), cols, rows });
  }

  /** Ends the shell on systems without sessions and signals. */
  kill(): void {
    if (this.exit === null) this.#pty.kill();
  }

  subscribe(options: SubscribeOptions): OutputSubscription {
    const source = {
      log: this.log,
      delivered: () => this.#delivered,
      snapshot: () => this.screen.sharedSnapshot(),
      exit: () => this.exit,
    };
    const listener = new FlowControlledSubscription(source, options);
    this.#subscriptions.add(listener);
    // Deferred, so that the caller has its subscription before the first frame.
    queueMicrotask(() => listener.pump());
    return listener;
  }

  /** Calls the watcher after each delivered piece of output. Returns an unsubscribe function. */
  onFlush(watcher: () => void): () => void {
    this.#flushWatchers.add(watcher);
    return () => void this.#flushWatchers.delete(watcher);
  }

  /**
   * Waits for a condition, which is checked after output, marks and the exit; the exit ends the wait. Resolves with
   * whether it became true in time; rejects when the lifetime ends.
   */
  until(condition: () => boolean, timeoutMs: number, lifetime?: Lifetime): Promise<boolean> {
    if (lifetime?.ended !== undefined) return Promise.reject(lifetime.ended);
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => {
        this.#waiters.delete(look);
        stop();
        release?.();
        done();
      };
      const look = () => {
        try {
          if (condition()) settle(() => resolve(true));
          else if (this.exit !== null) settle(() => resolve(false));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const stop = this.after(timeoutMs, () => {
        look();
        if (this.#waiters.has(look)) settle(() => resolve(false));
      });
      const release = lifetime?.onEnd((reason) => settle(() => reject(reason)));
      this.#waiters.add(look);
      look();
    });
  }

  /** Number of waits in progress. */
  get waits(): number {
    return this.#waiters.size;
  }

  /** Makes every wait check its condition again. */
  recheckWaits(): void {
    for (const look of [...this.#waiters]) look();
  }

  /** Starts a timer that is cleared with the shell. Returns a function that clears it. */
  after(ms: number, action: () => void): () => void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms);
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  /** The end of the output from an offset on, as one line of text. */
  lastText(characters: number, since: number): string {
    const from = Math.max(since, this.log.freshStart(this.log.safeEnd - 4096));
    const { bytes } = this.log.read({ since: from });
    return plainText(bytes).trimEnd().slice(-characters).replace(/\s+/g, " ").trim();
  }

  /** Releases the output and all timers. Settles waits in progress first, because the shell has ended. */
  dispose(): void {
    this.recheckWaits();
    if (this.#options.lineFile !== undefined) rmSync(this.#options.lineFile, { force: true });
    this.#throttle.release();
    this.#turn.dispose();
    this.#coalescer.dispose();
    this.screen.dispose();
    for (const listener of this.#subscriptions) listener.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#endRecording();
    this.#subscriptions.clear();
    this.#timers.clear();
  }

  #receive(bytes: Buffer): void {
    this.lastOutputAt = performance.now();
    this.#turn.run(() => {
      this.#filter.push(bytes);
      this.#recorder?.noteOutput();
      this.#throttle.update(this.log.end);
      this.#coalescer.note(bytes.length);
    });
  }

  /** Reading goes on when nothing holds it any more. */
  #holdReading(by: "throttle" | "turn", held: boolean): void {
    if (held) this.#holders.add(by);
    else this.#holders.delete(by);
    this.#pty.hold(this.#holders.size > 0);
  }

  #deliver(end: number): void {
    if (end > this.#delivered) this.log.markChunk(this.#delivered);
    this.#delivered = end;
    for (const listener of this.#subscriptions) {
      listener.pump();
      if (listener.stopped) this.#subscriptions.delete(listener);
    }
    for (const watcher of this.#flushWatchers) watcher();
    this.recheckWaits();
  }

  #ended(exit: ShellExit): void {
    this.#throttle.release();
    this.#filter.flush();
    this.#coalescer.flush();
    this.exit = exit;
    this.log.close();
    this.#deliver(this.log.end);
    this.#recorder?.noteOutput();
    this.#commands?.noteExit(exit);
    this.#endRecording();
    this.#options.onExit(exit);
  }

  #endRecording(): void {
    void this.#commands?.settled.then(() => this.#recorder?.end());
  }

  #setMode(mode: number, on: boolean): void {
    if (mode === BRACKETED_PASTE) this.bracketedPaste = on;
    if (ALTERNATE_SCREEN.includes(mode)) this.alternateScreen = on;
    if (mode === APPLICATION_CURSOR) this.applicationCursor = on;
  }

  #message(message: TerminalMessage | undefined, offset: number, end: number): void {
    if (message === undefined) return;
    if (message.kind === "title") this.title = message.title;
    // With marks the shell itself reports its folder; printed text could claim another.
    if (message.kind === "cwd" && this.tracker.state === "unknown" && isThisHost(message.host)) this.cwd = message.cwd;
    this.#options.onSignal({ ...message, offset, end });
  }

  /**
   * Handles a possible mark. Genuine marks are removed from the output; subscribers get the plain form of those that
   * count.
   */
  #receiveMark(payload: string): boolean {
    const claim = parseClaim(payload, this.#options.secret);
    if (claim === undefined) return false;
    if (this.tracker.state === "unknown") this.processImage = readProcessImage(this.pid);
    const step = this.tracker.accept(claim);
    if (step !== undefined && "mark" in step) this.#recordMark(step.mark);
    else if (step !== undefined) this.tracker.tell(step.note);
    return true;
  }

  #recordMark(mark: MarkMessage): void {
    const offset = this.log.end;
    this.log.append(plainMark(mark, Date.now()));
    const signal = { ...mark, offset, end: this.log.end };
    this.cwd = this.tracker.cwd ?? this.cwd;
    const noted = { ...signal, at: performance.now() };
    this.tracker.note(noted);
    this.#commands?.note(noted);
    this.#options.onSignal(signal);
  }

  #recordTypedLines(bytes: Buffer): void {
    if (this.tracker.state !== "unknown" && this.tracker.state !== "running") return;
    if (bytes.length > 4096) return;
    const at = performance.now();
    const lines = bytes
      .toString("utf8")
      .split(/[\r\n]+/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are not echoed as they are
      .filter((line) => line !== "" && !/[\u0000-\u001f\u007f]/.test(line))
      .map((text) => ({ text, offset: this.log.end, at }));
    this.#typedLines = [...this.#typedLines, ...lines].slice(-MAX_TYPED_LINES);
  }
}

/** Ignores folders of other machines, reported over ssh. */
function isThisHost(host: string): boolean {
  return host === "" || host === "localhost" || host === hostname();
}
