import { z } from "zod";

/** Bounds of the history on disk. */
export const historyLimits = { days: 30, maxDays: 3650, bytes: 2 * 1024 ** 3, leastBytes: 16 * 1024 ** 2 } as const;

/** Most patterns of a user's own for secrets. */
export const MAX_SECRET_PATTERNS = 20;
export const SecretName = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^\p{Cc}]+$/u, { error: "expected a name without control characters" });
export const SecretPattern = z.string().min(1).max(500);

export const HistoryDays = z.int().min(1).max(historyLimits.maxDays);
export const HistoryBytes = z.int().min(historyLimits.leastBytes);

/** What the owner has decided about the history on disk. */
export const HistorySettings = z.object({
  choice: z.enum(["unasked", "off", "on"]),
  /** Whether segments are encrypted with a key of the keychain; otherwise only file permissions protect them. */
  encrypted: z.boolean(),
  days: HistoryDays,
  maxBytes: HistoryBytes,
  /** Ids of the sessions of which nothing is recorded. */
  except: z.array(z.string()),
  /** The owner's own patterns for secrets (RE2), by the name that redactions show. */
  patterns: z.record(SecretName, SecretPattern).default({}),
});
export type HistorySettings = z.infer<typeof HistorySettings>;

/** What the shell host records, as the relay tells it. */
export const RecordingOptions = z.object({
  /** Where segments are written; null: nothing is recorded. */
  folder: z.string().nullable(),
  /** The key in base64; null: segments are not encrypted. */
  key: z.string().nullable(),
  days: HistoryDays,
  maxBytes: HistoryBytes,
  except: z.array(z.string()),
});
export type RecordingOptions = z.infer<typeof RecordingOptions>;

/** How recording goes. */
export const RecordingState = z.object({
  /** Why output is not written at the moment, as a sentence; null while it is. */
  trouble: z.string().nullable(),
  /** Bytes that wait to be written. */
  waiting: z.int().nonnegative(),
  /** Bytes that were not recorded since the shell host started, because the disk did not take them in time. */
  lost: z.int().nonnegative(),
});
export type RecordingState = z.infer<typeof RecordingState>;

/** Asks the shell host to write what waits of a shell, or of all. */
export const FlushOptions = z.object({
  session: z.string().optional(),
  shell: z.int().nonnegative().optional(),
  /** Continue in new segments, so that the written ones can be removed. */
  rotate: z.boolean().optional(),
});
export type FlushOptions = z.infer<typeof FlushOptions>;

/** Answer of the shell host that has written what waited. */
export const FlushedState = RecordingState.extend({
  /**
   * Of the session that was named, each shell that is recorded and how much was noted of it: a number that grows with
   * everything. Shell hosts of before do not tell.
   */
  noted: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])).default([]),
});
export type FlushedState = z.infer<typeof FlushedState>;
