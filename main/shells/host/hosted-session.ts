import { RemoteError } from "../../../core/protocol/errors.ts";
import { COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import type {
  CallLimit,
  InputResult,
  KeptShell,
  OutputSubscription,
  ShellCall,
  ShellCallParams,
  ShellCallResult,
  ShellEvent,
  ShellHost,
  SubscribeOptions,
} from "../../../core/protocol/shell-host.ts";
import { withDeadline } from "../../system/with-deadline.ts";
import { followOutput } from "../follow-output.ts";
import type { HostConnection } from "./host-connection.ts";
import { noHostInTime } from "./host-faults.ts";
import { HostedSubscription } from "./hosted-subscription.ts";

interface Parts {
  readonly session: string;
  /** Undefined while there is none: no host was needed yet, or it is being looked for. */
  readonly current: () => HostConnection | undefined;
  /** Waits for one, or starts a host. */
  readonly connected: () => Promise<HostConnection>;
  /** How long the end of all shells may take from now, in milliseconds. */
  readonly endWithinMs: () => number;
  /** Whether the shells are to be left running when their session is closed. */
  readonly keeping: () => boolean;
  /** What shells inherit. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (message: string) => void;
}

/** A wait says itself, on time, that it was in vain; only a host that hangs is given up on, so much later. */
const WAIT_GRACE_MS = 1000;

/** The shells of one session, held by the host process: ShellHost over a connection. */
export class HostedSession implements ShellHost {
  readonly #parts: Parts;
  readonly #known = new Map<number, KeptShell>();
  /** Shells whose start was not answered in time, until it is known that they are gone. */
  readonly #abandoned = new Set<number>();
  readonly #subscriptions = new Set<HostedSubscription>();
  readonly #receivers = new Set<(event: ShellEvent) => void>();
  /** What happened before anybody could hear it: the relay is still starting. */
  #unheard: ShellEvent[] = [];

  constructor(parts: Parts, kept: readonly KeptShell[]) {
    this.#parts = parts;
    for (const shell of kept) this.#known.set(shell.id, shell);
  }

  /** A shell whose start is not answered in time is ended, so that none is left that the caller does not know of. */
  async spawn(wish: ShellCallParams<"spawn">, limit?: CallLimit): Promise<ShellCallResult<"spawn">> {
    const { id, cols, rows } = wish;
    const deadline = deadlineOf(limit);
    const connection = await this.#connected(deadline);
    // Before the answer: its end may come with it.
    this.#known.set(id, {
      id,
      cols,
      rows,
      pid: 0,
      command: "",
      title: "",
      cwd: "",
      process: null,
      exit: null,
      activeAt: Date.now(),
    });
    try {
      const params = { ...wish, inherit: wish.inherit ?? withoutUndefined(this.#parts.environment) };
      const spawned = await connection.call(this.#parts.session, "spawn", { params, patience: leftOf(deadline) });
      this.#change(id, spawned);
      return spawned;
    } catch (error) {
      this.#known.delete(id);
      if (isTimeout(error)) this.#abandon(id, connection);
      throw error;
    }
  }

  async write(id: number, data: Uint8Array | string, limit?: CallLimit): Promise<InputResult> {
    if (this.#find(id).exit !== null) {
      throw new RemoteError("shell_exited", `Shell ${id} has ended and takes no more input; create another one.`);
    }
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    const deadline = deadlineOf(limit);
    const connection = this.#parts.current() ?? (await this.#connected(deadline));
    return connection.write(this.#parts.session, id, { data: bytes, patience: leftOf(deadline) });
  }

  async resize(params: ShellCallParams<"resize">, limit?: CallLimit): Promise<void> {
    await this.#call("resize", params, limit);
    this.#change(params.shell, { cols: params.cols, rows: params.rows });
  }

  async forget(params: ShellCallParams<"forget">, limit?: CallLimit): Promise<void> {
    await this.#call("forget", params, limit);
    this.#known.delete(params.shell);
  }

  keys: ShellHost["keys"] = (params, limit) => this.#call("keys", params, limit);
  close: ShellHost["close"] = (params, limit) => this.#call("close", params, limit);
  read: ShellHost["read"] = (params, limit) => this.#call("read", params, limit);
  screen: ShellHost["screen"] = (params, limit) => this.#call("screen", params, limit);
  snapshot: ShellHost["snapshot"] = (params, limit) => this.#call("snapshot", params, limit);
  type: ShellHost["type"] = (params, limit) => this.#call("type", params, limit);
  info: ShellHost["info"] = (params, limit) => this.#call("info", params, limit);
  run: ShellHost["run"] = (params) => this.#call("run", params, waitLimit(params));
  waitFor: ShellHost["waitFor"] = (params) => this.#call("waitFor", params, waitLimit(params));

  subscribe(shell: number, options: SubscribeOptions): OutputSubscription {
    this.#find(shell);
    const subscription: HostedSubscription = new HostedSubscription(shell, options, () =>
      this.#subscriptions.delete(subscription),
    );
    this.#subscriptions.add(subscription);
    const connection = this.#parts.current();
    // Without a connection it starts with the next one.
    if (connection !== undefined) subscription.resume(connection, this.#parts.session);
    return subscription;
  }

  follow: ShellHost["follow"] = (shell, options, follower) => followOutput(this, shell, options, follower);

  /** Shells that have not ended, as far as is known. */
  running(): KeptShell[] {
    return this.list().filter(({ exit }) => exit === null);
  }

  list = () => [...this.#known.values()];
  has = (id: number) => this.#known.has(id);

  onEvent(receive: (event: ShellEvent) => void): () => void {
    this.#receivers.add(receive);
    queueMicrotask(() => {
      for (const event of this.#unheard.splice(0)) this.#tell(event);
    });
    return () => void this.#receivers.delete(receive);
  }

  /** Ends all shells; or leaves them, when the relay stops and they are to live on. A host that hangs does it later. */
  async dispose(): Promise<void> {
    if (!this.#parts.keeping() && this.#known.size > 0) {
      if (await this.#endAll()) this.#known.clear();
    }
    this.#receivers.clear();
    for (const subscription of [...this.#subscriptions]) subscription.stop();
  }

  /** The host has told something. */
  heard(event: ShellEvent): void {
    if (this.#abandoned.has(event.id)) return;
    if (event.kind === "exited") {
      const { exitCode, signal } = event;
      this.#change(event.id, { exit: { exitCode, signal } });
    } else if (event.kind === "title") this.#change(event.id, { title: event.title });
    else if (event.kind === "cwd") this.#change(event.id, { cwd: event.cwd });
    else if (event.kind === "process") this.#change(event.id, { process: event.process });
    this.#tell(event);
  }

  /** Connected anew to the host that was there before: tells what happened in between, and streams go on. */
  resume(connection: HostConnection, kept: readonly KeptShell[]): void {
    const before = this.list();
    this.#known.clear();
    for (const shell of kept) {
      if (this.#abandoned.has(shell.id)) this.#abandon(shell.id, connection);
      else this.#known.set(shell.id, shell);
    }
    for (const { id, exit } of before) {
      const now = this.#known.get(id);
      if (now === undefined) this.#tell({ kind: "lost", id });
      else if (exit === null && now.exit !== null) this.#tell({ kind: "exited", id, ...now.exit });
    }
    for (const subscription of this.#subscriptions) {
      if (this.has(subscription.shell)) subscription.resume(connection, this.#parts.session);
    }
  }

  /** The host has ended, and everything in it. Answers the shells that were running. */
  lost(): number[] {
    const ids = this.list().flatMap(({ id, exit }) => (exit === null ? [id] : []));
    this.#known.clear();
    this.#abandoned.clear();
    this.#subscriptions.clear();
    for (const id of ids) this.#tell({ kind: "lost", id });
    return ids;
  }

  async #call<M extends Exclude<ShellCall, "spawn">>(
    method: M,
    params: ShellCallParams<M>,
    limit?: CallLimit,
  ): Promise<ShellCallResult<M>> {
    this.#find(params.shell);
    const deadline = deadlineOf(limit);
    const connection = this.#parts.current() ?? (await this.#connected(deadline));
    return connection.call(this.#parts.session, method, { params, patience: leftOf(deadline) });
  }

  /** The connection, once there is one. Rejects with `shell_host_timeout` when there is none by the deadline. */
  #connected(deadline: number): Promise<HostConnection> {
    const waitMs = leftOf(deadline);
    return withDeadline(this.#parts.connected(), waitMs, () => noHostInTime(waitMs));
  }

  /** Ends a shell that may have been started although its start was not answered in time. */
  #abandon(id: number, connection: HostConnection): void {
    this.#abandoned.add(id);
    const params = { shell: id };
    connection.call(this.#parts.session, "forget", { params, patience: "unlimited" }).then(
      () => this.#abandoned.delete(id),
      // Not there: it was never started. Cut off: it is looked for again when the host is there again.
      (error: unknown) => {
        if (error instanceof RemoteError && error.code === "unknown_shell") this.#abandoned.delete(id);
      },
    );
  }

  /** Whether they have ended. */
  async #endAll(): Promise<boolean> {
    const { session, connected, endWithinMs, log } = this.#parts;
    const withinMs = endWithinMs();
    const ended = connected().then((connection) => connection.dispose(session));
    try {
      await withDeadline(ended, withinMs, () => new Error(`not within ${withinMs / 1000} s`));
      return true;
    } catch (error) {
      log(`The shells of session ${session} could not be ended in order: ${String(error)}`);
      return false;
    }
  }

  #find(id: number): KeptShell {
    const shell = this.#known.get(id);
    if (shell === undefined) throw new RemoteError("unknown_shell", `No shell has the id ${id}.`);
    return shell;
  }

  #change(id: number, change: Partial<KeptShell>): void {
    const shell = this.#known.get(id);
    if (shell !== undefined) this.#known.set(id, { ...shell, ...change });
  }

  #tell(event: ShellEvent): void {
    if (this.#receivers.size === 0) {
      this.#unheard.push(event);
      return;
    }
    for (const receive of this.#receivers) {
      try {
        receive(event);
      } catch (error) {
        this.#parts.log(`a receiver of shell events failed: ${String(error)}`);
      }
    }
  }
}

function withoutUndefined(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function deadlineOf({ withinMs = COMMAND_TIMEOUT_MS }: CallLimit = {}): number {
  return performance.now() + withinMs;
}

function leftOf(deadline: number): number {
  return Math.max(1, Math.round(deadline - performance.now()));
}

function waitLimit({ timeoutMs }: { timeoutMs: number }): CallLimit {
  return { withinMs: timeoutMs + WAIT_GRACE_MS };
}

function isTimeout(error: unknown): boolean {
  return error instanceof RemoteError && error.code === "shell_host_timeout";
}
