import { Socket } from "node:net";
import { type FleetPeer, markFleetPeer } from "../net/fleet-peer.ts";

/** Receives the answer to a request in memory. */
export interface AnswerReceiver {
  head(status: number, headers: Readonly<Record<string, string>>): void;
  /** `done` is called once more may come. */
  data(piece: Buffer, done: () => void): void;
  /** The answer is complete, or the relay has given it up. */
  end(isComplete: boolean): void;
}

interface WrittenChunk {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}

/** Sockets take text as it is written. */
function bytesOf({ chunk, encoding }: WrittenChunk): Buffer {
  return typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
}

/** Returns the address that a request in memory comes from, in place of one of the network. */
export function addressOf(peer: FleetPeer): string {
  return `fleet ${peer.name}`;
}

const HEAD_END = "\r\n\r\n";

/** Stands for the connection of a request in memory: what is written to it is the answer, whose head is read here. */
export class AnswerSocket extends Socket {
  static {
    // A property of each socket would give each a hidden class of its own (see app-messages.ts).
    const get = function (this: AnswerSocket) {
      return this.#address;
    };
    Object.defineProperty(AnswerSocket.prototype, "remoteAddress", { get });
  }

  readonly #address: string;
  readonly #receiver: AnswerReceiver;
  #head: Buffer | undefined = Buffer.alloc(0);
  #isOver = false;

  constructor(peer: FleetPeer, receiver: AnswerReceiver) {
    super();
    this.#receiver = receiver;
    this.#address = addressOf(peer);
    markFleetPeer(this, peer);
    this.on("error", () => undefined);
  }

  complete(): void {
    this.#end(true);
    // After the stream has taken note that all was written.
    queueMicrotask(() => this.destroy());
  }

  override _read(): void {
    // The whole request was there from the start.
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#take(bytesOf({ chunk, encoding }), () => done());
  }

  /** What was written meanwhile goes in one piece, because each has a price of its own. */
  override _writev(chunks: WrittenChunk[], done: (error?: Error | null) => void): void {
    this.#take(Buffer.concat(chunks.map(bytesOf)), () => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#end(false);
    super._destroy(error, done);
  }

  #take(bytes: Buffer, done: () => void): void {
    const body = this.#head === undefined ? bytes : this.#readHead(Buffer.concat([this.#head, bytes]));
    if (body.length === 0) done();
    else this.#receiver.data(body, done);
  }

  /** Returns what follows the head. */
  #readHead(bytes: Buffer): Buffer {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      this.#head = bytes;
      return bytes.subarray(bytes.length);
    }
    this.#head = undefined;
    const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 2);
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    this.#receiver.head(Number(statusLine.slice(9, 12)), headers);
    return bytes.subarray(end + HEAD_END.length);
  }

  #end(isComplete: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#receiver.end(isComplete);
  }
}
