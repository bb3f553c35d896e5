import type { AgentCost, AgentEvent, AgentSession } from "../../../core/protocol/agent-records.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { OpParams, OpResult } from "../../../core/protocol/relay-ops.ts";

/** What a listener to a shell's output is given. */
export interface OutputListener {
  bytes(bytes: Uint8Array, offset: number): void;
  /** It fell behind what is kept: the screen as it stands, and the offset at which the bytes go on. */
  missed(bytes: number, snapshot: string, offset: number): void;
}

export interface OutputSubscription {
  /** The listener has taken in this many bytes, so as many more may come. */
  acknowledge(bytes: number): void;
  stop(): void;
}

/** How a shell ended: both null when that is not known. */
export interface ShellEnd {
  /** Exit status; 128 and the signal's number when a signal ended it. */
  readonly exitCode: number | null;
  /** Name of the signal that ended it, such as `SIGKILL`; null when it ended by itself. */
  readonly signal: string | null;
}

/** How long an operation on shells may take; what holds them may hang. */
export interface CallLimit {
  /** Milliseconds; default: as long as a command may take. */
  readonly withinMs?: number;
}

/** Reads the output of a shell as text, cut only between characters and escape sequences. */
export interface OutputFollower {
  /** Output from the byte at `offset` to that before `end`. */
  text(text: string, offset: number, end: number): void;
  /** So many bytes are lost to it; the output goes on at `offset`. */
  missed(bytes: number, offset: number): void;
  /** The shell has ended, and all of its output was given. */
  end(end: ShellEnd): void;
}

export type ShellEvent =
  | ({ readonly kind: "exited"; readonly id: ShellId } & ShellEnd)
  | { readonly kind: "title"; readonly id: ShellId; readonly title: string }
  | { readonly kind: "cwd"; readonly id: ShellId; readonly cwd: string }
  | { readonly kind: "activity"; readonly id: ShellId; readonly at: number }
  | { readonly kind: "process"; readonly id: ShellId; readonly process: string | null };

/** A shell that is there already when its session is opened: shells outlive the relay. */
export interface KeptShell {
  readonly id: ShellId;
  readonly pid: number;
  /** Undefined when no program has set one. */
  readonly title: string | undefined;
  readonly cwd: string;
  readonly process: string | null;
  readonly cols: number;
  readonly rows: number;
  /** Null while it runs. */
  readonly ended: ShellEnd | null;
  /** When it last printed anything, in milliseconds since 1970. */
  readonly activeAt: number;
}

/** The process that holds the shells, as its owner sees it. */
export interface ShellHostPort {
  status(): ShellHostStatus;
  /** Ends it with all its shells, even while it hangs, and starts another. Resolves when that is there. */
  restart(): Promise<void>;
}

export interface ShellHostStatus {
  /** `none`: it starts with the first shell. `hung`: it has not answered for 5 s or more. */
  readonly state: "none" | "starting" | "running" | "hung";
  readonly pid: number | null;
  /** Milliseconds for which it has owed an answer. */
  readonly silentMs: number;
}

/**
 * The pseudo-terminals of one session, wherever they live. What takes longer than its limit rejects with
 * `shell_host_timeout`.
 */
export interface ShellsPort {
  spawn(
    options: {
      id: ShellId;
      cols: number;
      rows: number;
      cwd?: string | undefined;
      /** Where that folder is gone: start in the nearest one above it, or the home folder. */
      nearest?: boolean | undefined;
      command?: string | undefined;
      /** A program and its arguments, in place of a shell. */
      exec?: readonly string[] | undefined;
      /** Started as that shell was: program, arguments, folder, variables, first command line. */
      like?: ShellId | undefined;
      env: Readonly<Record<string, string>>;
    },
    limit?: CallLimit,
  ): Promise<{ pid: number; command: string; cwd: string; title: string }>;
  /**
   * Bytes for the program in the shell, as a keyboard would send them: all or none. Answers how many wait until the
   * program reads; rejects with `input_full` when too many would.
   */
  write(id: ShellId, data: string, limit?: CallLimit): Promise<{ queued: number }>;
  /** Presses keys and types text, as `keyInput` understands the words; answers and rejects as `write`. */
  keys(
    id: ShellId,
    input: { readonly words: readonly string[]; readonly literal: boolean },
    limit?: CallLimit,
  ): Promise<{ queued: number }>;
  resize(id: ShellId, cols: number, rows: number, limit?: CallLimit): Promise<void>;
  /** Ends all that runs in the shell; resolves when it is over. */
  close(id: ShellId, limit?: CallLimit): Promise<void>;
  /** Drops what is kept of a shell that has ended. */
  forget(id: ShellId, limit?: CallLimit): Promise<void>;
  knows(id: ShellId): boolean;
  /** All shells that it holds. */
  kept(): readonly KeptShell[];
  read(params: OpParams<"readOutput">, limit?: CallLimit): Promise<OpResult<"readOutput">>;
  listen(
    id: ShellId,
    options: { from?: number | undefined; window: number },
    listener: OutputListener,
  ): OutputSubscription;
  /** Follows the output from a byte offset on, by default from now on; bytes are acknowledged as by a listener. */
  follow(
    id: ShellId,
    options: { from?: number | undefined; window: number; plain: boolean },
    follower: OutputFollower,
  ): OutputSubscription;
  run(params: OpParams<"runInShell">, limit?: CallLimit): Promise<OpResult<"runInShell">>;
  waitFor(params: OpParams<"waitFor">): Promise<OpResult<"waitFor">>;
  onEvent(listener: (event: ShellEvent) => void): () => void;
  /** Ends all shells. */
  dispose(): Promise<void>;
}

/** What the agents' room answers for one session. */
export interface AgentsPort {
  cost(session: SessionId, options: { explain: boolean }): AgentCost;
  sessions(session: SessionId): AgentSession[];
  events(session: SessionId, params: OpParams<"getAgentEvents">): Promise<AgentEvent[]>;
}

/** An agent in a shell, or what it has left running there. */
export interface AgentInShell {
  /** Names this run of the agent among all of the machine's. */
  readonly run: string;
  readonly agentType: string;
  /** Its working directory; "" where that cannot be told. */
  readonly folder: string;
}

/** Looks for agents among the processes of a shell, at the moment of the call. Rejects where that cannot be told. */
export type FindAgents = (
  session: SessionId,
  shell: { readonly id: ShellId; readonly pid: number },
) => Promise<readonly AgentInShell[]>;
