import { z } from "zod";
import { ShellId } from "./ids.ts";
import { Argv, FixedTitle, Variables } from "./launch.ts";
import { MAX_WAIT_TIMEOUT_MS, WAIT_TIMEOUT_MS } from "./limits.ts";
import { ExpectedProgram, ReceiptState } from "./receipts.ts";
import { Shell, ShellOutput } from "./records.ts";
import { op } from "./relay-op.ts";

/** As much input as may wait for a shell, in characters: a client of this process has no frames that limit it. */
export const MAX_INPUT_CHARACTERS = 16 * 1024 * 1024;

/** What a client asks of one shell: start, end, type, run, read and wait. */
export const shellOps = {
  createShell: op(
    "writer",
    z.object({
      cwd: z.string().max(4096).optional(),
      /** Where that folder is gone: start in the nearest one above it, or the home folder. */
      nearest: z.boolean().optional(),
      command: z.string().max(65_536).optional(),
      exec: Argv.optional(),
      env: Variables.optional(),
      title: FixedTitle.optional(),
      hold: z.boolean().optional(),
      cols: z.int().min(2).max(1000).default(80),
      rows: z.int().min(1).max(1000).default(24),
    }),
    z.object({ shell: Shell }),
    "new",
    { sensitive: ["command", "exec", "env"] },
  ),
  /** Starts again what ran in an ended shell: a new shell takes the place of the old one, in all tiles. */
  respawnShell: op(
    "writer",
    z.object({ shell: ShellId, force: z.boolean().default(false) }),
    z.object({ shell: Shell }),
    { shell: "shell" },
  ),
  closeShell: op("writer", z.object({ shell: ShellId }), z.object({ id: ShellId }), { shell: "shell" }),
  writeShell: op(
    "writer",
    z.object({
      shell: ShellId,
      data: z.string().max(MAX_INPUT_CHARACTERS),
      literal: z.boolean().default(false),
      raw: z.boolean().default(false),
      ...guarded(),
    }),
    z.object({ id: ShellId, queued: queuedBytes() }),
    { shell: "shell" },
    { sensitive: ["data"], frequent: true },
  ),
  sendKeys: op(
    "writer",
    z.object({
      shell: ShellId,
      keys: z.array(z.string().min(1).max(65_536)).min(1).max(1_000),
      literal: z.boolean().default(false),
      ...guarded(),
    }),
    z.object({ id: ShellId, queued: queuedBytes() }),
    { shell: "shell" },
    { sensitive: ["keys"], frequent: true },
  ),
  resizeShell: op(
    "writer",
    z.object({ shell: ShellId, cols: z.int().min(2).max(1000), rows: z.int().min(1).max(1000) }),
    z.object({ id: ShellId, cols: z.int(), rows: z.int() }),
    { shell: "shell" },
    { frequent: true },
  ),
  runInShell: op(
    "writer",
    z.object({
      shell: ShellId,
      command: z.string().max(MAX_INPUT_CHARACTERS),
      wait: z.boolean().default(false),
      clear: z.boolean().default(false),
      timeoutMs: waitTimeout(),
      ...guarded(),
    }),
    z.object({
      id: ShellId,
      exitCode: z.int().nullable().optional(),
      signal: z
        .string()
        .nullable()
        .optional()
        .describe("the signal that the exit code stands for by the shells' rule (128 and its number), such as SIGKILL"),
      durationMs: z.number().optional(),
      cwd: z.string().optional(),
      output: z.string().optional(),
      start: z.int().optional(),
      end: z.int().optional(),
      queued: queuedBytes().optional(),
      missed: z.int().optional().describe("bytes missing at the beginning of `output`"),
    }),
    { shell: "shell" },
    { sensitive: ["command"] },
  ),
  readOutput: op(
    "reader",
    z.object({
      shell: ShellId,
      since: z.int().nonnegative().optional(),
      maxBytes: z
        .int()
        .min(1)
        .max(64 * 1024 * 1024)
        .optional(),
      chunks: z.int().min(1).optional(),
      lines: z.int().min(1).optional(),
      lastCommand: z.boolean().default(false),
      join: z.boolean().default(false),
      format: z.enum(["raw", "plain", "screen"]).default("raw"),
    }),
    ShellOutput,
  ),
  waitFor: op(
    "reader",
    z.object({
      /** Not needed for a receipt, which names its shell. */
      shell: ShellId.optional(),
      text: z.string().min(1).max(1000).optional(),
      fixed: z.boolean().default(false),
      ignoreCase: z.boolean().default(false),
      idle: z.int().min(1).max(MAX_WAIT_TIMEOUT_MS).optional(),
      exit: z.boolean().optional(),
      question: z.boolean().optional(),
      receipt: z.int().positive().optional(),
      state: ReceiptState.optional(),
      since: z.int().nonnegative().optional(),
      skipEcho: z.boolean().default(false),
      timeoutMs: waitTimeout(),
    }),
    z.object({
      id: ShellId,
      kind: z.enum(["text", "idle", "exit", "question", "receipt"]),
      match: z.string().nullable(),
      question: z.int().optional().describe("id of the question that was waited for"),
      receipt: z.int().optional().describe("id of the receipt that was waited for; `match` is its state"),
      groups: z.array(z.string().nullable()).optional(),
      exitCode: z.int().nullable().optional(),
      signal: z.string().nullable().optional().describe("name of the signal that ended the shell, such as SIGKILL"),
      end: z.int(),
    }),
  ),
} as const;

/** See `TypingGuard`. */
function guarded() {
  return { guard: z.boolean().optional(), expect: ExpectedProgram.optional() };
}

function waitTimeout() {
  return z.int().min(1).max(MAX_WAIT_TIMEOUT_MS).default(WAIT_TIMEOUT_MS);
}

function queuedBytes() {
  return z.int().nonnegative().describe("bytes of input that wait until the shell's program reads");
}
