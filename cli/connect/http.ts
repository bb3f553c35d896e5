import { type IncomingMessage, request as plainRequest } from "node:http";
import type { Duplex } from "node:stream";
import { RelayUnreachable } from "../parse/relay-unreachable.ts";

export interface HttpRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form, in place of a body. */
  readonly form?: Readonly<Record<string, string>>;
  /** Milliseconds without any data after which the request fails; 0 for no limit. */
  readonly silenceMs: number;
  readonly signal?: AbortSignal;
  /** Opens the connection, in place of one over the network. */
  readonly open?: () => Duplex;
}

/** Sends one request over node:http, which starts sooner than `fetch`. @throws RelayUnreachable */
export async function send(url: URL, ask: HttpRequest): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? (await import("node:https")).request : plainRequest;
  const { open } = ask;
  const body = bodyOf(ask);
  const headers: Record<string, string | number> = { ...ask.headers };
  if (body !== undefined) Object.assign(headers, { "Content-Type": body.type, "Content-Length": body.bytes.length });
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: ask.method ?? "GET",
      headers,
      ...(ask.signal === undefined ? {} : { signal: ask.signal }),
      ...(open === undefined ? {} : { createConnection: open }),
    });
    outgoing.on("error", (error) => reject(unreachableError(url, error)));
    outgoing.on("response", resolve);
    // A connection in memory has no timeout; its relay is this process, and answers within its own.
    if (ask.silenceMs > 0 && open === undefined) {
      outgoing.setTimeout(ask.silenceMs, () =>
        outgoing.destroy(new Error(`no data for ${Math.round(ask.silenceMs / 1000)} s`)),
      );
    }
    outgoing.end(body?.bytes);
  });
}

function bodyOf({ body, form }: HttpRequest): { type: string; bytes: Buffer } | undefined {
  if (form !== undefined) {
    return { type: "application/x-www-form-urlencoded", bytes: Buffer.from(String(new URLSearchParams(form))) };
  }
  return body === undefined ? undefined : { type: "application/json", bytes: Buffer.from(JSON.stringify(body)) };
}

/** Returns the whole body as text. @throws RelayUnreachable when the connection breaks in the middle */
export async function readText(answer: IncomingMessage, url: URL): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of answer) pieces.push(piece as Buffer);
  } catch (error) {
    throw unreachableError(url, error);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Describes a connection error for the user; an abort by the caller is returned unchanged. */
export function unreachableError(url: URL, error: unknown): Error {
  if (error instanceof Error && error.name === "AbortError") return error;
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "ECONNREFUSED" ? "nothing listens there" : error instanceof Error ? error.message : code;
  return new RelayUnreachable(
    `No relay answers at ${url.origin} (${reason || code}): start the Patchbay app, or run \`patchbay serve\`.`,
    { cause: error },
  );
}
