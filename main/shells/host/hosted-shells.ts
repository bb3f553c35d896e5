import { setTimeout as delay } from "node:timers/promises";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { FlushedState, FlushOptions, RecordingOptions } from "../../../core/protocol/history.ts";
import type { ShellHost, ShellHostControl, ShellHostStatus } from "../../../core/protocol/shell-host.ts";
import { processStart } from "../../system/processes/process-start.ts";
import { withDeadline } from "../../system/with-deadline.ts";
import { endSession, killSession } from "../end-session.ts";
import type { HistoryReader } from "../history/history-reader.ts";
import { endHostAt, HostConnection, HostRefusal } from "./host-connection.ts";
import { describeHungHost, RECOVERY } from "./host-errors.ts";
import { type HostFile, readHostFile } from "./host-file.ts";
import { HostedSession } from "./hosted-session.ts";
import { ENDING, type KeptSession } from "./protocol.ts";
import { findRunningHost, killHost } from "./running-host.ts";
import { type HostCommand, startHostProcess } from "./start-host-process.ts";

export interface HostPaths {
  /** The file in which the host announces itself. */
  readonly file: string;
  readonly socket: string;
  readonly integration: string;
  /** The host's error output. */
  readonly errors: string;
}

interface HostedShellsOptions {
  readonly paths: HostPaths;
  readonly command: HostCommand;
  /** The environment that shells inherit; default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly log: { warn(message: string): void; error(message: string): void };
  /**
   * Called when another relay has taken over the shells. No `lost` events are published, because the shells keep
   * running and both relays share one store.
   */
  readonly dismissed?: () => void;
  /** Called with a sentence when the host hangs, and with undefined when it recovers or is gone. */
  readonly onHung?: (trouble: string | undefined) => void;
  /** Reads what left the memory of the shell host. */
  readonly history?: HistoryReader;
  /** Called with a sentence when the history cannot be written, and with null when it can be again. */
  readonly onHistory?: (trouble: string | null) => void;
}

const END_MS = 10_000;
const POLL_MS = 50;
const FLUSH_MS = 2000;
/** The relay ends within 5 s in any case; the remainder is for the rest of its shutdown. */
const CLOSE_MS = 4000;

/**
 * The shells of a data folder, held by a process that outlives this one. The host starts with the first shell; the next
 * relay finds it again, and a lost connection is restored. When the host has ended, its shells are published as lost
 * and the next shell starts another host.
 */
export class HostedShells implements ShellHostControl {
  readonly #options: HostedShellsOptions;
  readonly #sessions = new Map<string, HostedSession>();
  #connection: HostConnection | undefined;
  #connecting: Promise<HostConnection> | undefined;
  /** Settles when a host that a killed relay was stopping has ended; the next host needs its socket. */
  #ended: Promise<void> | undefined;
  #host: HostFile | undefined;
  #keeping = false;
  #closing = false;
  #closeBy: number | undefined;
  #recording: RecordingOptions | undefined;

  private constructor(options: HostedShellsOptions) {
    this.#options = options;
  }

  /** Connects to the host of the last run, if there is one. Never rejects: an unusable host is ended. */
  static async open(options: HostedShellsOptions): Promise<HostedShells> {
    const shells = new HostedShells(options);
    const host = findRunningHost(options.paths.file);
    if (host !== undefined) {
      await shells.#connect(host).catch((error: unknown) => shells.#giveUp(host, error));
    }
    return shells;
  }

  /** The shells of the last run, by session, with those that no longer run. */
  get kept(): readonly KeptSession[] {
    return this.#connection?.kept ?? [];
  }

  /** The shells of a session. */
  hostFor(session: string): ShellHost {
    return this.#session(session);
  }

  /** Ends the shells of all other sessions, which were removed and are no longer reachable. */
  async endOthers(sessions: readonly string[]): Promise<void> {
    const strangers = [...this.#sessions].filter(([id]) => !sessions.includes(id));
    for (const [id, session] of strangers) {
      this.#sessions.delete(id);
      await session.dispose();
    }
  }

  /** From now on, closing a session and `close` leave the shells running for the next relay. */
  keep(): void {
    this.#keeping = true;
  }

  /** Starts the shutdown deadline: `close` kills a host that does not end its shells by then. */
  prepareClose(): void {
    this.#closeBy ??= performance.now() + CLOSE_MS;
  }

  /**
   * Ends the host with all shells, or leaves it running after `keep`. Takes little more than 4 s from `prepareClose`
   * on.
   */
  async close(): Promise<void> {
    this.prepareClose();
    this.#closing = true;
    try {
      await withDeadline(this.#closeInOrder(), this.#endWithinMs(), () => new Error("it did not end in time"));
    } catch (error) {
      const { log } = this.#options;
      log.error(
        this.#keeping
          ? `The shell host was left running, with its shells: ${String(error)}`
          : `The shell host was killed, with its shells: ${String(error)}`,
      );
      if (!this.#keeping) await this.#kill(killSession);
      this.#connection?.cut();
    }
  }

  /** Tells the shell host, this one and every later one, what to record. */
  async record(options: RecordingOptions): Promise<void> {
    this.#recording = options;
    const connection = this.#connection;
    if (connection?.records === true) await connection.record(options);
  }

  /** Has the shell host write what waits, within 2 s. Undefined without a shell host that records. */
  async flush(options: FlushOptions): Promise<FlushedState | undefined> {
    const connection = this.#connection;
    return connection?.records === true ? connection.flush(options, FLUSH_MS) : undefined;
  }

  status(): ShellHostStatus {
    const connection = this.#connection;
    if (connection === undefined) {
      return { state: this.#connecting === undefined ? "none" : "starting", pid: null, silentMs: 0 };
    }
    const { pid, hung, silentMs } = connection;
    return { state: hung ? "hung" : "running", pid, silentMs };
  }

  /**
   * Kills the host with all its shells, also when it hangs, and starts another. Resolves when that one is reachable.
   */
  async restart(): Promise<void> {
    await this.#kill(endSession);
    await this.#connected();
  }

  async #closeInOrder(): Promise<void> {
    const connection = this.#connection ?? (await this.#connecting?.catch(() => undefined));
    if (this.#keeping) await connection?.leave();
    else await connection?.endHost();
  }

  /** Kills the host, then ends the processes of its terminals that survive the hangup. */
  async #kill(end: (shell: number) => Promise<void>): Promise<void> {
    const pids = [...this.#sessions.values()].flatMap((session) => session.running().map(({ pid }) => pid));
    const connection = this.#connection;
    const host = this.#host;
    if (host !== undefined) killHost(host);
    await connection?.closed;
    if (process.platform !== "win32") await Promise.all(pids.filter((pid) => pid > 0).map(end));
  }

  /** The time left for ending all shells, in milliseconds. A hung host gets none when the relay ends. */
  #endWithinMs(): number {
    if (this.#closeBy === undefined) return END_MS;
    return this.#connection?.hung === true ? 1 : Math.max(1, Math.round(this.#closeBy - performance.now()));
  }

  #session(id: string): HostedSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const kept = this.#connection?.kept.find(({ session }) => session === id)?.shells ?? [];
    const { environment = process.env, log, history } = this.#options;
    const session = new HostedSession(
      {
        session: id,
        environment,
        current: () => this.#connection,
        connected: () => this.#connected(),
        keeping: () => this.#keeping,
        endWithinMs: () => this.#endWithinMs(),
        log: (message) => log.warn(message),
        history,
      },
      kept,
    );
    this.#sessions.set(id, session);
    return session;
  }

  #connected(): Promise<HostConnection> {
    if (this.#connection !== undefined) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#start().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #start(): Promise<HostConnection> {
    const { command, paths: places, log } = this.#options;
    if (this.#closing) throw new RemoteError("spawn_failed", "Patchbay is stopping and starts no more shells.");
    const words = ["--file", places.file, "--socket", places.socket, "--integration", places.integration];
    try {
      await this.#ended;
      await startHostProcess(command, words, places.errors);
      const host = readHostFile(places.file);
      if (host === undefined) throw new Error(`nothing can be read in ${places.file}`);
      return await this.#connect(host);
    } catch (cause) {
      log.error(String(cause));
      const sentence = "The shell host could not be started; Patchbay's log says why.";
      throw new RemoteError("spawn_failed", sentence, { cause });
    }
  }

  async #connect(host: HostFile): Promise<HostConnection> {
    const connection: HostConnection = await HostConnection.open(host, {
      event: (session, event) => this.#session(session).receiveEvent(event),
      closed: (reason, dismissed) => this.#disconnected(reason, dismissed),
      hung: (pid) => this.#reportHung(pid, connection.silentMs),
      recovered: (pid, silentMs) => {
        this.#options.log.warn(`The shell host (${pid}) answers again, after ${silentMs} ms.`);
        this.#options.onHung?.(undefined);
      },
      history: (trouble) => this.#options.onHistory?.(trouble),
    });
    this.#connection = connection;
    this.#host = host;
    // Before any shell starts: calls are executed in their order.
    if (this.#recording !== undefined) {
      this.record(this.#recording).catch((error: unknown) =>
        this.#options.log.warn(`The shell host records no history: ${String(error)}`),
      );
    }
    for (const { session, shells } of connection.kept) this.#session(session).resume(connection, shells);
    for (const [id, session] of this.#sessions) {
      if (!connection.kept.some((kept) => kept.session === id)) session.resume(connection, []);
    }
    return connection;
  }

  #reportHung(pid: number, silentMs: number): void {
    const sentence = `${describeHungHost(pid, silentMs)} ${RECOVERY}`;
    this.#options.log.error(sentence);
    this.#options.onHung?.(sentence);
  }

  #disconnected(reason: string, dismissed: boolean): void {
    if (this.#connection?.hung === true) this.#options.onHung?.(undefined);
    this.#options.onHistory?.(null);
    this.#connection = undefined;
    if (this.#closing) return;
    if (dismissed) {
      // Reconnecting would take the shells away from the other relay.
      this.#closing = true;
      const { dismissed } = this.#options;
      if (dismissed === undefined) this.#reportLost(reason);
      else dismissed();
      return;
    }
    this.#connecting = this.#reconnect(reason).finally(() => {
      this.#connecting = undefined;
    });
    // Callers await the promise themselves; without any, a rejection is expected.
    this.#connecting.catch(() => undefined);
  }

  async #reconnect(reason: string): Promise<HostConnection> {
    const host = findRunningHost(this.#options.paths.file);
    try {
      if (host !== undefined) return await this.#connect(host);
    } catch (error) {
      if (host !== undefined) await this.#giveUp(host, error);
    }
    this.#reportLost(reason);
    return this.#start();
  }

  #reportLost(reason: string): void {
    const lost = [...this.#sessions].flatMap(([id, session]) => {
      const ids = session.markLost();
      return ids.length === 0 ? [] : [`${ids.join(", ")} of session ${id}`];
    });
    const ended = lost.length === 0 ? "no shell was running" : `shells that ended with it: ${lost.join("; ")}`;
    this.#options.log.error(`The shell host has ended (${reason}): ${ended}.`);
  }

  /** Ends a host that cannot be used, so that it does not hold unreachable shells. */
  async #giveUp(host: HostFile, error: unknown): Promise<void> {
    const { log } = this.#options;
    if (error instanceof HostRefusal && error.message === ENDING) {
      this.#ended = waitForEnd(host);
      return;
    }
    if (error instanceof HostRefusal) {
      log.warn(`The shells belonged to another version of Patchbay (${error.message}) and were ended.`);
      await endHostAt(host, END_MS);
    } else log.warn(`The shell host is unusable and was ended: ${String(error)}`);
    killHost(host);
  }
}

/** Resolves when the host has ended. Kills it after 10 s. */
async function waitForEnd(host: HostFile): Promise<void> {
  const deadline = performance.now() + END_MS;
  while (processStart(host.pid) === host.startedAt) {
    if (performance.now() > deadline) killHost(host);
    await delay(POLL_MS);
  }
}
