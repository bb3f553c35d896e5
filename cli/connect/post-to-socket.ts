import { readFileSync, writeSync } from "node:fs";
import { connect } from "node:net";

/** Exit codes of curl with `--fail`, which bin/service expects. */
const NOT_CONNECTED = 7;
const DECLINED = 22;
const UNWRITABLE = 23;
const TIMED_OUT = 28;
const INCOMPLETE = 52;
const STDIN = 0;
const STDOUT = 1;

/**
 * Replaces curl for bin/service where curl is missing: posts stdin to the relay's socket and writes the response body to
 * stdout. Without Node's HTTP client, to start sooner; HTTP/1.0, whose responses are not chunked.
 */
function post(socket: string, patienceSeconds: number): void {
  const body = readFileSync(STDIN);
  const connection = connect(socket);
  const answer = new ResponseReader();
  let connected = false;
  connection.setTimeout(patienceSeconds * 1000, () => process.exit(TIMED_OUT));
  connection.on("connect", () => {
    connected = true;
  });
  const fail = () => process.exit(connected ? INCOMPLETE : NOT_CONNECTED);
  connection.on("error", fail);
  // Node's own exit code would mean that nothing was sent.
  process.on("uncaughtException", fail);
  connection.on("data", (piece: Buffer) => {
    try {
      writeAll(answer.take(piece));
    } catch {
      process.exit(UNWRITABLE);
    }
  });
  connection.on("end", () => process.exit(answer.isDeclined ? DECLINED : answer.isComplete ? 0 : INCOMPLETE));
  connection.write(`POST / HTTP/1.0\r\nHost: patchbay\r\nContent-Length: ${body.length}\r\n\r\n`);
  connection.write(body);
}

/** Strips the headers of a response, and knows by the line before the output whether it is complete. */
class ResponseReader {
  #head: Buffer | undefined = Buffer.alloc(0);
  /** The relay refused the request and executed nothing. */
  isDeclined = false;
  /** The lines before the output; undefined once the output has begun. */
  #lines: string | undefined = "";
  #missing = Number.POSITIVE_INFINITY;

  /** Whether the last byte was received. */
  get isComplete(): boolean {
    return this.#missing === 0;
  }

  /** Returns the part of this piece that belongs to the body. */
  take(piece: Buffer): Buffer {
    const body = this.#head === undefined ? piece : this.#withoutHead(Buffer.concat([this.#head, piece]));
    this.#count(body);
    return body;
  }

  #withoutHead(bytes: Buffer): Buffer {
    const end = bytes.indexOf("\r\n\r\n");
    this.#head = end === -1 ? bytes : undefined;
    if (end === -1) return Buffer.alloc(0);
    this.isDeclined = /^HTTP\/1\.\d [45]\d\d /.test(bytes.toString("latin1", 0, end));
    return bytes.subarray(end + 4);
  }

  #count(body: Buffer): void {
    if (this.#lines === undefined) {
      this.#missing -= body.length;
      return;
    }
    this.#lines += body.toString("latin1");
    const line = /^(?:\. .*\n)*\d+ (\d+) .*\n/.exec(this.#lines);
    if (line === null) return;
    this.#missing = Number(line[1]) - (this.#lines.length - line[0].length);
    this.#lines = undefined;
  }
}

function writeAll(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(STDOUT, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      // The reader is slow, and the pipe is non-blocking.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

post(process.argv[2] ?? "", Number(process.argv[3]));
