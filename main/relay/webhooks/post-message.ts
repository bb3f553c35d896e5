import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import type { WebhookAttempt } from "../../../core/protocol/webhooks.ts";
import { describeFetchError } from "../plugins/fetch-guarded.ts";
import { guardedLookup, type Resolve } from "../plugins/guarded-lookup.ts";
import { hookTargetError, wantedOf } from "./hook-target.ts";

interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The address that the hook's owner has named. */
  readonly address: string | undefined;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** Ends the attempt early. */
  readonly signal: AbortSignal;
}

/**
 * Sends a message to a hook's URL, once. Connects only where the hook may send to, checked when the socket connects; follows
 * no redirect and reads nothing but the status. Always resolves.
 */
export async function postMessage(url: URL, options: PostOptions): Promise<WebhookAttempt> {
  const why = hookTargetError(url, options.address);
  if (why !== undefined) return failed(why);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), options.timeoutMs);
  const stop = () => late.abort();
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    const response = await send(url, options, late.signal);
    const { statusCode: status = 0 } = response;
    response.destroy();
    if (status >= 200 && status < 300) return { ok: true, status, error: null };
    const note = status >= 300 && status < 400 ? ", and redirects are not followed" : "";
    return { ok: false, status, error: `the receiver answered ${status}${note}` };
  } catch (error) {
    if (options.signal.aborted) return failed("the relay was stopped");
    return failed(
      late.signal.aborted
        ? `the receiver did not answer within ${options.timeoutMs / 1000} s`
        : describeFetchError(error),
    );
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", stop);
  }
}

function send(
  url: URL,
  { headers, body, address, resolve }: PostOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const bytes = Buffer.from(body);
  const settings: RequestOptions = {
    method: "POST",
    // A separate agent, so that no connection is shared or left open.
    agent: false,
    lookup: guardedLookup(resolve, wantedOf(address)),
    signal,
    headers: { ...headers, "Content-Length": bytes.length, "User-Agent": "Patchbay" },
    ...(secure ? { rejectUnauthorized: true } : {}),
  };
  return new Promise((answered, reject) => {
    const sent = (secure ? httpsRequest : httpRequest)(url, settings, answered);
    sent.on("error", reject);
    // A server that switches protocols produces neither a response nor an error.
    sent.on("close", () => reject(new Error("the server gave no answer")));
    sent.end(bytes);
  });
}

function failed(error: string): WebhookAttempt {
  return { ok: false, status: null, error };
}
