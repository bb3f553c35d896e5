import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { quantileOf } from "./median.ts";

export interface HttpTarget {
  readonly port: number;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadFigures {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * Sends the same request repeatedly over several connections; each connection waits for the answer before the next
 * request. Uses bare sockets, because Node's HTTP client costs more than the measured servers. Rejects at the first
 * answer that is not 200.
 */
export async function loadOn(target: HttpTarget, connections: number, seconds: number): Promise<LoadFigures> {
  const lines = await Promise.all(Array.from({ length: connections }, () => HttpLine.open(target)));
  try {
    const times: number[] = [];
    const startedAt = performance.now();
    const end = startedAt + seconds * 1000;
    await Promise.all(lines.map((line) => line.repeat(end, times)));
    const took = (performance.now() - startedAt) / 1000;
    return { perSecond: times.length / took, p50: quantileOf(times, 0.5), p99: quantileOf(times, 0.99) };
  } finally {
    for (const line of lines) line.close();
  }
}

/** A persistent connection. */
export class HttpLine {
  readonly #socket: Socket;
  readonly #request: Buffer;
  #received: Buffer[] = [];
  #length = 0;
  #waiting: { settle: (answer: Answer) => void; fail: (error: Error) => void } | undefined;

  private constructor(socket: Socket, request: Buffer) {
    this.#socket = socket;
    this.#request = request;
    socket.setNoDelay(true);
    socket.on("data", (piece) => this.#take(piece));
    socket.on("error", (error) => this.#waiting?.fail(error));
    socket.on("close", () => this.#waiting?.fail(new Error("the server closed the connection")));
  }

  static async open(target: HttpTarget): Promise<HttpLine> {
    const socket = connect(target.port, "127.0.0.1");
    await once(socket, "connect");
    return new HttpLine(socket, requestOf(target));
  }

  /** Sends the request and resolves with the answer. Call it for one request at a time. */
  send(): Promise<Answer> {
    return new Promise((settle, fail) => {
      this.#waiting = { settle, fail };
      this.#socket.write(this.#request);
    });
  }

  /** Repeats the request until `end` (by `performance.now()`) and adds the milliseconds of each answer to `times`. */
  async repeat(end: number, times: number[]): Promise<void> {
    for (let before = performance.now(); before < end; before = performance.now()) {
      const { status, body } = await this.send();
      if (status !== 200) throw new Error(`${status} ${body}`);
      times.push(performance.now() - before);
    }
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    this.#received.push(piece);
    this.#length += piece.length;
    const whole = this.#received.length === 1 ? piece : Buffer.concat(this.#received, this.#length);
    const answer = answerIn(whole);
    if (answer === undefined) return;
    this.#received = [];
    this.#length = 0;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.settle(answer);
  }
}

/** Returns undefined until the answer is complete. */
function answerIn(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = bytes.toString("latin1", 0, headEnd);
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new Error(`an answer without its length:\n${head}`);
  const end = headEnd + 4 + Number(length);
  if (bytes.length < end) return undefined;
  return { status: Number(head.slice(9, 12)), body: bytes.toString("utf8", headEnd + 4, end) };
}

function requestOf({ port, method, path, headers = {}, body }: HttpTarget): Buffer {
  const all: Readonly<Record<string, string>> = {
    Host: `127.0.0.1:${port}`,
    ...headers,
    ...(body === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`);
}
