import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 20;

/** Waits for a condition that can only be asked for, and answers its first true value; fails when it takes too long. */
export async function until<T>(what: string, ask: () => T | Promise<T>, timeoutMs = 30_000): Promise<NonNullable<T>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== null && value !== false) return value as NonNullable<T>;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    await delay(POLL_MS);
  }
}
