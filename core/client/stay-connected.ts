import type { ClientLink } from "../protocol/link.ts";
import type { Client } from "./client.ts";

/** What came of an attempt to reach the relay: a link, or no use in trying again, with the reason for the user. */
export type Attempt = { readonly link: ClientLink } | { readonly refused: string };

interface Parts {
  /** Opens a connection; rejects while the relay cannot be reached. */
  readonly dial: () => Promise<Attempt>;
  /** Resolves after so many milliseconds, or sooner when there is reason to try at once. */
  readonly pause: (ms: number) => Promise<void>;
  readonly onRefused: (reason: string) => void;
  /** From 0 to 1: spreads clients that lost the same relay at the same moment. */
  readonly random: () => number;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** Keeps a client connected: after a cut it dials again with growing pauses, and resumes. Answers how to stop. */
export function stayConnected(client: Client, { dial, pause, onRefused, random }: Parts): () => void {
  let stopped = false;
  const keep = async () => {
    let wait = FIRST_PAUSE_MS;
    while (!stopped) {
      try {
        const attempt = await dial();
        if ("refused" in attempt) {
          onRefused(attempt.refused);
          return;
        }
        const cut = new Promise<void>((resolve) => attempt.link.onClose(() => resolve()));
        await client.connect(attempt.link);
        wait = FIRST_PAUSE_MS;
        await cut;
      } catch {
        // Not there yet, or gone before the welcome: the next attempt tells.
      }
      if (stopped) return;
      await pause(wait * (0.75 + random() / 2));
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
    }
  };
  void keep();
  return () => {
    stopped = true;
    client.disconnect("the client is closing");
  };
}
