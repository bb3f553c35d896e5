import { readFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { ResponseReader } from "./response-reader.ts";

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
