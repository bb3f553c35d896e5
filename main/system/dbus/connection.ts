import { connect, type Socket } from "node:net";
import { sessionBusAddress, socketsOf } from "./address.ts";
import {
  decodeMessage,
  encodeCall,
  isReply,
  isSignal,
  type MethodCall,
  messageLength,
  type ReceivedMessage,
} from "./message.ts";

export const BUS = "org.freedesktop.DBus";
const BUS_PATH = "/org/freedesktop/DBus";
const CONNECT_TIMEOUT_MS = 2_000;
const GREETING_END = "\r\n";
const LONGEST_GREETING = 4096;

/** The other program refused a call; `name` is D-Bus's name of the error. */
export class CallError extends Error {
  readonly errorName: string;

  constructor(errorName: string, message: string) {
    super(message === "" ? errorName : message);
    this.errorName = errorName;
  }
}

/** The other program did not answer in time. */
export class NoAnswerError extends Error {}

interface Pending {
  readonly resolve: (body: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** One connection to the session bus. Dispose of it, or it keeps its socket. */
export class BusConnection implements Disposable {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  readonly #signals = new Set<(signal: ReceivedMessage) => void>();
  readonly #closed = new Set<() => void>();
  #received: Buffer = Buffer.alloc(0);
  #nextSerial = 1;
  #open = true;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (piece: Buffer) => this.#receive(piece));
    socket.on("error", () => this.#end());
    socket.on("close", () => this.#end());
  }

  get open(): boolean {
    return this.#open;
  }

  /**
   * Calls a method and resolves with its return values. Rejects with a CallError when the program refuses, with a
   * NoAnswerError after `timeoutMs`, with another error when the connection ends.
   */
  call(call: MethodCall, timeoutMs: number): Promise<readonly unknown[]> {
    if (!this.#open) return Promise.reject(new Error("The session bus closed the connection."));
    const serial = this.#nextSerial++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(serial);
        reject(new NoAnswerError(`${call.destination} did not answer within ${timeoutMs / 1000} s.`));
      }, timeoutMs);
      this.#pending.set(serial, { resolve, reject, timer });
      this.#socket.write(encodeCall(call, serial, { reply: true }));
    });
  }

  /** Calls a method without waiting for a reply. */
  send(call: MethodCall): void {
    if (this.#open) this.#socket.write(encodeCall(call, this.#nextSerial++, { reply: false }));
  }

  /** Calls a method of the bus itself. */
  askBus(member: string, signature: string, body: readonly unknown[], timeoutMs: number): Promise<readonly unknown[]> {
    return this.call({ destination: BUS, path: BUS_PATH, interface: BUS, member, signature, body }, timeoutMs);
  }

  /** Receives the signals that the match rule describes; the listener sees those of other rules too. Returns an unsubscribe function. */
  onSignal(rule: string, listener: (signal: ReceivedMessage) => void): () => void {
    const match = (member: string): MethodCall => ({
      destination: BUS,
      path: BUS_PATH,
      interface: BUS,
      member,
      signature: "s",
      body: [rule],
    });
    this.send(match("AddMatch"));
    this.#signals.add(listener);
    return () => {
      if (this.#signals.delete(listener)) this.send(match("RemoveMatch"));
    };
  }

  onClose(listener: () => void): void {
    this.#closed.add(listener);
  }

  [Symbol.dispose](): void {
    this.#closed.clear();
    this.#socket.destroy();
    this.#end();
  }

  #receive(piece: Buffer): void {
    this.#received = this.#received.length === 0 ? piece : Buffer.concat([this.#received, piece]);
    try {
      for (;;) {
        const length = messageLength(this.#received);
        if (length === undefined || this.#received.length < length) return;
        const message = decodeMessage(this.#received.subarray(0, length));
        this.#received = this.#received.subarray(length);
        this.#dispatch(message);
      }
    } catch {
      // The stream cannot be resynchronized after invalid bytes.
      this.#socket.destroy();
    }
  }

  #dispatch(message: ReceivedMessage): void {
    if (isSignal(message)) {
      // Deferred until callers of earlier replies have continued.
      setImmediate(() => {
        for (const listener of [...this.#signals]) listener(message);
      });
      return;
    }
    const pending = isReply(message) ? this.#pending.get(message.replyTo ?? 0) : undefined;
    if (pending === undefined) return;
    this.#pending.delete(message.replyTo ?? 0);
    clearTimeout(pending.timer);
    if (message.error === undefined) pending.resolve(message.body);
    else pending.reject(new CallError(message.error, typeof message.body[0] === "string" ? message.body[0] : ""));
  }

  #end(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new Error("The session bus closed the connection."));
    }
    this.#pending.clear();
    this.#signals.clear();
    for (const listener of [...this.#closed]) listener();
  }
}

/** Connects to the bus of this session. Rejects with a sentence when there is none or it cannot be reached. */
export async function connectToBus(env: Readonly<Record<string, string | undefined>>): Promise<BusConnection> {
  const address = sessionBusAddress(env);
  if (address === undefined) throw new Error("this session has no D-Bus session bus");
  const sockets = socketsOf(address);
  if (sockets.length === 0) throw new Error("the session bus is not at a Unix socket");
  let last: unknown;
  for (const socket of sockets) {
    try {
      const connection = new BusConnection(await greeted(socket));
      await connection.askBus("Hello", "", [], CONNECT_TIMEOUT_MS);
      return connection;
    } catch (error) {
      last = error;
    }
  }
  throw new Error("the session bus cannot be reached", { cause: last });
}

/** Opens the socket and authenticates as this user (D-Bus specification, "Authentication Protocol"). */
function greeted(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    const fail = (reason: string) => {
      socket.destroy();
      reject(new Error(reason));
    };
    let said = "";
    const hear = (piece: Buffer) => {
      said += piece.toString("latin1");
      if (said.length > LONGEST_GREETING) fail("the bus does not greet");
      if (!said.includes(GREETING_END)) return;
      if (!said.startsWith("OK ")) return fail("the bus does not accept this user");
      socket.off("data", hear);
      socket.setTimeout(0);
      socket.removeAllListeners("timeout").removeAllListeners("error").removeAllListeners("close");
      socket.write("BEGIN\r\n");
      // The socket does not keep the process running; a pending call has a timer.
      socket.unref();
      resolve(socket);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => fail("the bus does not answer"));
    socket.once("error", (error) => fail(error.message));
    socket.once("close", () => fail("the bus closed the connection"));
    socket.on("data", hear);
    const user = Buffer.from(String(process.getuid?.() ?? 0)).toString("hex");
    socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
  });
}
