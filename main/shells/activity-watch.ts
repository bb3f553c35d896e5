import type { Shell } from "./shell.ts";

/** However much is printed, it is told no more often. */
const TELL_EVERY_MS = 5_000;

/**
 * Tells when a shell last printed anything, in milliseconds since 1970: at once after a silence, else every 5 s. What it
 * prints at its start is told with the first 5 s, for which its creation stands.
 */
export function watchActivity(shell: Shell, tell: (at: number) => void): void {
  let told: number | undefined;
  let due = true;
  const tellNow = () => {
    due = false;
    if (told === shell.lastOutputAt || shell.exit !== null || shell.log.end === 0) return;
    told = shell.lastOutputAt;
    tell(Math.round(Date.now() - (performance.now() - told)));
    due = true;
    shell.after(TELL_EVERY_MS, tellNow);
  };
  shell.after(TELL_EVERY_MS, tellNow);
  shell.onFlush(() => {
    if (!due) tellNow();
  });
}
