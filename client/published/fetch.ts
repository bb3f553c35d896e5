import { RelayUnreachable } from "../errors.ts";
import type { HttpAnswer, HttpRequest } from "../http.ts";

/**
 * Sends one request by `fetch`, in place of http.ts, for Node and browsers.
 *
 * @throws RelayUnreachable; the reason of the caller's signal
 */
export async function send(url: URL, { method = "GET", headers, body, silenceMs, signal }: HttpRequest) {
  const abort = new AbortController();
  const onAbort = () => abort.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", onAbort, { once: true });
  const watch = watchSilence(silenceMs, abort);
  const end = () => {
    watch.stop();
    signal?.removeEventListener("abort", onAbort);
  };
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: abort.signal,
      redirect: "error",
    });
    return new FetchAnswer(answer, abort, { heard: watch.heard, end });
  } catch (error) {
    end();
    signal?.throwIfAborted();
    throw unreachableError(url, abort.signal.aborted ? abort.signal.reason : error);
  }
}

/** Returns the whole body as text. @throws RelayUnreachable when the connection breaks in the middle */
export async function readText(answer: HttpAnswer, url: URL): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of answer) text += decoder.decode(piece, { stream: true });
  } catch (error) {
    throw unreachableError(url, error);
  }
  return text + decoder.decode();
}

/** Describes a connection error for the user; an abort by the caller is returned unchanged. */
export function unreachableError(url: URL, error: unknown): Error {
  if (error instanceof Error && error.name === "AbortError") return error;
  // What Node's \`fetch\` says itself is only that it failed.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : "the connection was refused";
  return new RelayUnreachable(`No relay answers at ${url.origin} (${reason}).`, { cause: error });
}

class FetchAnswer implements HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  errored: Error | null = null;
  readonly #answer: Response;
  readonly #abort: AbortController;
  readonly #watch: { heard(): void; end(): void };

  constructor(answer: Response, abort: AbortController, watch: { heard(): void; end(): void }) {
    this.statusCode = answer.status;
    this.headers = Object.fromEntries(answer.headers);
    this.#answer = answer;
    this.#abort = abort;
    this.#watch = watch;
  }

  destroy(): void {
    this.#watch.end();
    this.#abort.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const reader = this.#answer.body?.getReader();
    try {
      for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
        this.#watch.heard();
        yield piece.value;
      }
    } catch (error) {
      this.errored = error instanceof Error ? error : new Error(String(error));
      throw this.errored;
    } finally {
      this.#watch.end();
    }
  }
}

/** Aborts a request that brings nothing for a time. */
function watchSilence(silenceMs: number, abort: AbortController): { heard(): void; stop(): void } {
  const late = () => abort.abort(new Error(`no data for ${Math.round(silenceMs / 1000)} s`));
  let timer = silenceMs > 0 ? setTimeout(late, silenceMs) : undefined;
  return {
    heard() {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(late, silenceMs);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
