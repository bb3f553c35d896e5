import { setTimeout as delay } from "node:timers/promises";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellHost, ShellHostControl, ShellHostStatus } from "../../../core/protocol/shell-host.ts";
import { processStart } from "../../system/processes/process-start.ts";
import { withDeadline } from "../../system/with-deadline.ts";
import { endSession, killSession } from "../end-session.ts";
import { endHostAt, HostConnection, HostRefusal } from "./host-connection.ts";
import { hungHost, RECOVERY } from "./host-faults.ts";
import { type HostFile, readHostFile } from "./host-file.ts";
import { HostedSession } from "./hosted-session.ts";
import { killHost, livingHost } from "./living-host.ts";
import { ENDING } from "./protocol.ts";
import { type HostCommand, startHostProcess } from "./start-host-process.ts";

export interface HostPlaces {
  /** Where the host says that it runs. */
  readonly file: string;
  readonly socket: string;
  readonly integration: string;
  /** What the host prints when something fails. */
  readonly errors: string;
}

export interface HostedShellsOptions {
  readonly places: HostPlaces;
  readonly command: HostCommand;
  /** What shells inherit; default: the environment of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly log: { warn(message: string): void; error(message: string): void };
  /**
   * Called when another relay has taken the shells over. The shells are not told as lost: they run on, and a relay that
   * wrote their end into the store that it shares with the other one would be wrong.
   */
  readonly dismissed?: () => void;
  /** Told with a sentence when the host hangs, and with undefined when it does no more, or is gone. */
  readonly onHung?: (trouble: string | undefined) => void;
}

const END_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** The relay ends within 5 s whatever the host does; what is left is for the rest of its end. */
const CLOSE_MS = 4000;

/**
 * The shells of a data folder, held by a process that outlives this one. It is started with the first shell, found
 * again by the next relay, and looked for again when the connection is cut; when it has ended, its shells are told as
 * lost and the next shell starts another.
 */
export class HostedShells implements ShellHostControl {
  readonly #options: HostedShellsOptions;
  readonly #sessions = new Map<string, HostedSession>();
  #connection: HostConnection | undefined;
  #connecting: Promise<HostConnection> | undefined;
  /** The end of a host that a relay was stopping when it was killed: the next one needs its socket. */
  #ended: Promise<void> | undefined;
  #host: HostFile | undefined;
  #keeping = false;
  #closing = false;
  #closeBy: number | undefined;

  private constructor(options: HostedShellsOptions) {
    this.#options = options;
  }

  /** Finds the host of the last run, when there is one. Never rejects: a host that is of no use is ended. */
  static async open(options: HostedShellsOptions): Promise<HostedShells> {
    const shells = new HostedShells(options);
    const host = livingHost(options.places.file);
    if (host !== undefined) {
      await shells.#connect(host).catch((error: unknown) => shells.#giveUp(host, error));
    }
    return shells;
  }

  /** The shells of a session. */
  hostFor(session: string): ShellHost {
    return this.#session(session);
  }

  /** Ends the shells of sessions that are not among these: they were removed, and nobody could reach them. */
  async endOthers(sessions: readonly string[]): Promise<void> {
    const strangers = [...this.#sessions].filter(([id]) => !sessions.includes(id));
    for (const [id, session] of strangers) {
      this.#sessions.delete(id);
      await session.dispose();
    }
  }

  /** From now on closing a session, and `close`, leave its shells running, for the next relay. */
  keep(): void {
    this.#keeping = true;
  }

  /** From now on all ends soon: a host that does not end its shells in order is killed with them by `close`. */
  prepareClose(): void {
    this.#closeBy ??= performance.now() + CLOSE_MS;
  }

  /** Ends the host with all shells; or leaves it, after `keep`. Takes little more than 4 s from `prepareClose` on. */
  async close(): Promise<void> {
    this.prepareClose();
    this.#closing = true;
    try {
      await withDeadline(this.#closeInOrder(), this.#endWithinMs(), () => new Error("it did not end in time"));
    } catch (error) {
      const { log } = this.#options;
      log.error(
        this.#keeping
          ? `The process that holds the shells was left as it is, with its shells: ${String(error)}`
          : `The process that holds the shells was killed, with its shells: ${String(error)}`,
      );
      if (!this.#keeping) await this.#kill(killSession);
      this.#connection?.cut();
    }
  }

  status(): ShellHostStatus {
    const connection = this.#connection;
    if (connection === undefined) {
      return { state: this.#connecting === undefined ? "none" : "starting", pid: null, silentMs: 0 };
    }
    const { pid, hung, silentMs } = connection;
    return { state: hung ? "hung" : "running", pid, silentMs };
  }

  /** Ends the host with all its shells, whether it answers or not, and starts another. Resolves when that is there. */
  async restart(): Promise<void> {
    await this.#kill(endSession);
    await this.#connected();
  }

  async #closeInOrder(): Promise<void> {
    const connection = this.#connection ?? (await this.#connecting?.catch(() => undefined));
    if (this.#keeping) await connection?.leave();
    else await connection?.endHost();
  }

  /** Kills the host, then ends what ran in its terminals and outlives the hangup that this is to them. */
  async #kill(end: (shell: number) => Promise<void>): Promise<void> {
    const pids = [...this.#sessions.values()].flatMap((session) => session.running().map(({ pid }) => pid));
    const connection = this.#connection;
    const host = this.#host;
    if (host !== undefined) killHost(host);
    await connection?.closed;
    if (process.platform !== "win32") await Promise.all(pids.filter((pid) => pid > 0).map(end));
  }

  /** What is left for the end of all shells. A host that hangs already is not waited for when the relay ends. */
  #endWithinMs(): number {
    if (this.#closeBy === undefined) return END_MS;
    return this.#connection?.hung === true ? 1 : Math.max(1, Math.round(this.#closeBy - performance.now()));
  }

  #session(id: string): HostedSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const kept = this.#connection?.kept.find(({ session }) => session === id)?.shells ?? [];
    const { environment = process.env, log } = this.#options;
    const session = new HostedSession(
      {
        session: id,
        environment,
        current: () => this.#connection,
        connected: () => this.#connected(),
        keeping: () => this.#keeping,
        endWithinMs: () => this.#endWithinMs(),
        log: (message) => log.warn(message),
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
    const { command, places, log } = this.#options;
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
      const sentence = "The process that holds the shells could not be started; Patchbay's log says why.";
      throw new RemoteError("spawn_failed", sentence, { cause });
    }
  }

  async #connect(host: HostFile): Promise<HostConnection> {
    const connection: HostConnection = await HostConnection.open(host, {
      event: (session, event) => this.#session(session).heard(event),
      closed: (reason, dismissed) => this.#cut(reason, dismissed),
      hung: (pid) => this.#hung(pid, connection.silentMs),
      recovered: (pid, silentMs) => {
        this.#options.log.warn(`The process that holds the shells (${pid}) answers again, after ${silentMs} ms.`);
        this.#options.onHung?.(undefined);
      },
    });
    this.#connection = connection;
    this.#host = host;
    for (const { session, shells } of connection.kept) this.#session(session).resume(connection, shells);
    for (const [id, session] of this.#sessions) {
      if (!connection.kept.some((kept) => kept.session === id)) session.resume(connection, []);
    }
    return connection;
  }

  #hung(pid: number, silentMs: number): void {
    const sentence = `${hungHost(pid, silentMs)} ${RECOVERY}`;
    this.#options.log.error(sentence);
    this.#options.onHung?.(sentence);
  }

  #cut(reason: string, dismissed: boolean): void {
    if (this.#connection?.hung === true) this.#options.onHung?.(undefined);
    this.#connection = undefined;
    if (this.#closing) return;
    if (dismissed) {
      // To come back would take the shells away from whoever has them now.
      this.#closing = true;
      const { dismissed } = this.#options;
      if (dismissed === undefined) this.#tellLost(reason);
      else dismissed();
      return;
    }
    this.#connecting = this.#findAgain(reason).finally(() => {
      this.#connecting = undefined;
    });
    // Whoever needs it waits for it; to find nothing is an answer too.
    this.#connecting.catch(() => undefined);
  }

  async #findAgain(reason: string): Promise<HostConnection> {
    const host = livingHost(this.#options.places.file);
    try {
      if (host !== undefined) return await this.#connect(host);
    } catch (error) {
      if (host !== undefined) await this.#giveUp(host, error);
    }
    this.#tellLost(reason);
    return this.#start();
  }

  #tellLost(reason: string): void {
    const lost = [...this.#sessions].flatMap(([id, session]) => {
      const ids = session.lost();
      return ids.length === 0 ? [] : [`${ids.join(", ")} of session ${id}`];
    });
    const ended = lost.length === 0 ? "no shell was running" : `with it ended shells ${lost.join("; ")}`;
    this.#options.log.error(`The process that held the shells is gone (${reason}): ${ended}.`);
  }

  /** A host that cannot be used must not go on holding shells that nobody can reach. */
  async #giveUp(host: HostFile, error: unknown): Promise<void> {
    const { log } = this.#options;
    if (error instanceof HostRefusal && error.message === ENDING) {
      this.#ended = untilEnded(host);
      return;
    }
    if (error instanceof HostRefusal) {
      log.warn(`The shells are held by another version of Patchbay (${error.message}), so they had to end.`);
      await endHostAt(host, END_MS);
    } else log.warn(`The process that holds the shells cannot be used, so it was ended: ${String(error)}`);
    killHost(host);
  }
}

/** Resolves when the host has ended; after 10 s it is killed. */
async function untilEnded(host: HostFile): Promise<void> {
  const deadline = performance.now() + END_MS;
  while (processStart(host.pid) === host.startedAt) {
    if (performance.now() > deadline) killHost(host);
    await delay(LOOK_EVERY_MS);
  }
}
