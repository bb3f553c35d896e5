import { get as httpGet, type IncomingMessage } from "node:http";
import { get as httpsGet, type RequestOptions } from "node:https";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { expectedKind } from "./address-kind.ts";
import { addressError, redirectTarget } from "./fetch-target.ts";
import { ForbiddenAddressError, guardedLookup, type Resolve } from "./guarded-lookup.ts";

const REDIRECTS_ALLOWED = 3;

export interface Fetched {
  /** Final address after all redirects. */
  readonly url: URL;
  readonly body: Buffer;
}

interface FetchOptions {
  /** Name of the resource in messages: "The manifest …". */
  readonly what: string;
  readonly accept: string;
  readonly limitBytes: number;
  readonly resolve: Resolve;
  /** Cancels the fetch with its reason. */
  readonly signal: AbortSignal;
  /** Every address, redirects included, must be below this folder. */
  readonly within?: URL;
}

/**
 * Fetches an untrusted address by the rules of docs/decisions/0010: https, or http on a loopback host; public addresses
 * only, checked when the socket connects; at most 3 redirects under the same rules; no cookies and no credentials.
 * Rejects with `fetch_failed`, or with the signal's reason.
 */
export async function fetchGuarded(start: URL, options: FetchOptions): Promise<Fetched> {
  let url = start;
  for (let redirects = 0; ; redirects++) {
    checkTarget(url, options);
    const response = await request(url, options);
    const status = response.statusCode ?? 0;
    if (status === 200) return { url, body: await readBody(response, url, options) };
    response.destroy();
    if (![301, 302, 303, 307, 308].includes(status)) throw failed(options, url, `the server answered ${status}`);
    if (redirects === REDIRECTS_ALLOWED) {
      throw failed(options, url, `it was redirected more than ${REDIRECTS_ALLOWED} times`);
    }
    url = redirectTarget(url, response.headers.location);
  }
}

/** Returns whether an address has a folder's origin and is below its path, which ends with a slash. */
export function isWithin(url: URL, folder: URL): boolean {
  return url.origin === folder.origin && url.pathname.startsWith(folder.pathname);
}

function checkTarget(url: URL, options: FetchOptions): void {
  const why = addressError(url);
  if (why !== undefined) throw failed(options, url, why);
  if (options.within !== undefined && !isWithin(url, options.within)) {
    throw failed(options, url, "it leaves the manifest's folder");
  }
}

function request(url: URL, options: FetchOptions): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const settings: RequestOptions = {
    // A separate agent, so that no connection is shared or left open.
    agent: false,
    lookup: guardedLookup(options.resolve, expectedKind(url.hostname)),
    signal: options.signal,
    headers: { Accept: options.accept, "Accept-Encoding": "identity", "User-Agent": "Patchbay" },
    ...(secure ? { rejectUnauthorized: true } : {}),
  };
  return new Promise((resolve, reject) => {
    const get = secure ? httpsGet : httpGet;
    const sent = get(url, settings, resolve);
    sent.on("error", (error: NodeJS.ErrnoException) => reject(told(error, url, options)));
    // A server that switches protocols produces neither a response nor an error.
    sent.on("close", () => reject(failed(options, url, "the server gave no answer")));
  });
}

async function readBody(response: IncomingMessage, url: URL, options: FetchOptions): Promise<Buffer> {
  const { "content-encoding": encoding = "identity" } = response.headers;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Decompression could produce far more than the limit.
    if (encoding !== "identity") throw failed(options, url, "the server sent it compressed, unasked");
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > options.limitBytes) throw failed(options, url, `it is over ${options.limitBytes / 1024} KiB`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw told(error, url, options);
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks, bytes);
}

function told(error: unknown, url: URL, options: FetchOptions): unknown {
  if (options.signal.aborted) return options.signal.reason;
  if (error instanceof RemoteError) return error;
  return failed(options, url, describeFetchError(error), error);
}

/** Returns why a request to a guarded address failed, as the end of a sentence. */
export function describeFetchError(error: unknown): string {
  if (error instanceof ForbiddenAddressError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "the host's name is not known";
    case "ECONNREFUSED":
      return "nothing listens there";
    case "ECONNRESET":
      return "the server broke off";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ETIMEDOUT":
      return "the host cannot be reached";
    default:
      return /CERT|SIGNATURE|TLS|SSL|EPROTO/.test(code)
        ? "its certificate or its TLS is not trusted"
        : "the server did not answer as HTTP wants it";
  }
}

function failed({ what }: FetchOptions, url: URL, why: string, cause?: unknown): RemoteError {
  return new RemoteError("fetch_failed", `The ${what} could not be fetched from ${url.origin}: ${why}.`, { cause });
}
