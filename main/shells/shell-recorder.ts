import { z } from "zod";
import type { OutputLog } from "./output-log.ts";

/** An offset of the output, and the time in milliseconds since 1970. */
const happened = { offset: z.int().nonnegative(), at: z.number().nonnegative() };

const OptionalText = z.string().optional();

/** What happened in a shell besides its output. */
export const RecordedEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("size"), ...happened, cols: z.int(), rows: z.int() }),
  /** The output of the command begins at `offset`. */
  z.object({
    kind: z.literal("command-start"),
    ...happened,
    line: OptionalText,
    cwd: OptionalText,
    /** The branch of git that was checked out in the folder. */
    branch: OptionalText,
  }),
  /** The output of the command ends at `offset`. */
  z.object({ kind: z.literal("command-end"), ...happened, exitCode: z.int().nullable() }),
  z.object({ kind: z.literal("exit"), ...happened, exitCode: z.int(), signal: z.int().nullable() }),
]);
export type RecordedEvent = z.infer<typeof RecordedEvent>;

/** Records what a shell prints and does, where its owner wants that. The methods return at once and never throw. */
export interface ShellRecorder {
  /** Whether what is noted is kept. */
  readonly isRecording: boolean;
  /** Output was appended to the log. */
  noteOutput(): void;
  noteEvent(event: RecordedEvent): void;
  /** Nothing follows any more. */
  end(): void;
}

/** Starts to record a shell. */
export type RecordShell = (shell: number, log: OutputLog) => ShellRecorder;
