import { readFileSync, writeSync } from "node:fs";
import { connect } from "node:net";

/** As curl's, which bin/patchbay knows: nobody listens, the answer was cut short, the output cannot be written. */
const [NOBODY_LISTENS, CUT_SHORT, UNWRITABLE] = [7, 52, 23];
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;

post(process.argv[2] ?? "");

/**
 * Does for bin/patchbay what curl does where there is one: posts stdin to the relay's socket, and writes the answer to
 * stdout, its status and the headers `x-exit` and `x-err` to stderr. Less of Node than an HTTP client, to start sooner.
 */
function post(socket: string): void {
  const body = readFileSync(STDIN);
  const pieces: Buffer[] = [];
  const connection = connect(socket);
  let connected = false;
  connection.on("connect", () => {
    connected = true;
  });
  connection.on("error", () => process.exit(connected ? CUT_SHORT : NOBODY_LISTENS));
  connection.on("data", (piece: Buffer) => pieces.push(piece));
  connection.on("end", () => process.exit(pass(Buffer.concat(pieces))));
  connection.write(`POST / HTTP/1.1\r\nHost: patchbay\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
  connection.write(body);
}

/** Writes the answer; answers the exit code. */
function pass(answer: Buffer): number {
  const end = answer.indexOf("\r\n\r\n");
  if (end === -1) return CUT_SHORT;
  const [status = "", ...lines] = answer.toString("latin1", 0, end).split("\r\n");
  const header = (name: string) =>
    lines.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
  const body = answer.subarray(end + 4);
  const code = status.split(" ")[1];
  if (code === "200" && body.length < Number(header("content-length"))) return CUT_SHORT;
  try {
    if (code === "200") writeAll(STDOUT, body);
  } catch {
    return UNWRITABLE;
  }
  writeAll(STDERR, Buffer.from(`${code} ${header("x-exit")} ${header("x-err")}`));
  return 0;
}

function writeAll(handle: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(handle, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      // The reader is slow, and somebody has set the pipe not to wait.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
