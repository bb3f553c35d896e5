import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { limits } from "../../../core/protocol/limits.ts";
import { RELAY_HEADER } from "../http/foreign-sessions.ts";
import { HTTP_TEXT } from "../net/send.ts";
import type { ForeignAnswer } from "./call-owner.ts";

interface ReadBody {
  readonly body: Buffer;
  /** The body is too large and left out: the relay of the session refuses it as it would refuse the whole. */
  readonly isCut: boolean;
}

/** Reads a request's body. Resolves to undefined if its caller is gone before its end. */
export function readBody(request: IncomingMessage): Promise<ReadBody | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    request.on("data", (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes <= limits.bodyBytes) return;
      request.removeAllListeners("data").resume();
      resolve({ body: Buffer.alloc(0), isCut: true });
    });
    request.once("end", () => resolve({ body: Buffer.concat(pieces), isCut: false }));
    request.once("close", () => resolve(undefined));
  });
}

/**
 * Headers that another relay may set. A browser takes its answer as this relay's own, so no other one passes: none that sets
 * cookies, leads elsewhere or lets a script serve this relay's pages, none that says where the answer ends, and none that
 * says how long it is kept: no answer of a relay is.
 */
const PASSED_BACK =
  /^(?:allow|content-encoding|retry-after|sec-websocket-(?:accept|extensions|protocol|version)|x-service-(?!relay$)[a-z-]+)$/;
/**
 * What relays answer with. Anything else is no page, no script and no picture here. Whole, since a browser takes the last
 * of several types.
 */
const DATA = /^(?:application\/json|text\/plain|text\/event-stream)(?:; ?[a-z]+=[\w.-]+)*$/;
/** Of the challenges, those of relays: for others a browser asks the user for a password. */
const CHALLENGE = /^(?:ServiceToken|Bearer) realm="patchbay"$/;

/** Returns the headers with which the answer of another relay, which may be hostile, is sent to the caller. */
function answerHeaders({ headers }: Pick<ForeignAnswer, "headers">, relay: string): Record<string, string> {
  const { "content-type": type = "", "www-authenticate": challenge = "" } = headers;
  const passed = Object.entries(headers).filter(([name, value]) => PASSED_BACK.test(name) && HTTP_TEXT.test(value));
  return {
    ...Object.fromEntries(passed),
    ...(type !== "" && { "Content-Type": DATA.test(type) ? type : "application/octet-stream" }),
    ...(CHALLENGE.test(challenge) && { "WWW-Authenticate": challenge }),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    [RELAY_HEADER]: relay,
  };
}

const SWITCHING = 101;

/** Sends the answer of another relay to the caller, at the caller's pace. */
export function passAnswer(answer: ForeignAnswer, response: ServerResponse, relay: string): void {
  const { status, body } = answer;
  if (response.destroyed || status === SWITCHING) {
    if (!Buffer.isBuffer(body)) body.destroy();
    response.destroy();
    return;
  }
  response.statusCode = status;
  for (const [name, value] of Object.entries(answerHeaders(answer, relay))) response.setHeader(name, value);
  if (Buffer.isBuffer(body)) {
    response.end(body);
    return;
  }
  response.flushHeaders();
  body.end();
  // A stream that is lost cuts the connection: its subscriber resumes after the last event, at any relay.
  pipeline(body, response, () => undefined);
}

/** Connects the caller's socket with the WebSocket at the other relay, or sends that relay's refusal. */
export function passSocket(answer: ForeignAnswer, socket: Duplex, early: Buffer, relay: string): void {
  const { status, body } = answer;
  const isOpen = status === SWITCHING && !Buffer.isBuffer(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...Object.entries(answerHeaders(answer, relay)).map(([name, value]) => `${name}: ${value}`),
    ...(isOpen ? ["Connection: Upgrade", "Upgrade: websocket"] : ["Connection: close"]),
  ];
  const head = `${lines.join("\r\n")}\r\n\r\n`;
  if (Buffer.isBuffer(body)) {
    socket.end(Buffer.concat([Buffer.from(head), body]));
    return;
  }
  if (!isOpen || socket.destroyed) {
    body.destroy();
    socket.destroy();
    return;
  }
  socket.write(head);
  if (early.length > 0) socket.unshift(early);
  pipeline(socket, body, () => socket.destroy());
  pipeline(body, socket, () => body.destroy());
}
