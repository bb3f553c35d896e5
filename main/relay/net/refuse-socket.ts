import type { Duplex } from "node:stream";
import { type ErrorCode, httpStatusOf } from "../../../core/protocol/errors.ts";

const LINGER_MS = 2000;

/** Answers on a bare socket, in the manner of `sendError`, and hangs up. */
export function refuseSocket(
  socket: Duplex,
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): void {
  if (!socket.writable) return;
  const lines = [
    `HTTP/1.1 ${httpStatusOf(code)} Refused`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(message) + 1}`,
    `X-Service-Error: ${code}`,
    "Connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${message}\n`);
  // Whoever does not hang up is hung up on.
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(linger));
}
