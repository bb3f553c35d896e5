import { z } from "zod";

const Id = z.int().nonnegative();
const Count = z.int().nonnegative();
const Text = z.string();
const nothing = z.undefined();
const shell = { shell: Id };

/**
 * What a relay can ask of the host, each once: its parameters and its answer, in the words of ShellHost
 * (main/shells/shell-host.ts), whose methods these are.
 */
export const calls = {
  spawn: {
    params: z.object({
      id: Id,
      cwd: Text.exactOptional(),
      nearest: z.boolean().exactOptional(),
      cols: z.number(),
      rows: z.number(),
      env: z.record(Text, Text),
      command: Text.exactOptional(),
      shell: Text.exactOptional(),
      exec: z.array(Text).readonly().exactOptional(),
      like: Id.exactOptional(),
      inherit: z.record(Text, Text).exactOptional(),
    }),
    result: z.object({ pid: z.int(), command: Text, cwd: Text }),
  },
  paste: { params: z.object({ ...shell, text: Text }), result: z.object({ queued: Count }) },
  keys: {
    params: z.object({ ...shell, words: z.array(Text).readonly(), literal: z.boolean() }),
    result: z.object({ queued: Count }),
  },
  resize: { params: z.object({ ...shell, cols: z.number(), rows: z.number() }), result: nothing },
  close: { params: z.object(shell), result: nothing },
  forget: { params: z.object(shell), result: nothing },
  read: {
    params: z.object({
      ...shell,
      since: z.number().exactOptional(),
      maxBytes: z.number().exactOptional(),
      chunks: z.number().exactOptional(),
      plain: z.boolean().exactOptional(),
      lines: z.number().exactOptional(),
      lastCommand: z.boolean().exactOptional(),
    }),
    result: z.object({ output: Text, chunks: Count, offset: Count, end: Count, missed: Count }),
  },
  screen: {
    params: z.object({ ...shell, lines: z.number().exactOptional(), join: z.boolean().exactOptional() }),
    result: z.object({
      text: Text,
      cols: z.int(),
      rows: z.int(),
      cursor: z.object({ x: z.int(), y: z.int() }),
      offset: Count,
    }),
  },
  snapshot: {
    params: z.object({ ...shell, scrollbackRows: z.number().exactOptional() }),
    result: z.object({ snapshot: Text, cols: z.int(), rows: z.int(), offset: Count }),
  },
  type: { params: z.object({ ...shell, line: Text }), result: z.object({ offset: Count, queued: Count }) },
  run: {
    params: z.object({ ...shell, line: Text, timeoutMs: z.number(), clear: z.boolean().exactOptional() }),
    result: z.object({
      exitCode: z.int(),
      durationMs: z.number(),
      cwd: Text.nullable(),
      output: Text,
      start: Count,
      end: Count,
      missed: z.int(),
    }),
  },
  waitFor: {
    params: z.object({
      ...shell,
      text: Text.exactOptional(),
      fixed: z.boolean().exactOptional(),
      ignoreCase: z.boolean().exactOptional(),
      idle: z.number().exactOptional(),
      exit: z.boolean().exactOptional(),
      since: z.number().exactOptional(),
      echo: z.enum(["include", "skip"]).exactOptional(),
      timeoutMs: z.number(),
    }),
    result: z.object({
      kind: z.enum(["text", "idle", "exit"]),
      matched: Text.nullable(),
      offset: Count,
      end: Count,
      exitCode: z.int().nullable(),
      signal: z.int().nullable(),
    }),
  },
  info: {
    params: z.object(shell),
    result: z.object({
      id: Id,
      pid: z.int(),
      command: Text,
      title: Text,
      cwd: Text.nullable(),
      foreground: Text.nullable(),
      integrated: z.boolean(),
      running: z.boolean(),
      exitCode: z.int().nullable(),
      signal: z.int().nullable(),
      start: Count,
      end: Count,
    }),
  },
  /** Ends all shells of the session and forgets them. */
  dispose: { params: z.object({}), result: nothing },
} as const satisfies Record<string, { readonly params: z.ZodType; readonly result: z.ZodType }>;

/** The answer to `write`, whose bytes are no parameters. */
export const WriteResult = z.object({ queued: Count });

export type CallName = keyof typeof calls;
export type CallParams<M extends CallName> = z.infer<(typeof calls)[M]["params"]>;
export type CallResult<M extends CallName> = z.infer<(typeof calls)[M]["result"]>;
