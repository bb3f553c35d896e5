import { z } from "zod";

/** What a program may ask its terminal. */
export const TerminalQuery = z.enum([
  "status",
  "cursor",
  "private-cursor",
  "device",
  "secondary-device",
  "version",
  "foreground",
  "background",
]);
export type TerminalQuery = z.infer<typeof TerminalQuery>;

/** What programs report through their terminal besides text. */
export const TerminalMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("title"), title: z.string() }),
  z.object({ kind: z.literal("bell") }),
  /** OSC 9 (body only) or OSC 777;notify (title and body). */
  z.object({
    kind: z.literal("notification"),
    title: z.string().nullable(),
    body: z.string(),
    /** Earlier ones that were left out because there were too many; absent for none, and from an older shell host. */
    leftOut: z.int().positive().optional(),
  }),
  /** OSC 9;4: state 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused; percent 0 to 100. */
  z.object({ kind: z.literal("progress"), state: z.int(), percent: z.number().nullable() }),
  /** OSC 7501 or 9999, the state of an agent. A query asks whether the terminal supports it; unknown keys are kept. */
  z.object({ kind: z.literal("program-status"), query: z.boolean(), fields: z.record(z.string(), z.string()) }),
  /** A question to the terminal: DSR, DECXCPR, DA1, DA2, XTVERSION, the colours of OSC 10 and 11. */
  z.object({ kind: z.literal("query"), query: TerminalQuery }),
  /** OSC 7. The host is empty for this machine. */
  z.object({ kind: z.literal("cwd"), host: z.string(), cwd: z.string() }),
]);
export type TerminalMessage = z.infer<typeof TerminalMessage>;

/** Marks of shell integration: sent by the shell itself, never taken from what a program prints. */
export const MarkMessage = z.discriminatedUnion("kind", [
  /** The exit code is that of the previous command; null when the shell does not report it. */
  z.object({ kind: z.enum(["prompt", "prompt-end"]), exitCode: z.int().nullable().default(null) }),
  z.object({ kind: z.literal("command-start") }),
  z.object({ kind: z.literal("command-end"), exitCode: z.int().nullable(), cwd: z.string().nullable() }),
]);
export type MarkMessage = z.infer<typeof MarkMessage>;

/** A message or mark, with the byte offsets of its escape sequence in the whole output of the shell. */
export const TerminalSignal = z
  .discriminatedUnion("kind", [TerminalMessage, MarkMessage])
  .and(z.object({ offset: z.int().nonnegative(), end: z.int().nonnegative() }));
export type TerminalSignal = z.infer<typeof TerminalSignal>;

/**
 * Reads how far a program is from the fields of OSC 7501. It is told by a program that works or waits only.
 * @returns undefined where the report tells none
 */
export function programProgress({ state, progress = "" }: Readonly<Record<string, string>>) {
  const percent = /^\d{1,3}$/.test(progress) ? Number(progress) : Number.NaN;
  if (!(percent <= 100) || (state !== "working" && state !== "blocked")) return undefined;
  return { percent, paused: state === "blocked" };
}
