import { z } from "zod";
import { AgentSessionName } from "./agent-records.ts";
import { ShellId } from "./ids.ts";
import { Timestamp } from "./records.ts";

/**
 * Why a shell ended. `lost`: with its shell host, or while no relay ran; `stopped`: because the relay was stopped; `signal`: by
 * a signal, as when the system shuts down; `exited`: by itself.
 */
export const ShellEndCause = z.enum(["lost", "stopped", "signal", "exited"]);
export type ShellEndCause = z.infer<typeof ShellEndCause>;

/** Characters of the last prompt and the last answer that are shown. */
export const MAX_PROOF = 400;

/** Characters of a variable's value that are shown. */
export const MAX_VALUE = 200;

/** A conversation with an agent that ran in a shell when the shell ended. */
export const RestorableAgent = AgentSessionName.extend({
  state: z
    .enum(["ready", "empty", "missing", "busy", "unsupported"])
    .describe(
      "`empty`: nothing was said yet, so that the agent starts anew; `missing`: its transcript is not found now; `busy`: it runs elsewhere; `unsupported`: this kind of agent cannot resume by its id, or the line that does cannot be typed into this shell",
    ),
  why: z.string().optional().describe("why it is not resumed now"),
  assumed: z.literal(true).optional().describe("only folder and time say that it is this conversation"),
  cwd: z.string(),
  command: z.string().describe("the command line that resumes it"),
  leftOut: z.array(z.string()).describe("options of its start that are not repeated, because they are not known"),
  lastPrompt: z.string().optional().describe(`at most ${MAX_PROOF} characters`),
  lastAnswer: z.string().optional().describe(`at most ${MAX_PROOF} characters`),
  lastActivityAt: Timestamp,
}).meta({ id: "RestorableAgent" });
export type RestorableAgent = z.infer<typeof RestorableAgent>;

/** A shell that ended without being closed, and what can be started in its place. */
export const RestorableShell = z
  .object({
    shellId: ShellId,
    title: z.string(),
    cwd: z.string(),
    folderGone: z.literal(true).optional().describe("its folder does not exist now"),
    program: z.string().describe("what is started: a shell, or a program with its arguments"),
    env: z.array(z.string()).describe("names of the variables that it gets as before"),
    values: z
      .record(z.string(), z.string())
      .default({})
      .describe(
        `their values, at most ${MAX_VALUE} characters of each: some choose what a program loads, as LD_PRELOAD does`,
      ),
    withheld: z.array(z.string()).describe("names of variables that are not kept, because they may hold secrets"),
    cause: ShellEndCause,
    endedAt: Timestamp.nullable().describe("null where it ended while no relay ran"),
    process: z.string().nullable().describe("the program in the foreground when it ended; it is not started again"),
    commands: z
      .array(z.string())
      .describe("the last commands in it, where the history is on; none of them is run again"),
    always: z.boolean().describe("shells of this folder start again by themselves"),
    agents: z.array(RestorableAgent).describe("the conversations that ran in it, the latest first"),
    state: z
      .enum(["offered", "started", "resumed", "skipped", "dismissed"])
      .describe("what was done, or with `dryRun` would be done"),
    newShellId: ShellId.optional().describe("the shell in its place"),
    conversation: z.string().optional().describe("id of the conversation that is resumed, or would be"),
    command: z.string().optional().describe("the command line that resumes it"),
    lastPrompt: z.string().optional().describe("of that conversation"),
    why: z.string().optional().describe("why it was skipped, or why no conversation is resumed"),
  })
  .meta({ id: "RestorableShell" });
export type RestorableShell = z.infer<typeof RestorableShell>;

/** What is to be started again. Without `all` or `shell` nothing is: the offers are listed. */
export const RestoreWish = z.object({
  all: z.boolean().default(false).describe("everything that is offered"),
  shell: ShellId.optional().describe("only this shell"),
  resume: z.boolean().default(true).describe("resume the conversations with agents; otherwise only the shells start"),
  conversation: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("id of the conversation to resume, where one shell has several, or one that is only assumed"),
  nearest: z.boolean().default(false).describe("where a folder is gone, start in the nearest one above it"),
  folder: z
    .enum(["always", "ask"])
    .optional()
    .describe(
      "`always`: from now on, shells that ended in this folder start again by themselves, with their latest conversations, unless the agent has options that none was started again with here before; `ask`: no more",
    ),
  dismiss: z.boolean().default(false).describe("start nothing, and do not offer them again"),
  dryRun: z.boolean().default(false).describe("start nothing, and show what would be"),
});
export type RestoreWish = z.infer<typeof RestoreWish>;
