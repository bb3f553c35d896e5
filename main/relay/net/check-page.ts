import type { OpResult } from "../../../core/protocol/relay-ops.ts";

const TIMEOUT_MS = 5_000;

/**
 * Requests a web page from this machine and reports whether a tile can show it. Reads its headers only, and returns none
 * of them.
 */
export async function checkPage(url: string): Promise<OpResult<"checkPage">> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), headers: { accept: "text/html" } });
    await answer.body?.cancel();
    return { page: refusesFrames(answer.headers) ? "refuses-frames" : "shown", detail: null };
  } catch (error) {
    return { page: "unreachable", detail: reasonOf(error) };
  }
}

/** Reports whether a page with these headers refuses to be shown in a frame of another site. */
export function refusesFrames(headers: Headers): boolean {
  const ancestors = /(?:^|[;,])\s*frame-ancestors\s+([^;,]*)/i.exec(headers.get("content-security-policy") ?? "")?.[1];
  // A policy that names ancestors takes the place of the older header.
  if (ancestors === undefined) return /deny|sameorigin/i.test(headers.get("x-frame-options") ?? "");
  return !ancestors.split(/\s+/).some((source) => ["*", "http:", "https:"].includes(source.toLowerCase()));
}

/** Returns the system's code of a failure, for example ECONNREFUSED; null if it has none. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === "TimeoutError") return "no answer in 5 s";
  const { cause } = error;
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null;
}
