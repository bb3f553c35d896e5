import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type ErrorCode, httpStatusOf, RemoteError } from "../../../core/protocol/errors.ts";
import type { Log } from "../../system/log.ts";
import { BodyInPieces, findLongOutput } from "./long-output.ts";

/** A refused peer has this long to close its end. */
const LINGER_MS = 2000;

const JSON_TYPE = "application/json; charset=utf-8";

/** For a call whose credential ended before its answer. */
export const CHALLENGE = { "WWW-Authenticate": 'ServiceToken realm="patchbay"' } as const;

/** A header's value, or a reason phrase, as HTTP takes it (RFC 9110, 5.5; RFC 9112, 4): Node throws for any other. */
export const HTTP_TEXT = /^[\t -~\u0080-\u00ff]*$/;

export type Headers = Record<string, string | number>;

/** An answer before it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer | BodyInPieces;
}

/**
 * Returns an answer of JSON. Avoids Express's `json`, which hashes every body for an unused ETag. A result with a long
 * output is encoded and sent in pieces, between which other requests are served.
 */
export function jsonAnswer(value: unknown, headers: Headers = {}, status = 200): Answer {
  const long = findLongOutput(value, "result");
  const head = { "Content-Type": JSON_TYPE, "Cache-Control": "no-store", ...headers };
  // Its length is known only when all of it is encoded.
  if (long !== undefined) return { status, headers: head, body: new BodyInPieces(long) };
  const body = Buffer.from(JSON.stringify(value));
  return { status, headers: { ...head, "Content-Length": body.length }, body };
}

export function sendJson(response: ServerResponse, value: unknown, headers: Headers = {}, status = 200): void {
  sendAnswer(response, jsonAnswer(value, headers, status));
}

export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  if (Buffer.isBuffer(body)) {
    response.end(body);
    return;
  }
  response.once("close", () => body.destroy());
  body.pipe(response);
}

/** Returns the answer of an error: one sentence as text/plain, and the stable code in `X-Service-Error` (docs/decisions/0003). */
export function errorAnswer(error: RemoteError, headers: Headers = {}): Answer {
  const body = Buffer.from(`${error.message}\n`);
  const head = {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": body.length,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Service-Error": error.code,
  };
  return { status: httpStatusOf(error.code), headers: { ...head, ...headers }, body };
}

export function sendError(response: ServerResponse, error: RemoteError, headers: Headers = {}): void {
  if (response.headersSent) return void response.destroy();
  const answer = errorAnswer(error, headers);
  // Headers that are only written with the head cannot be read any more, and the audit log names the code.
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  sendAnswer(response, { ...answer, headers: {} });
}

/** Sends an error like `sendError` on a socket without a response object, and closes it. */
export function refuseSocket(
  socket: Duplex,
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): void {
  if (!socket.writable) return;
  const status = httpStatusOf(code);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
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
    "encoding.unsupported": ["unsupported_media_type", "The body's content encoding is not supported: send it plain."],
    "charset.unsupported": ["unsupported_media_type", "The body's charset is not supported: send UTF-8."],
    "request.aborted": ["malformed_json", "The body ended before its announced length."],
    "request.size.invalid": ["malformed_json", "The body is not as long as its announced length."],
    "parameters.too.many": ["invalid_params", "The form has too many fields: send fewer."],
  };
  if (error instanceof Error && "limit" in error && typeof error.limit === "number") return bodyTooLarge(error.limit);
  if (isNotInflated(error)) {
    return new RemoteError("malformed_json", "The body is not compressed as its Content-Encoding says: send it plain.");
  }
  const entry = Object.hasOwn(known, type) ? known[type] : undefined;
  return entry === undefined ? undefined : new RemoteError(...entry);
}

/** `limit`: in bytes. */
export function bodyTooLarge(limit: number): RemoteError {
  const most = limit < MIB ? `${limit / 1024} KiB` : `${limit / MIB} MiB`;
  return new RemoteError("body_too_large", `The body is over ${most}: send less.`);
}

const MIB = 1024 * 1024;

/** zlib's own errors have no `type`: `Z_DATA_ERROR` of gzip and deflate, `ERR__ERROR_FORMAT_…` and others of Brotli. */
function isNotInflated(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || !("status" in error)) return false;
  return error.status === 400 && /^(Z_|ERR_)/.test(String(error.code));
}
