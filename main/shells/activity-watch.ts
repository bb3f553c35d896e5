import type { Shell } from "./shell.ts";

/** Activity is reported at most this often. */
const REPORT_EVERY_MS = 5_000;

/**
 * Reports when a shell last printed, in milliseconds since 1970: at once after silence, otherwise every 5 s. Output
 * during the first 5 s is reported with them; until then the creation time stands.
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
    shell.after(REPORT_EVERY_MS, tellNow);
  };
  shell.after(REPORT_EVERY_MS, tellNow);
  shell.onFlush(() => {
    if (!due) tellNow();
  });
}
