import type { ClientLink } from "../protocol/link.ts";
import type { Client } from "./client.ts";

/** Result of a connection attempt: a link, or a permanent refusal with a reason for the user. */
export type DialResult = { readonly link: ClientLink } | { readonly refused: string };

interface ReconnectOptions {
  /** Opens a connection; rejects while the relay cannot be reached. */
  readonly dial: () => Promise<DialResult>;
  /** Resolves after `ms` milliseconds, or earlier when a retry is likely to succeed. */
  readonly pause: (ms: number) => Promise<void>;
  readonly onRefused: (reason: string) => void;
  /** Returns a number from 0 to 1: jitter for clients that lost the same relay at the same moment. */
  readonly random: () => number;
}

const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

/**
 * Keeps a client connected: after a lost connection it dials again with exponential backoff and resumes the client.
 * Returns a function that stops and disconnects.
 */
export function stayConnected(client: Client, { dial, pause, onRefused, random }: ReconnectOptions): () => void {
  let stopped = false;
  const run = async () => {
    let wait = MIN_PAUSE_MS;
    while (!stopped) {
      try {
        const attempt = await dial();
        if (stopped) {
          if ("link" in attempt) attempt.link.close("the client is closing");
          return;
        }
        if ("refused" in attempt) {
          onRefused(attempt.refused);
          return;
        }
        const closed = new Promise<void>((resolve) => attempt.link.onClose(() => resolve()));
        await client.connect(attempt.link);
        wait = MIN_PAUSE_MS;
        await closed;
      } catch {
        // Unreachable, or closed before the welcome: retry after the pause.
      }
      if (stopped) return;
      await pause(wait * (0.75 + random() / 2));
      wait = Math.min(wait * 2, MAX_PAUSE_MS);
    }
  };
  void run();
  return () => {
    stopped = true;
    client.disconnect("the client is closing");
  };
}
