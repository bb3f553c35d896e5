import { z } from "zod";
import { MAX_WAIT_TIMEOUT_MS } from "../../protocol/limits.ts";
import { ReceiptState } from "../../protocol/receipts.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { exactlyOneOf, waitSeconds } from "../fields.ts";
import { resolveShell, shellTarget } from "./resolve-shell.ts";

export const waitFor = command({
  area: "shells",
  summary: "Wait until a shell prints a text, falls silent, or ends, or an agent in it asks or takes a prompt",
  details:
    "Exactly one of `text`, `idle`, `exit`, `question` and `receipt`; the last one needs no shell. A receipt that can no longer reach the state ends the wait with `prompt_undelivered`. `text` is a regular expression over the output without escape sequences. The wait starts at the cursor `since`, by default now; the answer's `end` is the cursor after the match.",
  params: exactlyOneOf(
    z.object({
      ...shellTarget,
      text: z.string().min(1).max(1000).optional().describe("regular expression that the output must match"),
      fixed: z.boolean().default(false).describe("`text` is the text itself, not a regular expression"),
      ignoreCase: z.boolean().default(false).describe("capital and small letters are the same in `text`"),
      idle: z.int().min(1).max(MAX_WAIT_TIMEOUT_MS).optional().describe("milliseconds without output"),
      exit: z.boolean().default(false).describe("wait for the shell's end"),
      question: z.boolean().default(false).describe("wait for an open question of an agent"),
      receipt: z.int().positive().optional().describe("wait for the receipt of a prompt with this id"),
      state: ReceiptState.optional().describe("state that the receipt must reach; default: accepted"),
      since: z.int().nonnegative().optional().describe("byte offset to start at; default: now"),
      skipEcho: z.boolean().default(false).describe("do not match the echo of what was typed"),
      timeout: waitSeconds,
    }),
    ["text", "idle", "exit", "question", "receipt"],
  ),
  result: relayOps.waitFor.result,
  role: "reader",
  reads: "what shells print",
  scope: "session",
  ownTimeout: true,
  cli: [
    {
      name: "wait-for",
      args: ["id"],
      instead: { id: { param: "match", also: ["receipt"] } },
      examples: [
        "wait-for 1 --text 'listening on :[0-9]+'",
        "wait-for 1 --fixed --ignore-case --text '[done]'",
        "wait-for 1 --idle 500",
        "wait-for 1 --exit --timeout 300",
        "wait-for 1 --question --timeout 3600",
        "wait-for --receipt 12 --state started --timeout 600",
      ],
    },
  ],
  run(context, { id, match, text, fixed, ignoreCase, idle, exit, question, receipt, state, since, skipEcho, timeout }) {
    const isShellNeeded = receipt === undefined || id !== undefined || match !== undefined;
    return context.ask("waitFor", {
      ...(isShellNeeded ? { shell: resolveShell(context, { id, match }).id } : {}),
      text,
      fixed,
      ignoreCase,
      idle,
      exit,
      question,
      receipt,
      state,
      since,
      skipEcho,
      timeoutMs: Math.ceil(timeout * 1000),
    });
  },
});
