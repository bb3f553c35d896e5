import { RemoteError } from "../../core/protocol/errors.ts";
import { keyInput } from "../../core/protocol/key-input.ts";
import { watchActivity } from "./activity-watch.ts";
import { side } from "./check-spawn.ts";
import { endSession } from "./end-session.ts";
import { deliverFirstCommand } from "./first-command.ts";
import type { ListenerOptions } from "./flow-control.ts";
import { watchForeground } from "./foreground-watch.ts";
import { type KeptShell, keptShell } from "./held-shell.ts";
import { installIntegration } from "./integration/install.ts";
import { readLastCommand } from "./last-command.ts";
import { launchOf, type SpawnOptions } from "./launch.ts";
import type { TerminalSignal } from "./marks/terminal-signal.ts";
import type { ReadOptions } from "./output-log.ts";
import { plainScreen } from "./plain-screen.ts";
import type { ShellExit } from "./pty.ts";
import { exited, type RunOptions, runAndWait, whenReady } from "./run.ts";
import type { RunResult } from "./run-progress.ts";
import type { ScreenOptions, ScreenText, Snapshot } from "./screen.ts";
import { Shell } from "./shell.ts";
import { describeShell, type ShellInfo } from "./shell-info.ts";
import { createPatternCompiler } from "./timed-regex.ts";
import { pasteInput, refuseKeys } from "./type-line.ts";
import { type WaitOptions, type WaitResult, waitFor } from "./wait-for.ts";

export interface SpawnedShell {
  readonly pid: number;
  /** The program that runs. */
  readonly command: string;
  readonly cwd: string;
}

/** How long a call may take; only a host in another process has to be given up on. */
export interface CallLimit {
  /** Milliseconds, at least 1; default: as long as a command may take (10 s). */
  readonly withinMs?: number;
}

/** What became of input. */
export interface InputResult {
  /** Bytes that wait until the shell's program reads; they are written in order, without further calls. */
  readonly queued: number;
}

/** Text is UTF-8 and never cut inside a character or an escape sequence; `plain` leaves the sequences out. */
export interface OutputResult {
  readonly output: string;
  readonly chunks: number;
  readonly offset: number;
  readonly end: number;
  readonly missed: number;
}

export type ShellEvent =
  | ({ readonly kind: "exited"; readonly id: number } & ShellExit)
  /** It ended with the process that held it, so nothing is known of its end and its output is gone. */
  | { readonly kind: "lost"; readonly id: number }
  | { readonly kind: "title"; readonly id: number; readonly title: string }
  | { readonly kind: "cwd"; readonly id: number; readonly cwd: string }
  /** The program in the foreground; null when the shell waits at its prompt. */
  | { readonly kind: "process"; readonly id: number; readonly process: string | null }
  /** It printed something, at that time in milliseconds since 1970; told at most every few seconds. */
  | { readonly kind: "activity"; readonly id: number; readonly at: number }
  | { readonly kind: "signal"; readonly id: number; readonly signal: TerminalSignal };

export interface Listening {
  /** So many bytes of output or snapshot are worked off; opens the window again. */
  ack(bytes: number): void;
  stop(): void;
}

/**
 * Owns the pseudo-terminals. Plain data in and out, so that it can live in a process of its own. Every method rejects
 * with `unknown_shell` for an id that is not there; those that write reject with `shell_exited` after the end.
 */
export interface ShellHost {
  /**
   * Rejects with `spawn_failed` for a folder or program that is not there. A shell whose start is not answered in time is
   * ended, so that none is left that its caller does not know of.
   */
  spawn(options: SpawnOptions, limit?: CallLimit): Promise<SpawnedShell>;
  /** Types bytes, all of them or none. Rejects with `input_full` when 16 MiB would wait for the program. */
  write(id: number, data: Uint8Array | string, limit?: CallLimit): Promise<InputResult>;
  /** As write, in a paste bracket where the program asks for one. */
  paste(id: number, text: string): Promise<InputResult>;
  /** Presses keys and types text, as `keyInput` understands the words. */
  keys(
    id: number,
    input: { readonly words: readonly string[]; readonly literal: boolean },
    limit?: CallLimit,
  ): Promise<InputResult>;
  resize(id: number, cols: number, rows: number, limit?: CallLimit): Promise<void>;
  /** Ends every process of the shell: SIGHUP, after 3 s SIGKILL. Its output stays; input that waits is dropped. */
  close(id: number, limit?: CallLimit): Promise<void>;
  /** Drops an ended shell with its output; a running one is closed first. */
  forget(id: number, limit?: CallLimit): Promise<void>;
  read(
    id: number,
    options?: ReadOptions & { readonly plain?: boolean; readonly lastCommand?: boolean },
    limit?: CallLimit,
  ): Promise<OutputResult>;
  screen(id: number, limit?: CallLimit, options?: ScreenOptions): Promise<ScreenText>;
  snapshot(id: number, scrollbackRows?: number): Promise<Snapshot>;
  listen(id: number, options: ListenerOptions): Listening;
  /** Types a command line and Enter; `offset` is the end of the output before it, a cursor to wait from. */
  type(id: number, line: string, limit?: CallLimit): Promise<InputResult & { readonly offset: number }>;
  /** Types a command line and waits for its end. Rejects with no_shell_integration, shell_busy, wait_timeout. */
  run(id: number, line: string, options: RunOptions): Promise<RunResult>;
  waitFor(id: number, options: WaitOptions): Promise<WaitResult>;
  info(id: number): Promise<ShellInfo>;
  /** All shells that it holds, those that have ended too. */
  list(): readonly KeptShell[];
  has(id: number): boolean;
  onEvent(receive: (event: ShellEvent) => void): () => void;
  /** Closes all shells. */
  dispose(): Promise<void>;
}

export interface ShellHostOptions {
  /** Where the start-up files of the integration are written; made with mode 0700. */
  readonly integrationFolder: string;
  readonly log?: (message: string) => void;
  /** Default: the environment of this process. */
  readonly environment?: NodeJS.ProcessEnv;
}

const MAX_WAITS_PER_SHELL = 64;

export function createShellHost(options: ShellHostOptions): ShellHost {
  const { integrationFolder, log = () => undefined, environment = process.env } = options;
  const startWith = installIntegration(integrationFolder);
  const compilePattern = createPatternCompiler();
  const shells = new Map<number, Shell>();
  const wishes = new Map<number, SpawnOptions>();
  const runs = new Set<Shell>();
  const closing = new Map<Shell, Promise<void>>();
  const receivers = new Set<(event: ShellEvent) => void>();
  let disposed = false;

  return {
    async spawn(asked) {
      const wish = asked.like === undefined ? asked : again(asked, asked.like);
      if (disposed) throw new RemoteError("spawn_failed", "Patchbay is stopping and starts no more shells.");
      if (shells.has(wish.id)) throw new RemoteError("internal", `Shell ${wish.id} exists already.`);
      const shell = start(wish);
      shells.set(wish.id, shell);
      wishes.set(wish.id, wish);
      if (wish.command !== undefined) typeFirst(shell, wish.command);
      return { pid: shell.pid, command: shell.program, cwd: shell.cwd ?? "" };
    },
    async write(id, data) {
      const shell = running(id);
      shell.write(typeof data === "string" ? Buffer.from(data) : asBuffer(data));
      return { queued: shell.queued };
    },
    async paste(id, text) {
      const shell = running(id);
      shell.write(Buffer.from(pasteInput(text, shell.bracketedPaste)));
      return { queued: shell.queued };
    },
    async keys(id, { words, literal }) {
      const shell = running(id);
      shell.write(Buffer.from(keyInput(words, literal, shell)));
      return { queued: shell.queued };
    },
    async resize(id, cols, rows) {
      find(id).resize(side(cols, "cols"), side(rows, "rows"));
    },
    close: async (id) => close(find(id)),
    async forget(id) {
      const shell = find(id);
      await close(shell);
      shell.dispose();
      shells.delete(id);
      wishes.delete(id);
    },
    async read(id, { plain = false, lastCommand = false, ...range } = {}) {
      const shell = find(id);
      const { bytes, ...rest } = lastCommand ? readLastCommand(shell, range) : shell.log.read(range);
      return { output: plain ? await plainScreen(bytes, shell.screen.size) : bytes.toString("utf8"), ...rest };
    },
    screen: async (id, _limit, options) => find(id).screen.text(options),
    snapshot: async (id, scrollbackRows) => find(id).screen.snapshot(scrollbackRows),
    listen(id, wish) {
      const listener = find(id).listen(wish);
      return { ack: (bytes) => listener.ack(bytes), stop: () => listener.stop() };
    },
    async type(id, line) {
      const shell = running(id);
      refuseKeys(line);
      await shell.takesPaste(line);
      const offset = shell.log.safeEnd;
      shell.typeLine(line);
      return { offset, queued: shell.queued };
    },
    run: async (id, line, wish) => run(running(id), line, wish),
    async waitFor(id, wish) {
      const shell = find(id);
      if (shell.waits >= MAX_WAITS_PER_SHELL) {
        throw new RemoteError("limit_reached", `Shell ${id} has ${MAX_WAITS_PER_SHELL} waits already, the limit.`);
      }
      return waitFor(shell, wish, wish.text === undefined ? undefined : compilePattern(wish.text, wish));
    },
    info: async (id) => describeShell(find(id)),
    list: () => [...shells.values()].map(keptShell),
    has: (id) => shells.has(id),
    onEvent(receive) {
      receivers.add(receive);
      return () => void receivers.delete(receive);
    },
    async dispose() {
      disposed = true;
      await Promise.all([...shells.values()].map((shell) => close(shell)));
      for (const shell of shells.values()) shell.dispose();
      shells.clear();
      wishes.clear();
      receivers.clear();
    },
  };

  function find(id: number): Shell {
    const shell = shells.get(id);
    if (shell === undefined) throw new RemoteError("unknown_shell", `No shell has the id ${id}.`);
    return shell;
  }

  function running(id: number): Shell {
    const shell = find(id);
    if (shell.exit !== null) throw exited(shell);
    return shell;
  }

  function start(wish: SpawnOptions): Shell {
    const launch = launchOf(wish, { inherited: wish.inherit ?? environment, startWith });
    const shell = new Shell({
      ...launch,
      id: wish.id,
      cols: side(wish.cols, "cols"),
      rows: side(wish.rows, "rows"),
      onSignal: (signal) => tell(shell, signal),
      onExit: (exit) => {
        launch.forgetSecret();
        emit({ kind: "exited", id: wish.id, ...exit });
      },
    });
    const stop = shell.tracker.watch(() => {
      stop();
      launch.forgetSecret();
    });
    shell.cwd ??= launch.cwd;
    watchActivity(shell, (at) => emit({ kind: "activity", id: wish.id, at }));
    watchForeground(shell, (process) => {
      shell.process = process;
      emit({ kind: "process", id: wish.id, process });
    });
    return shell;
  }

  /** The wish to start what another shell was started as. */
  function again({ id, cols, rows, env, inherit }: SpawnOptions, like: number): SpawnOptions {
    const before = wishes.get(like);
    if (before === undefined) throw new RemoteError("unknown_shell", `No shell has the id ${like}.`);
    return { ...before, id, cols, rows, env: { ...before.env, ...env }, ...(inherit === undefined ? {} : { inherit }) };
  }

  function typeFirst(shell: Shell, command: string): void {
    runs.add(shell);
    deliverFirstCommand(shell, command)
      .catch((error: unknown) => log(`the first command of shell ${shell.id} was not typed: ${String(error)}`))
      .finally(() => runs.delete(shell));
  }

  async function run(shell: Shell, line: string, wish: RunOptions): Promise<RunResult> {
    if (runs.has(shell)) {
      throw new RemoteError(
        "shell_busy",
        `Shell ${shell.id} is waited for already; wait for that, or use another shell.`,
      );
    }
    runs.add(shell);
    try {
      const startedAt = performance.now();
      await whenReady(shell, wish.timeoutMs);
      return await runAndWait(shell, line, { ...wish, timeoutMs: wish.timeoutMs - (performance.now() - startedAt) });
    } finally {
      runs.delete(shell);
    }
  }

  function close(shell: Shell): Promise<void> {
    const before = closing.get(shell);
    if (before !== undefined) return before;
    // After an exit by itself the process id may belong to a stranger.
    if (shell.exit !== null) return Promise.resolve();
    const ended = end(shell).finally(() => closing.delete(shell));
    closing.set(shell, ended);
    return ended;
  }

  async function end(shell: Shell): Promise<void> {
    if (process.platform === "win32") shell.kill();
    else await endSession(shell.pid);
    if (!(await shell.until(() => shell.exit !== null, 2000))) log(`shell ${shell.id} did not report its end`);
  }

  function tell(shell: Shell, signal: TerminalSignal): void {
    const { id } = shell;
    emit({ kind: "signal", id, signal });
    if (signal.kind === "title") emit({ kind: "title", id, title: signal.title });
    if (signal.kind === "cwd" || signal.kind === "command-end") noteCwd(shell);
  }

  function noteCwd(shell: Shell): void {
    if (shell.cwd === undefined || shell.cwd === shell.toldCwd) return;
    shell.toldCwd = shell.cwd;
    emit({ kind: "cwd", id: shell.id, cwd: shell.cwd });
  }

  function emit(event: ShellEvent): void {
    for (const receive of receivers) {
      try {
        receive(event);
      } catch (error) {
        log(`a receiver of shell events failed: ${String(error)}`);
      }
    }
  }
}

function asBuffer(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
