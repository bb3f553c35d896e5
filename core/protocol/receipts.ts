import { z } from "zod";
import { SessionId, ShellId } from "./ids.ts";
import { Timestamp } from "./records.ts";

/**
 * What is known of a prompt that was sent to an agent, by what the relay has seen itself:
 *
 * - `queued`: nothing was written yet.
 * - `written`: the terminal has taken the bytes.
 * - `echoed`: the terminal's screen shows the text in the agent's input.
 * - `accepted`: the agent's own transcript contains the prompt.
 * - `started`: the agent works on it.
 * - `refused`: nothing was written; `reason` says why.
 * - `expired`: nothing was written in time.
 * - `uncertain`: something was written, and the agent's record does not show it. A later record still counts.
 */
export const ReceiptState = z.enum([
  "queued",
  "written",
  "echoed",
  "accepted",
  "started",
  "refused",
  "expired",
  "uncertain",
]);
export type ReceiptState = z.infer<typeof ReceiptState>;

/** States that may follow each state. */
const next: Readonly<Record<ReceiptState, readonly ReceiptState[]>> = {
  queued: ["written", "refused", "expired", "uncertain"],
  written: ["echoed", "accepted", "uncertain"],
  echoed: ["accepted", "uncertain"],
  accepted: ["started"],
  started: [],
  refused: [],
  expired: [],
  uncertain: ["accepted"],
};

/** Whether a receipt may go from one state to the other. */
export function mayFollow(state: ReceiptState, following: ReceiptState): boolean {
  return next[state].includes(following);
}

/** How far a prompt has come; of states on the way to `started`, a later one includes the earlier ones. */
const progress: readonly ReceiptState[] = ["queued", "written", "echoed", "accepted", "started"];

/** Whether a receipt has reached a state, or one that includes it. */
export function hasReached({ history }: Pick<Receipt, "history">, wanted: ReceiptState): boolean {
  const step = progress.indexOf(wanted);
  return history.some(({ state }) => state === wanted || (step >= 0 && progress.indexOf(state) >= step));
}

/** What the guard finds in the way of a program's input. These are error codes too. */
export const GuardReason = z.enum([
  "question_open",
  "draft_unsent",
  "lease_held",
  "unexpected_program",
  "terminal_mode",
]);
export type GuardReason = z.infer<typeof GuardReason>;

/** Why a prompt was not written. */
export const RefusalReason = z.enum([
  ...GuardReason.options,
  "budget_reached",
  "agent_busy",
  "agent_gone",
  "shell_exited",
  "cancelled",
  "not_permitted",
  "terminal_failed",
]);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** The program that input is for: `shell` for the prompt, the kind of an agent, or a regular expression for its name. */
export const ExpectedProgram = z
  .string()
  .min(1)
  .max(1000, { abort: true })
  .refine(isPattern, { error: "expected `shell`, the kind of an agent, or a regular expression" });

function isPattern(text: string): boolean {
  try {
    // Bounded pattern: it is compiled here, and never run.
    new RegExp(text, "m");
    return true;
  } catch {
    return false;
  }
}

/** Sizes of the queues. Lengths in UTF-16 code units. */
export const sendLimits = {
  text: 65_536,
  shownText: 200,
  /** Prompts that wait for one shell: programs add no more. */
  queuedPerShell: 50,
  /** Prompts of one caller that wait in a session. */
  queuedPerCaller: 50,
  /** Prompts that wait in a session: programs add no more. */
  queuedPerSession: 500,
  /** Receipts of one session that are final: beyond this number the oldest are dropped. */
  keptFinal: 500,
  /** Seconds that a final receipt is kept. */
  keptSeconds: 7 * 24 * 3600,
  expirySeconds: 7 * 24 * 3600,
} as const;

/** The receipt of a prompt (docs/sends.md). */
export const Receipt = z
  .object({
    id: z.int(),
    session: SessionId,
    shellId: ShellId,
    agentType: z.string().describe("empty for a program that is not known as an agent"),
    agentSessionId: z
      .string()
      .describe("the agent's own session when the prompt was sent; empty where it is not known"),
    text: z.string().describe(`the prompt's first ${sendLimits.shownText} characters`),
    length: z.int().describe("characters of the whole prompt"),
    when: z.enum(["now", "idle"]),
    guard: z.boolean(),
    expect: z.string().nullable().describe("the program that must be in front"),
    by: z.string().describe("who sent it"),
    state: ReceiptState,
    final: z.boolean().describe("the state will not change any more"),
    reason: RefusalReason.nullable().describe(
      "why it was refused, or what kept it from being written before it expired",
    ),
    waitsFor: z.string().nullable().describe("what a queued prompt waits for"),
    history: z.array(z.object({ state: ReceiptState, at: Timestamp, evidence: z.string() })),
    expiresAt: Timestamp.describe("a prompt that is not written by then is not written at all"),
  })
  .meta({ id: "Receipt" });
export type Receipt = z.infer<typeof Receipt>;
