import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setImmediate as immediate } from "node:timers/promises";
import { type ErrorCode, httpStatusOf, RemoteError } from "../../../core/protocol/errors.ts";
import type { Log } from "../../system/log.ts";

/** A refused peer has this long to close its end. */
const LINGER_MS = 2000;

export type Headers = Record<string, string | number>;

/** Characters of a long text that are encoded in one turn of the event loop: about half a millisecond. */
const PIECE = 64 * 1024;

/**
 * Sends JSON. Avoids Express's `json`, which hashes every body for an unused ETag. A result with a long output is encoded
 * in pieces, between which other requests are served.
 */
export function sendJson(response: ServerResponse, value: unknown, headers: Headers = {}, status = 200): void {
  const head = { headers, status };
  const long = longOutputOf(value);
  if (long === undefined) sendBody(response, [Buffer.from(JSON.stringify(value))], head);
  else void sendInPieces(response, long, head);
}

interface Head {
  readonly headers: Headers;
  readonly status: number;
}

function sendBody(response: ServerResponse, pieces: readonly Buffer[], { headers, status }: Head): void {
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": pieces.reduce((sum, piece) => sum + piece.length, 0),
    "Cache-Control": "no-store",
    ...headers,
  });
  for (const piece of pieces) response.write(piece);
  response.end();
}

interface LongOutput {
  readonly output: string;
  /** The value with another text in the output's place. */
  replaced(place: string): object;
}

/** Returns the text of `{"result": {"output": "…"}}` if it is long. */
function longOutputOf(value: unknown): LongOutput | undefined {
  if (typeof value !== "object" || value === null || !("result" in value)) return undefined;
  const { result } = value;
  if (typeof result !== "object" || result === null || !("output" in result)) return undefined;
  const { output } = result;
  if (typeof output !== "string" || output.length <= PIECE) return undefined;
  return { output, replaced: (place) => ({ ...value, result: { ...result, output: place } }) };
}

async function sendInPieces(response: ServerResponse, { output, replaced }: LongOutput, head: Head): Promise<void> {
  const place = randomUUID();
  const [before = "", after = ""] = JSON.stringify(replaced(place)).split(place);
  const pieces = [Buffer.from(before)];
  for (let at = 0; at < output.length; ) {
    const end = at + PIECE - (isHighSurrogate(output.charCodeAt(at + PIECE - 1)) ? 1 : 0);
    pieces.push(Buffer.from(JSON.stringify(output.slice(at, end)).slice(1, -1)));
    at = end;
    await pieceTurn();
    if (response.destroyed) return;
  }
  sendBody(response, [...pieces, Buffer.from(after)], head);
}

let lastPiece: Promise<unknown> = Promise.resolve();

/** Resolves in a later turn of the event loop, in which no other response has a piece encoded. */
function pieceTurn(): Promise<unknown> {
  lastPiece = lastPiece.then(() => immediate());
  return lastPiece;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Sends an error: one sentence as text/plain, and the stable code in `X-Service-Error` (docs/decisions/0003). */
export function sendError(response: ServerResponse, error: RemoteError, headers: Headers = {}): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(`${error.message}\n`);
  response.writeHead(httpStatusOf(error.code), {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": body.length,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Service-Error": error.code,
    ...headers,
  });
  response.end(body);
}

/** Sends an error like `sendError` on a socket without a response object, and closes it. */
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
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(linger));
}

/** Converts anything thrown to a RemoteError. An unexpected error is logged and becomes `internal`. */
export function toRemoteError(error: unknown, log: Log): RemoteError {
  if (error instanceof RemoteError) {
    if (error.code === "internal") log.error("a request failed", { error: error.cause ?? error });
    return error;
  }
  const known = bodyError(error);
  if (known !== undefined) return known;
  log.error("a request failed", { error });
  return new RemoteError("internal", "The relay failed to do this; its log says why.");
}

/** Converts the errors of Express's body parser by their documented `type`. */
function bodyError(error: unknown): RemoteError | undefined {
  const type = typeof error === "object" && error !== null && "type" in error ? String(error.type) : "";
  const known: Record<string, readonly [ErrorCode, string]> = {
    "entity.parse.failed": ["malformed_json", "The body is not valid JSON: send one JSON object."],
    "entity.too.large": ["body_too_large", "The body is over 1 MiB: send less."],
    "encoding.unsupported": ["unsupported_media_type", "The body's content encoding is not supported: send it plain."],
    "charset.unsupported": ["unsupported_media_type", "The body's charset is not supported: send UTF-8."],
    "request.aborted": ["malformed_json", "The body ended before its announced length."],
    "request.size.invalid": ["malformed_json", "The body is not as long as its announced length."],
    "parameters.too.many": ["invalid_params", "The form has too many fields: send fewer."],
  };
  if (isNotInflated(error)) {
    return new RemoteError("malformed_json", "The body is not compressed as its Content-Encoding says: send it plain.");
  }
  const entry = Object.hasOwn(known, type) ? known[type] : undefined;
  return entry === undefined ? undefined : new RemoteError(...entry);
}

/** zlib's own errors have no `type`: `Z_DATA_ERROR` of gzip and deflate, `ERR__ERROR_FORMAT_…` and others of Brotli. */
function isNotInflated(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || !("status" in error)) return false;
  return error.status === 400 && /^(Z_|ERR_)/.test(String(error.code));
}
