import { RemoteError } from "../../core/protocol/errors.ts";
import type { KeptShell } from "../shells/kept-shell.ts";
import type { ShellEvent, ShellHost, SpawnOptions } from "../shells/shell-host.ts";
import type { CallName, CallParams, CallResult } from "./calls.ts";
import type { HostConnection } from "./host-connection.ts";
import { HostedListener } from "./hosted-listener.ts";

interface Parts {
  readonly session: string;
  /** Undefined while there is none: no host was needed yet, or it is being looked for. */
  readonly current: () => HostConnection | undefined;
  /** Waits for one, or starts a host. */
  readonly connected: () => Promise<HostConnection>;
  /** Whether the shells are to be left running when their session is closed. */
  readonly keeping: () => boolean;
  /** What shells inherit. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (message: string) => void;
}

/** The shells of one session, held by the host process: ShellHost over a connection. */
export class HostedSession implements ShellHost {
  readonly #parts: Parts;
  readonly #known = new Map<number, KeptShell>();
  readonly #listeners = new Set<HostedListener>();
  readonly #receivers = new Set<(event: ShellEvent) => void>();
  /** What happened before anybody could hear it: the relay is still starting. */
  #unheard: ShellEvent[] = [];

  constructor(parts: Parts, kept: readonly KeptShell[]) {
    this.#parts = parts;
    for (const shell of kept) this.#known.set(shell.id, shell);
  }

  async spawn(wish: SpawnOptions): Promise<{ pid: number; command: string; cwd: string }> {
    const { id, cols, rows } = wish;
    const connection = await this.#parts.connected();
    // Before the answer: its end may come with it.
    this.#known.set(id, { id, cols, rows, pid: 0, command: "", title: "", cwd: "", process: null, exit: null });
    try {
      const inherit = given(wish.inherit ?? this.#parts.environment);
      const spawned = await connection.call(this.#parts.session, "spawn", { ...wish, env: { ...wish.env }, inherit });
      this.#change(id, spawned);
      return spawned;
    } catch (error) {
      this.#known.delete(id);
      throw error;
    }
  }

  async write(id: number, data: Uint8Array | string): Promise<void> {
    if (this.#find(id).exit !== null) {
      throw new RemoteError("shell_exited", `Shell ${id} has ended and takes no more input; create another one.`);
    }
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    const connection = this.#parts.current() ?? (await this.#parts.connected());
    connection.write(this.#parts.session, id, bytes);
  }

  paste = (id: number, text: string) => this.#call(id, "paste", { shell: id, text });

  async resize(id: number, cols: number, rows: number): Promise<void> {
    await this.#call(id, "resize", { shell: id, cols, rows });
    this.#change(id, { cols, rows });
  }

  close = (id: number) => this.#call(id, "close", { shell: id });

  async forget(id: number): Promise<void> {
    await this.#call(id, "forget", { shell: id });
    this.#known.delete(id);
  }

  read: ShellHost["read"] = (id, options = {}) => this.#call(id, "read", { shell: id, ...options });
  screen = (id: number) => this.#call(id, "screen", { shell: id });
  snapshot: ShellHost["snapshot"] = (id, scrollbackRows) =>
    this.#call(id, "snapshot", { shell: id, ...(scrollbackRows === undefined ? {} : { scrollbackRows }) });
  type = (id: number, line: string) => this.#call(id, "type", { shell: id, line });
  run: ShellHost["run"] = (id, line, options) => this.#call(id, "run", { shell: id, line, ...options });
  waitFor: ShellHost["waitFor"] = (id, options) => this.#call(id, "waitFor", { shell: id, ...options });
  info = (id: number) => this.#call(id, "info", { shell: id });

  listen: ShellHost["listen"] = (id, options) => {
    this.#find(id);
    const listener: HostedListener = new HostedListener(id, options, () => this.#listeners.delete(listener));
    this.#listeners.add(listener);
    const connection = this.#parts.current();
    // Without one it begins when there is one again.
    if (connection !== undefined) listener.streamOver(connection, this.#parts.session);
    return listener;
  };

  list = () => [...this.#known.values()];
  has = (id: number) => this.#known.has(id);

  onEvent(receive: (event: ShellEvent) => void): () => void {
    this.#receivers.add(receive);
    queueMicrotask(() => {
      for (const event of this.#unheard.splice(0)) this.#tell(event);
    });
    return () => void this.#receivers.delete(receive);
  }

  /** Ends all shells; or leaves them, when the relay stops and they are to live on. */
  async dispose(): Promise<void> {
    if (!this.#parts.keeping() && this.#known.size > 0) {
      const connection = await this.#parts.connected();
      await connection.call(this.#parts.session, "dispose", {});
      this.#known.clear();
    }
    this.#receivers.clear();
    for (const listener of [...this.#listeners]) listener.stop();
  }

  /** The host has told something. */
  heard(event: ShellEvent): void {
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
    for (const shell of kept) this.#known.set(shell.id, shell);
    for (const { id, exit } of before) {
      const now = this.#known.get(id);
      if (now === undefined) this.#tell({ kind: "lost", id });
      else if (exit === null && now.exit !== null) this.#tell({ kind: "exited", id, ...now.exit });
    }
    for (const listener of this.#listeners) {
      if (this.has(listener.shell)) listener.streamOver(connection, this.#parts.session);
    }
  }

  /** The host has ended, and everything in it. Answers the shells that were running. */
  lost(): number[] {
    const ids = this.list().flatMap(({ id, exit }) => (exit === null ? [id] : []));
    this.#known.clear();
    this.#listeners.clear();
    for (const id of ids) this.#tell({ kind: "lost", id });
    return ids;
  }

  async #call<M extends CallName>(id: number, method: M, params: CallParams<M>): Promise<CallResult<M>> {
    return (await this.#reach(id)).call(this.#parts.session, method, params);
  }

  #reach(id: number): HostConnection | Promise<HostConnection> {
    this.#find(id);
    return this.#parts.current() ?? this.#parts.connected();
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

function given(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
