import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DownloadError } from "./download-error.mjs";

const ANSWER_WITHIN_MS = 5_000;
const STALL_AFTER_MS = 30_000;

/**
 * Downloads a file over HTTP. Throws a DownloadError if the server does not begin to answer within 5 s, or the
 * transfer stalls for 30 s. A slow transfer may take as long as it needs.
 * @param {string} url
 * @param {string} file
 * @param {{ signal: AbortSignal, onProgress?: (received: number, total: number) => void, answerWithinMs?: number, stallAfterMs?: number }} options
 */
export async function download(
  url,
  file,
  { signal, onProgress, answerWithinMs = ANSWER_WITHIN_MS, stallAfterMs = STALL_AFTER_MS },
) {
  const failure = new AbortController();
  // Not AbortSignal.any: on Node 20 its result can be collected while it is waited for.
  const abort = () => failure.abort(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  const watchdog = createWatchdog(failure);
  try {
    watchdog.expectWithin(answerWithinMs, `no answer within ${answerWithinMs / 1000} s`);
    const answer = await fetch(url, { signal: failure.signal });
    if (!answer.ok || answer.body === null) throw new DownloadError(`the server answered ${answer.status}`);
    const total = Number(answer.headers.get("content-length") ?? 0);
    let received = 0;
    await pipeline(
      Readable.fromWeb(/** @type {import("node:stream/web").ReadableStream<Uint8Array>} */ (answer.body)),
      async function* count(/** @type {AsyncIterable<Buffer>} */ chunks) {
        watchdog.expectWithin(stallAfterMs, `nothing came for ${stallAfterMs / 1000} s`);
        for await (const chunk of chunks) {
          watchdog.expectWithin(stallAfterMs, `nothing came for ${stallAfterMs / 1000} s`);
          received += chunk.length;
          onProgress?.(received, total);
          yield chunk;
        }
      },
      createWriteStream(file),
    );
    if (total > 0 && received !== total) throw new DownloadError(`only ${received} of ${total} bytes came`);
  } catch (error) {
    signal.throwIfAborted();
    throw failure.signal.aborted ? failure.signal.reason : asDownloadError(error);
  } finally {
    watchdog.stop();
    signal.removeEventListener("abort", abort);
  }
}

/**
 * A timer that every received chunk restarts.
 * @param {AbortController} failure
 */
function createWatchdog(failure) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  return {
    /** @param {number} ms @param {string} reason */
    expectWithin(ms, reason) {
      clearTimeout(timer);
      timer = setTimeout(() => failure.abort(new DownloadError(reason)), ms);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

/**
 * Network faults become DownloadErrors; faults of this machine, such as a full disk, are passed on.
 * @param {unknown} error
 */
function asDownloadError(error) {
  if (error instanceof DownloadError || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  if ("syscall" in cause && (cause.syscall === "write" || cause.syscall === "open") && "path" in cause) return error;
  if ("code" in cause && cause.code === "ENOSPC") return error;
  return new DownloadError("code" in cause ? String(cause.code) : cause.message, { cause: error });
}
