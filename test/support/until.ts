import { setTimeout as delay } from "node:timers/promises";

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;

/** Waits for a condition that can only be asked for, and answers its first true value; fails when it takes too long. */
export async function until<T>(what: string, ask: () => T | Promise<T>, timeoutMs = 30_000): Promise<NonNullable<T>> {
  const start = performance.now();
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== null && value !== false) return value as NonNullable<T>;
    const waited = performance.now() - start;
    if (waited > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    // The longer the wait, the rarer: asking a page or a relay takes processor time from what is waited for.
    await delay(Math.min(FIRST_PAUSE_MS + waited / 10, LONGEST_PAUSE_MS));
  }
}
