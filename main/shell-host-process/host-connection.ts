import { connect, type Socket } from "node:net";
import { RemoteError, unreachable } from "../../core/protocol/errors.ts";
import type { ListenerFrame, ListenerOptions } from "../shells/flow-control.ts";
import type { ShellEvent } from "../shells/shell-host.ts";
import { type CallName, type CallParams, type CallResult, calls } from "./calls.ts";
import type { Frame } from "./frame.ts";
import { type FrameSocket, frameSocket } from "./frame-socket.ts";
import type { HostFile } from "./host-file.ts";
import { type Hello, HostMessage, type KeptSession, PROTOCOL_VERSION, type RelayMessage } from "./protocol.ts";

/** The host speaks another version of the protocol, or has been taken over by another relay. */
export class HostRefusal extends Error {
  override readonly name = "HostRefusal";
}

export interface ConnectionEvents {
  event(session: string, event: ShellEvent): void;
  /** Called once, when it is down, whoever cut it; `dismissed`: the host wants nothing more of this relay. */
  closed(reason: string, dismissed: boolean): void;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const WELCOME_MS = 10_000;
/** So much is worked off before the host hears of it, so that typing costs no messages; never more than the window has. */
const ACK_BYTES = 32 * 1024;

/**
 * The relay's end of a connection to the host process. Calls that are under way when it goes down are rejected with
 * `shells_unreachable`: whether they were done is not known.
 */
export class HostConnection {
  /** What the host held when it was greeted. */
  readonly kept: readonly KeptSession[];
  readonly pid: number;
  readonly #wire: FrameSocket;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<number, (frame: ListenerFrame) => void>();
  readonly #closed: Promise<void>;
  #acks = new Map<number, number>();
  #nextId = 1;
  #isDown = false;

  private constructor(wire: FrameSocket, welcome: HostMessage & { type: "welcome" }, closed: Promise<void>) {
    this.#wire = wire;
    this.kept = welcome.sessions;
    this.pid = welcome.pid;
    this.#closed = closed;
  }

  /** Greets the host. Rejects with a HostRefusal, or with an Error when nobody answers there in 10 s. */
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
        const message = HostMessage.parse(head);
        if (message.type === "refused") {
          refusal = message.reason;
          socket.destroy();
        } else if (connection !== undefined) connection.#receive(message, tail, events);
        else if (message.type === "welcome") {
          clearTimeout(late);
          connection = new HostConnection(wire, message, closed);
          resolve(connection);
        }
      };
      const wire = frameSocket(socket, {
        receive,
        closed(reason = "the connection was closed") {
          clearTimeout(late);
          down();
          if (connection === undefined) reject(refusal === undefined ? new Error(reason) : new HostRefusal(refusal));
          else connection.#down(refusal ?? reason, refusal !== undefined, events);
        },
      });
      sendWhenOpen(socket, wire, { type: "hello", protocol: PROTOCOL_VERSION, secret: host.secret });
    });
  }

  async call<M extends CallName>(session: string, method: M, params: CallParams<M>): Promise<CallResult<M>> {
    const answer = await this.#ask((id) => this.#send({ type: "call", id, session, method, params }));
    return calls[method].result.parse(answer) as CallResult<M>;
  }

  /** Hands bytes over to the host; from then on they reach the shell even if this process is killed. */
  write(session: string, shell: number, data: Uint8Array): void {
    if (this.#isDown) throw unreachableShells();
    this.#wire.send({ type: "write", session, shell } satisfies RelayMessage, data);
  }

  /** Starts a stream of output; the options are those of ShellHost. */
  listen(
    session: string,
    shell: number,
    { from, window, deliver }: ListenerOptions,
  ): { ack(bytes: number): void; stop(): void } {
    const listener = this.#nextId++;
    const due = Math.min(window / 4, ACK_BYTES);
    let unacked = 0;
    this.#listeners.set(listener, deliver);
    this.#send({ type: "listen", listener, session, shell, from, window });
    return {
      ack: (bytes) => {
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

  /** Has the host end all shells and itself; resolves when it has. */
  async endHost(): Promise<void> {
    this.#send({ type: "end" });
    await this.#closed;
  }

  /** Leaves the host alone with its shells. */
  async leave(): Promise<void> {
    this.#wire.end();
    await this.#closed;
  }

  #ask(send: (id: number) => void): Promise<unknown> {
    if (this.#isDown) return Promise.reject(unreachableShells());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      send(id);
    });
  }

  /** All that is worked off in one turn goes in one message. */
  #ack(listener: number, bytes: number): void {
    if (this.#acks.size === 0) queueMicrotask(() => this.#sendAcks());
    this.#acks.set(listener, (this.#acks.get(listener) ?? 0) + bytes);
  }

  #sendAcks(): void {
    const acks = [...this.#acks].filter(([listener]) => this.#listeners.has(listener));
    this.#acks.clear();
    if (acks.length > 0) this.#send({ type: "ack", acks });
  }

  #receive(message: HostMessage, tail: Buffer, { event }: ConnectionEvents): void {
    switch (message.type) {
      case "done":
        this.#settle(message.id)?.resolve(message.result);
        break;
      case "failed":
        this.#settle(message.id)?.reject(new RemoteError(message.code, message.message));
        break;
      case "event":
        event(message.session, message.event);
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

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  /** A listener that throws hears nothing more; the others never notice. */
  #deliver(to: readonly number[], frame: ListenerFrame): void {
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

  #down(reason: string, dismissed: boolean, { closed }: ConnectionEvents): void {
    this.#isDown = true;
    for (const { reject } of this.#pending.values()) reject(unreachableShells());
    this.#pending.clear();
    this.#listeners.clear();
    closed(reason, dismissed);
  }
}

/** Tells a host of whatever version to end all its shells and itself; resolves when it has, or after that time. */
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

export function unreachableShells(): RemoteError {
  return new RemoteError(
    "shells_unreachable",
    "The process that holds the shells was cut off while it did this: look at the shell before you try again.",
  );
}
