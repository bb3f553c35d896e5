import type { IncomingMessage, ServerResponse } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { limits } from "../../../core/protocol/limits.ts";
import { RELAY_HEADER } from "../http/foreign-sessions.ts";
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

/** Sends the answer of another relay to the caller, at the caller's pace. */
export function passAnswer({ status, headers, body }: ForeignAnswer, response: ServerResponse, relay: string): void {
  if (response.destroyed) {
    if (!Buffer.isBuffer(body)) body.destroy();
    return;
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader(RELAY_HEADER, relay);
  response.writeHead(status);
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
  const { status, headers, body } = answer;
  const isOpen = status === 101 && !Buffer.isBuffer(body);
  const lines = [
    `HTTP/1.1 ${status} ${isOpen ? "Switching Protocols" : "Refused"}`,
    ...Object.entries({ ...headers, [RELAY_HEADER]: relay }).map(([name, value]) => `${name}: ${value}`),
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
