import { setTimeout as delay } from "node:timers/promises";
import type { ServeProcess } from "../support/start-serve.ts";

/** A relay to ask: `patchbay serve`, or the app. */
export interface ReachableRelay {
  /** The latest. */
  readonly now: Pick<ServeProcess, "url" | "session">;
  readonly key: string;
}

/** A relay that may be killed at any time, and the next one that takes its place. */
export interface MortalRelay extends ReachableRelay {
  readonly now: ServeProcess;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

/** A request to whichever relay is there; undefined when it was cut off, so that what it did is not known. */
export async function attempt(
  relay: ReachableRelay,
  path: string,
  { body, headers = {}, timeoutMs = 5000 }: { body?: unknown; headers?: Record<string, string>; timeoutMs?: number },
): Promise<Answer | undefined> {
  try {
    const { url, session } = relay.now;
    const response = await fetch(`${url}/v1/sessions${path.replace("SESSION", session)}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "X-Service-Token": relay.key, "Content-Type": "application/json", ...headers },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const replayed = response.headers.get("idempotency-replayed") === "true";
    return { status: response.status, text: await response.text(), replayed };
  } catch {
    return undefined;
  }
}

/** A relay that is killed again and again may take as long to answer once, beside other tests. */
const ANSWERED_WITHIN_MS = 60_000;

/** A command's result; keeps trying over restarts. For reading only: it may be executed many times. */
export async function ask<T>(relay: ReachableRelay, method: string, params: object = {}): Promise<T> {
  const deadline = performance.now() + ANSWERED_WITHIN_MS;
  const refusals = new Map<string, number>();
  while (performance.now() < deadline) {
    const answer = await attempt(relay, "/SESSION/remote/command", { body: { method, params } });
    if (answer?.status === 200) return (JSON.parse(answer.text) as { result: T }).result;
    if (answer !== undefined && answer.status < 500) throw new Error(`${method}: ${answer.status} ${answer.text}`);
    const refusal = answer === undefined ? "none" : `${answer.status} ${answer.text}`;
    refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
    await delay(25);
  }
  throw new Error(`${method}: no result, but ${JSON.stringify([...refusals])}`);
}

/** What became of a request that was tried, with its one key, until somebody said. */
export type Fate = "done" | "unknown";

/**
 * Has a command executed at most once: the same `Idempotency-Key` again after every cut, some of which the caller makes
 * himself by hanging up early.
 */
export async function once(relay: ReachableRelay, key: string, body: object, hangUp: () => boolean): Promise<Fate> {
  for (;;) {
    const timeoutMs = hangUp() ? 3 : 5000;
    const headers = { "Idempotency-Key": key };
    const answer = await attempt(relay, "/SESSION/remote/command", { body, headers, timeoutMs });
    if (answer?.status === 200) return "done";
    if (answer?.status === 409) return "unknown";
    if (answer !== undefined && answer.status < 500) throw new Error(`${answer.status} ${answer.text}`);
    await delay(5);
  }
}
