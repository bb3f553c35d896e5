import type { Shell } from "../../../core/protocol/records.ts";

/** How a shell ended, for people: `ended by SIGKILL`, `ended, exit code 1`, or only `ended` where that is not known. */
export function endedText({ exitCode, signal }: Pick<Shell, "exitCode" | "signal">): string {
  if (signal !== null && signal !== undefined) return `ended by ${signal}`;
  return exitCode === null ? "ended" : `ended, exit code ${exitCode}`;
}
