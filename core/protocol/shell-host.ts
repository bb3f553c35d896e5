import { z } from "zod";
import type { Lifetime } from "./lifetime.ts";
import { TerminalSignal } from "./terminal-signals.ts";

/**
 * The contract of a shell host: the owner of one session's pseudo-terminals. The relay calls it, `main/shells/shell-host.ts`
 * implements it, and `main/shells/host` carries it over a socket. The schemas are the wire format of that socket: a change
 * other than a new optional field needs a new `PROTOCOL_VERSION`.
 */

const Id = z.int().nonnegative();
const ByteOffset = z.int().nonnegative();
const Text = z.string();
const shell = { shell: Id };

/** How a shell ended. */
export const ShellExit = z.object({
  /** Exit status; 128 plus the signal's number when a signal ended the shell. */
  exitCode: z.int(),
  /** Number of the signal that ended the shell; null when it exited by itself. */
  signal: z.int().nullable(),
});
export type ShellExit = z.infer<typeof ShellExit>;

/** A shell that the host holds, running or ended. */
export const KeptShell = z.object({
  id: Id,
  pid: z.int(),
  /** The program that was started. */
  command: Text,
  /** The title that its programs set; empty when none did. */
  title: Text,
  cwd: Text,
  /** The program in the foreground; null at the prompt. */
  process: Text.nullable(),
  /** The command line that runs, or the last one; absent where it is unknown, and from an older host. */
  commandLine: Text.optional(),
  cols: z.int(),
  rows: z.int(),
  /** Null while the shell runs. */
  exit: ShellExit.nullable(),
  /** Time of its latest output, in milliseconds since 1970. */
  activeAt: z.number(),
});
export type KeptShell = z.infer<typeof KeptShell>;

const InputResult = z.object({
  /** Bytes that wait until the shell's program reads; they are written in order, without further calls. */
  queued: z.int().nonnegative(),
});
export type InputResult = z.infer<typeof InputResult>;

/** A drawn screen, to start or resynchronize a terminal with. */
const Snapshot = z.object({
  /** Escape sequences that draw the screen in an empty terminal of this size. */
  snapshot: Text,
  cols: z.int(),
  rows: z.int(),
  /** Where the output continues. */
  offset: ByteOffset,
});
export type Snapshot = z.infer<typeof Snapshot>;

/** The calls of a shell host, with their parameters and results. All reject with `unknown_shell` for an unknown id. */
const shellCalls = {
  /** Starts a shell. Rejects with `spawn_failed` when the folder or the program does not exist. */
  spawn: {
    params: z.object({
      /** Chosen by the caller, never used before. */
      id: Id,
      /** Default: the home folder. */
      cwd: Text.optional(),
      /** When that folder is gone, start in the nearest existing parent, or in the home folder. */
      nearest: z.boolean().optional(),
      cols: z.number(),
      rows: z.number(),
      /** Added to the inherited environment. */
      env: z.record(Text, Text),
      /** A first command line, typed as soon as the shell accepts one. */
      command: Text.optional(),
      /** Path of a shell; default: the user's login shell. */
      shell: Text.optional(),
      /** A program and its arguments, in place of a shell. */
      exec: z.array(Text).readonly().optional(),
      /** Text shown before the shell's own output, without escape sequences. */
      prelude: Text.optional(),
      /** Repeat the start of this shell, in its folder, with a new id and size; `env` is added to its environment. */
      like: Id.optional(),
      /** The environment to inherit; default: the host's own. */
      inherit: z.record(Text, Text).optional(),
    }),
    result: z.object({
      pid: z.int(),
      /** The program that runs. */
      command: Text,
      cwd: Text,
    }),
  },
  /** Presses keys and types text, as `keyInput` interprets the words. Rejects as `write` does. */
  keys: {
    params: z.object({ ...shell, words: z.array(Text).readonly(), literal: z.boolean() }),
    result: InputResult,
  },
  resize: { params: z.object({ ...shell, cols: z.number(), rows: z.number() }), result: z.void() },
  /** Ends every process of the shell: SIGHUP, after 3 s SIGKILL. Keeps its output; drops queued input. */
  close: { params: z.object(shell), result: z.void() },
  /** Drops a shell with its output; closes a running one first. */
  forget: { params: z.object(shell), result: z.void() },
  /** Reads output as text that is cut between characters and between escape sequences only. */
  read: {
    params: z.object({
      ...shell,
      /** Byte offset to start from. The `end` of an earlier read loses and repeats nothing. */
      since: z.number().optional(),
      /** A soft limit: one escape sequence longer than this is returned whole. */
      maxBytes: z.number().optional(),
      /** Only the last so many chunks; `since` overrides it. */
      chunks: z.number().optional(),
      /** Leave escape sequences out. */
      plain: z.boolean().optional(),
      /** Only the last so many lines; `since` overrides it. A final newline ends a line and begins none. */
      lines: z.number().optional(),
      /** Only the output of the last command line. */
      lastCommand: z.boolean().optional(),
    }),
    result: z.object({
      output: Text,
      /** Number of delivered pieces that begin in the output. */
      chunks: z.int().nonnegative(),
      offset: ByteOffset,
      end: ByteOffset,
      /** Bytes between `since` and `offset` that are no longer kept. */
      missed: z.int().nonnegative(),
    }),
  },
  /** Reads the screen as lines of text, without trailing blanks. */
  screen: {
    params: z.object({
      ...shell,
      /** The last so many rows, scrollback included; default: the visible rows. */
      lines: z.number().optional(),
      /** Join the rows of a line that was wrapped. */
      join: z.boolean().optional(),
    }),
    result: z.object({
      text: Text,
      cols: z.int(),
      rows: z.int(),
      /** Column and row of the cursor, from 0. */
      cursor: z.object({ x: z.int(), y: z.int() }),
      offset: ByteOffset,
    }),
  },
  snapshot: { params: z.object({ ...shell, scrollbackRows: z.number().optional() }), result: Snapshot },
  /** Types a command line and Enter. */
  type: {
    params: z.object({ ...shell, line: Text }),
    result: InputResult.extend({
      /** End of the output before the line was typed: the place to wait from. */
      offset: ByteOffset,
    }),
  },
  /** Types a command line and waits for its end. Rejects with `no_shell_integration`, `shell_busy` or `wait_timeout`. */
  run: {
    params: z.object({
      ...shell,
      line: Text,
      timeoutMs: z.number(),
      /** Clear what stands at the prompt, instead of refusing to run. */
      clear: z.boolean().optional(),
    }),
    result: z.object({
      exitCode: z.int(),
      /** Number of the signal that ended the shell itself; absent from an older host. */
      signal: z.int().nullable().optional(),
      durationMs: z.number(),
      cwd: Text.nullable(),
      /** What the command printed, with escape sequences, without its echo and the marks. */
      output: Text,
      /** Byte offsets of `output` in the whole output of the shell. */
      start: ByteOffset,
      end: ByteOffset,
      /** Bytes missing at the beginning of `output`, which holds the last 16 MiB. */
      missed: z.int(),
    }),
  },
  /**
   * Waits for the first of the given conditions. Rejects with `wait_timeout`, and with `shell_exited` when none of them
   * can occur any more.
   */
  waitFor: {
    params: z.object({
      ...shell,
      /** A regular expression over the text without escape sequences, with lines that end in `\n`. */
      text: Text.optional(),
      /** Match `text` literally. */
      fixed: z.boolean().optional(),
      ignoreCase: z.boolean().optional(),
      /** Who waits: the time for regular expressions is shared by caller. */
      caller: Text.optional(),
      /** Milliseconds without output. */
      idle: z.number().optional(),
      exit: z.boolean().optional(),
      /** Byte offset from which text counts; default: now. */
      since: z.number().optional(),
      /** `skip` ignores the echo of typed input. */
      echo: z.enum(["include", "skip"]).optional(),
      timeoutMs: z.number(),
    }),
    result: z.object({
      kind: z.enum(["text", "idle", "exit"]),
      matched: Text.nullable(),
      /** Start and end of the match; both are the end of the output for the other kinds. */
      offset: ByteOffset,
      end: ByteOffset,
      exitCode: z.int().nullable(),
      /** Number of the signal that ended the shell; null for the other kinds, and when it exited by itself. */
      signal: z.int().nullable(),
    }),
  },
  /** Describes a shell, with its foreground program and folder as the system reports them now. */
  info: {
    params: z.object({
      ...shell,
      /** A regular expression for the name of the foreground program. */
      pattern: Text.optional(),
      /** Who asks: the time for regular expressions is shared by caller. */
      caller: Text.optional(),
    }),
    result: z.object({
      id: Id,
      pid: z.int(),
      command: Text,
      title: Text,
      cwd: Text.nullable(),
      /** Name of the program in the foreground; null when the shell has ended. */
      foreground: Text.nullable(),
      /** Whether `pattern` matches the name; absent without one, and from an older host. */
      matches: z.boolean().optional(),
      /** Whether marks have arrived, so that the end of commands can be detected. */
      integrated: z.boolean(),
      /** Whether the program accepts bracketed paste; absent from an older host. */
      bracketedPaste: z.boolean().optional(),
      /** Whether the program draws on the alternate screen, as editors and pagers do; absent from an older host. */
      alternateScreen: z.boolean().optional(),
      /** Whether the shell waits at its prompt; absent from an older host, and null where it does not report it. */
      atPrompt: z.boolean().nullable().optional(),
      running: z.boolean(),
      exitCode: z.int().nullable(),
      signal: z.int().nullable(),
      start: ByteOffset,
      end: ByteOffset,
    }),
  },
} as const satisfies Record<string, { readonly params: z.ZodType; readonly result: z.ZodType }>;

export type ShellCall = keyof typeof shellCalls;
export type ShellCallParams<M extends ShellCall> = z.output<(typeof shellCalls)[M]["params"]>;
export type ShellCallResult<M extends ShellCall> = z.output<(typeof shellCalls)[M]["result"]>;
export const ShellCallName = z.enum(Object.keys(shellCalls) as [ShellCall, ...ShellCall[]]);

/** The schemas by call, so that code generic over a call keeps its parameters and result apart from others'. */
export const shellCallSchemas: {
  readonly [M in ShellCall]: {
    readonly params: z.ZodType<ShellCallParams<M>>;
    readonly result: z.ZodType<ShellCallResult<M>>;
  };
} = shellCalls;

/** The result of `ShellHost.write`, whose bytes are not part of the parameters. */
export const WriteResult = InputResult;

export const ShellEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), id: Id, ...ShellExit.shape }),
  /** The shell ended together with its host: its exit is unknown and its output is gone. */
  z.object({ kind: z.literal("lost"), id: Id }),
  z.object({ kind: z.literal("title"), id: Id, title: Text }),
  z.object({ kind: z.literal("cwd"), id: Id, cwd: Text }),
  /** The program in the foreground; null when the shell waits at its prompt. With the command line as in `KeptShell`. */
  z.object({ kind: z.literal("process"), id: Id, process: Text.nullable(), commandLine: Text.optional() }),
  /** Output was printed, at that time in milliseconds since 1970; sent at most every few seconds. */
  z.object({ kind: z.literal("activity"), id: Id, at: z.number() }),
  z.object({ kind: z.literal("signal"), id: Id, signal: TerminalSignal }),
]);
export type ShellEvent = z.infer<typeof ShellEvent>;

/** One delivery to a subscriber. A `snapshot` replaces everything before it; the output continues at its `offset`. */
export type OutputFrame =
  | { readonly kind: "output"; readonly offset: number; readonly bytes: Uint8Array }
  | ({ readonly kind: "snapshot"; readonly missed: number } & Readonly<Snapshot>)
  | ({ readonly kind: "end"; readonly offset: number } & Readonly<ShellExit>);

/** Separates the last output from the rest of a wait's error; it may begin within a secret. */
export const QUOTED_OUTPUT = ", at last: ";

export interface SubscribeOptions {
  /** A byte offset; `now`: new output only; `screen`: a snapshot first. */
  readonly from: number | "now" | "screen";
  /** Bytes that may be delivered without being acknowledged. */
  readonly window: number;
  readonly deliver: (frame: OutputFrame) => void;
  /** Whether output may be delivered now; default: always. After a no, the next acknowledgement asks again. */
  readonly mayDeliver?: () => boolean;
}

export interface OutputSubscription {
  /** Acknowledges so many bytes of output or snapshot, which opens the window again. */
  acknowledge(bytes: number): void;
  stop(): void;
}

/** Receives output as text, cut between characters and between escape sequences only. */
export interface OutputFollower {
  /** Output from the byte at `offset` up to, not including, the byte at `end`. */
  text(text: string, offset: number, end: number): void;
  /** So many bytes are lost; the output continues at `offset`. */
  missed(bytes: number, offset: number): void;
  /** The shell has ended, and all of its output was delivered. */
  end(exit: ShellExit): void;
}

export interface FollowOptions {
  /** A byte offset; default: new output only. */
  readonly from?: number | undefined;
  /** Bytes that may be delivered without being acknowledged. */
  readonly window: number;
  /** Leave escape sequences out and end lines with a newline only. */
  readonly plain: boolean;
}

/** How long a call may take, because the host may hang. */
export interface CallLimit {
  /** Milliseconds, at least 1; default: the time limit of a command (10 s). */
  readonly withinMs?: number;
  /** At its end a wait (`run`, `waitFor`) rejects with the reason. What was typed stays typed. */
  readonly lifetime?: Lifetime | undefined;
}

/** The calls as methods. A call that exceeds its limit rejects with `shell_host_timeout`. */
export type ShellCalls = {
  [M in ShellCall]: (params: ShellCallParams<M>, limit?: CallLimit) => Promise<ShellCallResult<M>>;
};

/**
 * The pseudo-terminals of one session, in this process or in another one. Methods that write reject with `shell_exited`
 * after the shell has ended.
 */
export interface ShellHost extends ShellCalls {
  /** Writes bytes to the terminal, all or none. Rejects with `input_full` when more than 16 MiB would wait. */
  write(shell: number, data: Uint8Array | string, limit?: CallLimit): Promise<InputResult>;
  /** Streams output. Throws `unknown_shell`. */
  subscribe(shell: number, options: SubscribeOptions): OutputSubscription;
  /** Streams output as text. Throws `unknown_shell`. */
  follow(shell: number, options: FollowOptions, follower: OutputFollower): OutputSubscription;
  /** All shells that the host holds, ended ones included. */
  list(): readonly KeptShell[];
  has(shell: number): boolean;
  /** Returns an unsubscribe function. */
  onEvent(receive: (event: ShellEvent) => void): () => void;
  /** Ends and forgets all shells. */
  dispose(): Promise<void>;
}

export const ShellHostStatus = z.object({
  state: z
    .enum(["none", "starting", "running", "hung"])
    .describe("`none`: it starts with the first shell. `hung`: it has not answered for 5 s or more"),
  pid: z.int().nullable(),
  silentMs: z.int().describe("milliseconds that the oldest request has waited for an answer"),
});
export type ShellHostStatus = z.infer<typeof ShellHostStatus>;

/** Watches and restarts the shell host of a data folder. */
export interface ShellHostControl {
  status(): ShellHostStatus;
  /** Kills the host with all its shells, also when it hangs, and starts another. Resolves when that one is reachable. */
  restart(): Promise<void>;
}
