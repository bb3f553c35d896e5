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
import type { HistoryReader } from "../history/history-reader.ts";
import type { HostConnection } from "./host-connection.ts";
import { hostUnreachable } from "./host-errors.ts";
import { HostedSubscription } from "./hosted-subscription.ts";

interface HostedSessionOptions {
  readonly session: string;
  /** Undefined while there is no connection: no host was needed yet, or the relay is reconnecting. */
  readonly current: () => HostConnection | undefined;
  /** Waits for a connection, or starts a host. */
  readonly connected: () => Promise<HostConnection>;
  /** How long ending all shells may take from now, in milliseconds. */
  readonly endWithinMs: () => number;
  /** Whether the shells keep running when their session is closed. */
  readonly keeping: () => boolean;
  /** The environment that shells inherit. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (message: string) => void;
  /** Reads what left the memory of the shell host; absent where nothing was ever recorded. */
  readonly history?: HistoryReader | undefined;
}

/** A wait reports its own timeout; only a hung host exceeds it by this much. */
const WAIT_GRACE_MS = 1000;

/** A ShellHost whose shells are held by the shell host process. */
export class HostedSession implements ShellHost {
  readonly #options: HostedSessionOptions;
  readonly #shells = new Map<number, KeptShell>();
  /** Shells whose start timed out, until it is certain that they do not exist. */
  readonly #abandoned = new Set<number>();
  readonly #subscriptions = new Set<HostedSubscription>();
  readonly #receivers = new Set<(event: ShellEvent) => void>();
  /** Offsets before which output of a shell is known to have left memory. */
  readonly #keptFrom = new Map<number, number>();
  /** Events that arrived before the first subscriber, while the relay starts. */
  #bufferedEvents: ShellEvent[] = [];

  constructor(parts: HostedSessionOptions, kept: readonly KeptShell[]) {
    this.#options = parts;
    for (const shell of kept) this.#shells.set(shell.id, shell);
  }

  /**
   * Starts a shell. When the start times out, the shell is ended as soon as the host answers, so that no unknown shell
   * remains.
   */
  async spawn(wish: ShellCallParams<"spawn">, limit?: CallLimit): Promise<ShellCallResult<"spawn">> {
    const { id, cols, rows } = wish;
    const deadline = deadlineFor(limit);
    const connection = await this.#connected(deadline);
    // Registered before the result arrives, because its exit may arrive first.
    this.#shells.set(id, {
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
      const params = { ...wish, inherit: wish.inherit ?? withoutUndefined(this.#options.environment) };
      const spawned = await connection.call(this.#options.session, "spawn", {
        params,
        patience: remainingMs(deadline),
      });
      this.#update(id, spawned);
      return spawned;
    } catch (error) {
      this.#shells.delete(id);
      if (isTimeout(error)) this.#abandon(id, connection);
      throw error;
    }
  }

  async write(id: number, data: Uint8Array | string, limit?: CallLimit): Promise<InputResult> {
    if (this.#get(id).exit !== null) {
      throw new RemoteError("shell_exited", `Shell ${id} has ended and takes no more input; create another one.`);
    }
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    const deadline = deadlineFor(limit);
    const connection = this.#options.current() ?? (await this.#connected(deadline));
    return connection.write(this.#options.session, id, { data: bytes, patience: remainingMs(deadline) });
  }

  async resize(params: ShellCallParams<"resize">, limit?: CallLimit): Promise<void> {
    await this.#call("resize", params, limit);
    this.#update(params.shell, { cols: params.cols, rows: params.rows });
  }

  async forget(params: ShellCallParams<"forget">, limit?: CallLimit): Promise<void> {
    await this.#call("forget", params, limit);
    this.#shells.delete(params.shell);
    this.#keptFrom.delete(params.shell);
  }

  /** Reads from the history what is no longer in memory, and the output of shells that ended with their host. */
  async read(params: ShellCallParams<"read">, limit?: CallLimit): Promise<ShellCallResult<"read">> {
    const { history, session } = this.#options;
    const { shell, since = Number.POSITIVE_INFINITY } = params;
    const owner = { session, shell };
    if (!this.has(shell)) return (await history?.read(owner, params)) ?? this.#call("read", params, limit);
    const older = () => history?.readBefore(this.#keptFrom.get(shell) ?? 0, owner, { ...params, since });
    const page = since < (this.#keptFrom.get(shell) ?? 0) ? await older() : undefined;
    if (page !== undefined) return page;
    const result = await this.#call("read", params, limit);
    if (result.missed === 0) return result;
    this.#keptFrom.set(shell, result.offset);
    return (await older()) ?? result;
  }

  keys: ShellHost["keys"] = (params, limit) => this.#call("keys", params, limit);
  close: ShellHost["close"] = (params, limit) => this.#call("close", params, limit);
  screen: ShellHost["screen"] = (params, limit) => this.#call("screen", params, limit);
  snapshot: ShellHost["snapshot"] = (params, limit) => this.#call("snapshot", params, limit);
  type: ShellHost["type"] = (params, limit) => this.#call("type", params, limit);
  info: ShellHost["info"] = (params, limit) => this.#call("info", params, limit);
  run: ShellHost["run"] = (params, limit) => this.#call("run", params, waitLimit(params, limit));
  waitFor: ShellHost["waitFor"] = (params, limit) => this.#call("waitFor", params, waitLimit(params, limit));

  subscribe(shell: number, options: SubscribeOptions): OutputSubscription {
    this.#get(shell);
    const subscription: HostedSubscription = new HostedSubscription(shell, options, () =>
      this.#subscriptions.delete(subscription),
    );
    this.#subscriptions.add(subscription);
    const connection = this.#options.current();
    // Without a connection it resumes on the next one.
    if (connection !== undefined) subscription.resume(connection, this.#options.session);
    return subscription;
  }

  follow: ShellHost["follow"] = (shell, options, follower) => followOutput(this, shell, options, follower);

  /** The shells that are not known to have ended. */
  running(): KeptShell[] {
    return this.list().filter(({ exit }) => exit === null);
  }

  list = () => [...this.#shells.values()];
  has = (id: number) => this.#shells.has(id);

  onEvent(receive: (event: ShellEvent) => void): () => void {
    this.#receivers.add(receive);
    queueMicrotask(() => {
      for (const event of this.#bufferedEvents.splice(0)) this.#publish(event);
    });
    return () => void this.#receivers.delete(receive);
  }

  /** Ends all shells, or leaves them running when they are to outlive the relay. A hung host ends them later. */
  async dispose(): Promise<void> {
    if (!this.#options.keeping() && this.#shells.size > 0) {
      if (await this.#endAll()) this.#shells.clear();
    }
    this.#receivers.clear();
    for (const subscription of [...this.#subscriptions]) subscription.stop();
  }

  /** Applies and publishes an event of the host. */
  receiveEvent(event: ShellEvent): void {
    if (this.#abandoned.has(event.id)) return;
    if (event.kind === "exited") {
      const { exitCode, signal } = event;
      this.#update(event.id, { exit: { exitCode, signal } });
    } else if (event.kind === "title") this.#update(event.id, { title: event.title });
    else if (event.kind === "cwd") this.#update(event.id, { cwd: event.cwd });
    else if (event.kind === "process") {
      this.#update(event.id, { process: event.process, commandLine: event.commandLine });
    }
    this.#publish(event);
  }

  /** Resumes on a new connection to the same host: publishes what was missed and resumes subscriptions. */
  resume(connection: HostConnection, kept: readonly KeptShell[]): void {
    const before = this.list();
    this.#shells.clear();
    for (const shell of kept) {
      if (this.#abandoned.has(shell.id)) this.#abandon(shell.id, connection);
      else this.#shells.set(shell.id, shell);
    }
    for (const { id, exit } of before) {
      const now = this.#shells.get(id);
      if (now === undefined) this.#publish({ kind: "lost", id });
      else if (exit === null && now.exit !== null) this.#publish({ kind: "exited", id, ...now.exit });
    }
    for (const subscription of this.#subscriptions) {
      if (this.has(subscription.shell)) subscription.resume(connection, this.#options.session);
    }
  }

  /** Marks all shells as lost after the host has ended. Returns the ids of those that were running. */
  markLost(): number[] {
    const ids = this.list().flatMap(({ id, exit }) => (exit === null ? [id] : []));
    this.#shells.clear();
    this.#abandoned.clear();
    this.#subscriptions.clear();
    for (const id of ids) this.#publish({ kind: "lost", id });
    return ids;
  }

  async #call<M extends Exclude<ShellCall, "spawn">>(
    method: M,
    params: ShellCallParams<M>,
    limit?: CallLimit,
  ): Promise<ShellCallResult<M>> {
    this.#get(params.shell);
    const deadline = deadlineFor(limit);
    const connection = this.#options.current() ?? (await this.#connected(deadline));
    // Only a wait may end early: of anything else it would be unknown whether it was executed.
    const lifetime = method === "run" || method === "waitFor" ? limit?.lifetime : undefined;
    if (lifetime?.ended !== undefined) throw lifetime.ended;
    return connection.call(this.#options.session, method, { params, patience: remainingMs(deadline), lifetime });
  }

  /** Waits for a connection. Rejects with `shell_host_timeout` when there is none by the deadline. */
  #connected(deadline: number): Promise<HostConnection> {
    const waitMs = remainingMs(deadline);
    return withDeadline(this.#options.connected(), waitMs, () => hostUnreachable(waitMs));
  }

  /** Ends a shell that may have been started although the call timed out. */
  #abandon(id: number, connection: HostConnection): void {
    this.#abandoned.add(id);
    const params = { shell: id };
    connection.call(this.#options.session, "forget", { params, patience: "unlimited" }).then(
      () => this.#abandoned.delete(id),
      // `unknown_shell`: it was never started. Disconnected: `resume` tries again.
      (error: unknown) => {
        if (error instanceof RemoteError && error.code === "unknown_shell") this.#abandoned.delete(id);
      },
    );
  }

  /** Returns whether the shells have ended. */
  async #endAll(): Promise<boolean> {
    const { session, connected, endWithinMs, log } = this.#options;
    const withinMs = endWithinMs();
    const ended = connected().then((connection) => connection.dispose(session));
    try {
      await withDeadline(ended, withinMs, () => new Error(`not within ${withinMs / 1000} s`));
      return true;
    } catch (error) {
      log(`The shells of session ${session} could not be ended cleanly: ${String(error)}`);
      return false;
    }
  }

  #get(id: number): KeptShell {
    const shell = this.#shells.get(id);
    if (shell === undefined) throw new RemoteError("unknown_shell", `No shell has the id ${id}.`);
    return shell;
  }

  #update(id: number, change: Partial<KeptShell>): void {
    const shell = this.#shells.get(id);
    if (shell !== undefined) this.#shells.set(id, { ...shell, ...change });
  }

  #publish(event: ShellEvent): void {
    if (this.#receivers.size === 0) {
      this.#bufferedEvents.push(event);
      return;
    }
    for (const receive of this.#receivers) {
      try {
        receive(event);
      } catch (error) {
        this.#options.log(`a subscriber of shell events failed: ${String(error)}`);
      }
    }
  }
}

function withoutUndefined(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function deadlineFor({ withinMs = COMMAND_TIMEOUT_MS }: CallLimit = {}): number {
  return performance.now() + withinMs;
}

function remainingMs(deadline: number): number {
  return Math.max(1, Math.round(deadline - performance.now()));
}

function waitLimit({ timeoutMs }: { timeoutMs: number }, limit: CallLimit = {}): CallLimit {
  return { ...limit, withinMs: timeoutMs + WAIT_GRACE_MS };
}

function isTimeout(error: unknown): boolean {
  return error instanceof RemoteError && error.code === "shell_host_timeout";
}
