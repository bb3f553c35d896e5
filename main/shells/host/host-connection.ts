import { connect, type Socket } from "node:net";
import { RemoteError, unreachable } from "../../../core/protocol/errors.ts";
import {
  FlushedState,
  type FlushOptions,
  type RecordingOptions,
  RecordingState,
} from "../../../core/protocol/history.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import {
  type InputResult,
  type OutputFrame,
  type OutputSubscription,
  type ShellCall,
  type ShellCallParams,
  type ShellCallResult,
  type ShellEvent,
  type SubscribeOptions,
  shellCallSchemas,
  WriteResult,
} from "../../../core/protocol/shell-host.ts";
import { INPUT_LIMIT_BYTES } from "../input-queue.ts";
import { decodeInTurns } from "../utf8.ts";
import { type Frame, LONG_BYTES } from "./frame.ts";
import { type FrameSocket, frameSocket } from "./frame-socket.ts";
import { Heartbeat } from "./heartbeat.ts";
import { callTimedOut, hostNotReading, shellsUnreachable } from "./host-errors.ts";
import type { HostFile } from "./host-file.ts";
import { type CallTimeout, PendingCalls } from "./pending-calls.ts";
import {
  type Hello,
  type HostMessage,
  type KeptSession,
  PROTOCOL_VERSION,
  parseHostMessage,
  type RelayMessage,
} from "./protocol.ts";

/** The host uses another protocol version, or another relay has taken it over. */
export class HostRefusal extends Error {
  override readonly name = "HostRefusal";
}

interface ConnectionEvents {
  event(session: string, event: ShellEvent): void;
  /** Called once, when the connection is closed by either side; `dismissed`: the host has refused this relay. */
  closed(reason: string, dismissed: boolean): void;
  /** The host has been silent for 5 s. Called once until it recovers or the connection closes. */
  hung(pid: number): void;
  recovered(pid: number, silentMs: number): void;
  /** Whether the history can be written: a sentence if not. */
  history(trouble: string | null): void;
}

const WELCOME_MS = 10_000;
/**
 * Acknowledgements are sent once they add up to this, so that typing costs no messages; never more than the window has.
 */
const ACK_BYTES = 32 * 1024;

/**
 * The relay's end of a connection to the shell host. When it closes, calls in progress are rejected with
 * `shells_unreachable`; calls not answered in time are rejected with `shell_host_timeout`. In both cases it is unknown
 * whether they were executed.
 */
export class HostConnection {
  /** The shells that the host held when the connection was opened. */
  readonly kept: readonly KeptSession[];
  readonly pid: number;
  /** Whether the host can record a history; hosts of earlier versions cannot. */
  readonly records: boolean;
  /** Whether waits can be ended; hosts of earlier versions let them run into their timeouts. */
  readonly #cancels: boolean;
  readonly #wire: FrameSocket;
  readonly #pending = new PendingCalls();
  readonly #heartbeat: Heartbeat;
  readonly #listeners = new Map<number, (frame: OutputFrame) => void>();
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  #acks = new Map<number, number>();
  #nextId = 1;
  #closed = false;

  private constructor(
    wire: FrameSocket,
    welcome: HostMessage & { type: "welcome" },
    { closed, events }: { closed: Promise<void>; events: ConnectionEvents },
  ) {
    this.#wire = wire;
    this.kept = welcome.sessions;
    this.pid = welcome.pid;
    this.#cancels = welcome.cancels === true;
    this.records = welcome.records === true;
    this.closed = closed;
    this.#heartbeat = new Heartbeat({
      ping: () => this.#send({ type: "ping" }),
      hung: () => events.hung(this.pid),
      recovered: (silentMs) => events.recovered(this.pid, silentMs),
    });
  }

  /** Whether the host has been silent for 5 s or more. */
  get hung(): boolean {
    return this.#heartbeat.hung;
  }

  /** Milliseconds for which the host has owed an answer. */
  get silentMs(): number {
    return this.#heartbeat.silentMs;
  }

  /** Connects to the host. Rejects with a HostRefusal, or with an Error when there is no answer within 10 s. */
  static open(host: HostFile, events: ConnectionEvents): Promise<HostConnection> {
    return new Promise((resolve, reject) => {
      let connection: HostConnection | undefined;
      let down: () => void = () => undefined;
      const closed = new Promise<void>((done) => {
        down = done;
      });
      const socket = connect(host.socket);
      const late = setTimeout(() => socket.destroy(new Error("it does not answer")), WELCOME_MS);
      let refusal: string | undefined;
      const receive = ({ head, tail }: Frame) => {
        const message = parseHostMessage(head);
        if (message.type === "refused") {
          refusal = message.reason;
          socket.destroy();
        } else if (connection !== undefined) connection.#receive(message, tail, events);
        else if (message.type === "welcome") {
          clearTimeout(late);
          connection = new HostConnection(wire, message, { closed, events });
          resolve(connection);
        }
      };
      const wire = frameSocket(socket, {
        receive,
        closed(reason = "the connection was closed") {
          clearTimeout(late);
          down();
          if (connection === undefined) reject(refusal === undefined ? new Error(reason) : new HostRefusal(refusal));
          else connection.#close(refusal ?? reason, refusal !== undefined, events);
        },
      });
      sendWhenOpen(socket, wire, { type: "hello", protocol: PROTOCOL_VERSION, secret: host.secret });
    });
  }

  async call<M extends ShellCall>(
    session: string,
    method: M,
    {
      params,
      patience,
      lifetime,
    }: { params: ShellCallParams<M>; patience: CallTimeout; lifetime?: Lifetime | undefined },
  ): Promise<ShellCallResult<M>> {
    let sent: number | undefined;
    const answer = this.#request(patience, (id, limit) => {
      sent = id;
      this.#send({ type: "call", id, session, method, params, tail: true, ...limit });
    });
    const release = lifetime?.onEnd((reason) => this.#cancel(sent, reason));
    try {
      return shellCallSchemas[method].result.parse(await answer);
    } finally {
      release?.();
    }
  }

  /** Ends and forgets all shells of a session. */
  async dispose(session: string): Promise<void> {
    await this.#request("unlimited", (id) => this.#send({ type: "call", id, session, method: "dispose", params: {} }));
  }

  /** Tells the host what to record. Only for a host that `records`. */
  async record(params: RecordingOptions): Promise<RecordingState> {
    return RecordingState.parse(await this.#ofAllSessions("record", params, "unlimited"));
  }

  /** Has the host write what waits. Only for a host that `records`. */
  async flush(params: FlushOptions, patience: CallTimeout): Promise<FlushedState> {
    return FlushedState.parse(await this.#ofAllSessions("flush", params, patience));
  }

  /** Writes bytes to a shell. Once the call has resolved they reach the shell even if this process is killed. */
  async write(
    session: string,
    shell: number,
    { data, patience }: { data: Uint8Array; patience: CallTimeout },
  ): Promise<InputResult> {
    const answer = await this.#request(patience, (id, limit) =>
      this.#wire.send({ type: "write", id, session, shell, ...limit } satisfies RelayMessage, data),
    );
    return WriteResult.parse(answer);
  }

  subscribe(session: string, shell: number, { from, window, deliver }: SubscribeOptions): OutputSubscription {
    const listener = this.#nextId++;
    const due = Math.min(window / 4, ACK_BYTES);
    let unacked = 0;
    this.#listeners.set(listener, deliver);
    this.#send({ type: "listen", listener, session, shell, from, window });
    return {
      acknowledge: (bytes) => {
        unacked += bytes;
        if (unacked < due) return;
        this.#ack(listener, unacked);
        unacked = 0;
      },
      stop: () => {
        if (this.#listeners.delete(listener)) this.#send({ type: "unlisten", listener });
      },
    };
  }

  /** Ends the host and all its shells; resolves when it has ended. */
  async endHost(): Promise<void> {
    this.#send({ type: "end" });
    await this.closed;
  }

  /** Disconnects and leaves the host running with its shells. */
  async leave(): Promise<void> {
    this.#wire.end();
    await this.closed;
  }

  /** Closes the connection without waiting for the host. */
  cut(): void {
    this.#wire.destroy();
  }

  #ofAllSessions(method: "record" | "flush", params: object, patience: CallTimeout): Promise<unknown> {
    return this.#request(patience, (id, limit) =>
      this.#send({ type: "call", id, session: "", method, params, ...limit }),
    );
  }

  #request(patience: CallTimeout, send: (id: number, limit: { expires?: number }) => void): Promise<unknown> {
    if (this.#closed) return Promise.reject(shellsUnreachable());
    // More data would make the socket's limit close the connection, although the shells still exist.
    if (patience !== "unlimited" && this.#wire.unread > INPUT_LIMIT_BYTES)
      return Promise.reject(hostNotReading(this.pid));
    const id = this.#nextId++;
    return this.#pending.open(id, {
      patience,
      send: (limit) => send(id, limit),
      late: () => this.#timeoutError(patience === "unlimited" ? 0 : patience),
    });
  }

  /** Rejects a call, and ends it in the host. */
  #cancel(id: number | undefined, reason: RemoteError): void {
    if (id === undefined) return;
    this.#pending.reject(id, reason);
    if (this.#cancels) this.#send({ type: "cancel", id });
  }

  #timeoutError(waitedMs: number): RemoteError {
    return callTimedOut({ pid: this.pid, waitedMs, ...(this.hung ? { silentMs: this.silentMs } : {}) });
  }

  /** Collects the acknowledgements of one turn of the event loop into one message. */
  #ack(listener: number, bytes: number): void {
    if (this.#acks.size === 0) queueMicrotask(() => this.#sendAcks());
    this.#acks.set(listener, (this.#acks.get(listener) ?? 0) + bytes);
  }

  #sendAcks(): void {
    const acks = [...this.#acks].filter(([listener]) => this.#listeners.has(listener));
    this.#acks.clear();
    if (acks.length > 0) this.#send({ type: "ack", acks });
  }

  #receive(message: HostMessage, tail: Buffer, { event, history }: ConnectionEvents): void {
    this.#heartbeat.received();
    switch (message.type) {
      case "pong":
        break;
      case "done":
        this.#pending.resolve(message.id, resultOf(message, tail));
        break;
      case "failed":
        this.#pending.reject(message.id, new RemoteError(message.code, message.message));
        break;
      case "event":
        event(message.session, message.event);
        break;
      case "history":
        history(message.trouble);
        break;
      case "output":
        this.#deliver(message.to, { kind: "output", offset: message.offset, bytes: tail });
        break;
      case "snapshot": {
        const { type: kind, to, ...rest } = message;
        this.#deliver(to, { kind, ...rest, snapshot: tail.toString("utf8") });
        break;
      }
      case "end": {
        const { type: kind, to, ...rest } = message;
        this.#deliver(to, { kind, ...rest });
        for (const listener of to) this.#listeners.delete(listener);
        break;
      }
      case "welcome":
      case "refused":
        throw new Error(`${message.type} out of turn`);
      default:
        unreachable(message);
    }
  }

  /** A subscriber that throws is unsubscribed; the others are not affected. */
  #deliver(to: readonly number[], frame: OutputFrame): void {
    for (const listener of to) {
      try {
        this.#listeners.get(listener)?.(frame);
      } catch {
        this.#listeners.delete(listener);
        this.#send({ type: "unlisten", listener });
      }
    }
  }

  #send(message: RelayMessage): void {
    this.#wire.send(message);
  }

  #close(reason: string, dismissed: boolean, { closed }: ConnectionEvents): void {
    this.#closed = true;
    this.#heartbeat[Symbol.dispose]();
    this.#pending.rejectAll(shellsUnreachable);
    this.#listeners.clear();
    closed(reason, dismissed);
  }
}

/** Asks a host of any version to end itself and all its shells; resolves when it has ended, or after `timeoutMs`. */
export function endHostAt(host: HostFile, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(host.socket);
    const late = setTimeout(() => socket.destroy(), timeoutMs);
    const closed = () => {
      clearTimeout(late);
      resolve();
    };
    const wire = frameSocket(socket, { receive: () => undefined, closed });
    sendWhenOpen(socket, wire, { type: "hello", protocol: PROTOCOL_VERSION, secret: host.secret, end: true });
  });
}

function sendWhenOpen(socket: Socket, wire: FrameSocket, hello: Hello): void {
  socket.once("connect", () => wire.send(hello));
}

/** Returns the result of a call, put together again where its output came as the tail; of a long one a promise. */
function resultOf({ result, tail }: HostMessage & { type: "done" }, bytes: Buffer): unknown {
  if (tail === undefined) return result;
  const whole = (output: string) => ({ ...(typeof result === "object" ? result : {}), output });
  return bytes.length > LONG_BYTES ? decodeInTurns(bytes).then(whole) : whole(bytes.toString());
}
