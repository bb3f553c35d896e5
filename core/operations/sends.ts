import { z } from "zod";
import { ShellId } from "../protocol/ids.ts";
import { ExpectedProgram, Receipt, sendLimits } from "../protocol/receipts.ts";
import { ShellLease } from "../protocol/records.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

const ReceiptId = z.int().positive().describe("id of the receipt");
const Prompt = z.string().min(1).max(sendLimits.text);
const ExpiresIn = z
  .number()
  .min(1)
  .max(sendLimits.expirySeconds)
  .describe("seconds after which a prompt that was not written is not written at all");

const LeaseSeconds = z.number().min(1).max(3600).describe("seconds until the lease ends");

export const sendOperations = {
  sendPrompt: operation({
    summary: "Send a prompt to an agent, with a receipt",
    details:
      "Returns the receipt at once; what becomes of the prompt is in its states. Name either the shell or the agent's session. `now` writes the prompt ahead of those that wait, or refuses it; `idle` waits until the agent is between turns and nothing is in the way. The text is pasted, and Enter is pressed only when the screen shows exactly this text in the agent's input. `accepted` and `started` come from the agent's own transcript.",
    params: z.object({
      session: SessionParam,
      shellId: ShellId.optional().describe("shell that the agent runs in"),
      agentSessionId: z.string().min(1).max(200).optional().describe("the agent's own session, in place of a shell"),
      text: Prompt.describe("the prompt, without Enter"),
      when: z.enum(["now", "idle"]).default("idle").describe("write it now, or when the agent is between turns"),
      expiresIn: ExpiresIn.default(3600),
      guard: z
        .boolean()
        .default(true)
        .describe("refuse, or with `idle` wait, while a question, a draft or another writer is in the way"),
      expect: ExpectedProgram.optional().describe(
        "kind of the agent, or a regular expression for the program, that must be in front",
      ),
    }),
    result: Receipt,
    access: "shells",
    effect: "change",
    sensitive: ["text"],
    http: { method: "POST", path: "sessions/:session/prompts", status: 201 },
    cli: {
      word: "send-prompt",
      args: ["shellId", "text"],
      stdin: "text",
      awaits: ["written", "echoed", "accepted", "started"],
      examples: [
        "send-prompt 3 'run the tests again'",
        "send-prompt 3 --wait accepted 'run the tests again'",
        "send-prompt 3 --when now 'stop after this step'",
        "send-prompt 3 - < prompt.md",
      ],
    },
    panel: true,
  }),
  getReceipts: operation({
    summary: "List the receipts of prompts",
    details:
      "Those that are not final, in the order of their queues; with `all` the final ones too, as far as they are kept.",
    params: z.object({
      session: SessionParam,
      shell: ShellId.optional().describe("only those of this shell"),
      agentSessionId: z.string().min(1).max(200).optional().describe("only those sent to this session of an agent"),
      all: z.boolean().default(false).describe("list the final ones too"),
    }),
    result: z.array(Receipt),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/receipts" },
    cli: {
      word: "receipts",
      columns: ["id", "shellId", "agentType", "state", "reason", "text", "by"],
      examples: ["receipts", "receipts --all --shell 3"],
    },
    panel: true,
  }),
  getReceipt: operation({
    summary: "Read the receipt of a prompt, with its states and their evidence",
    params: z.object({ session: SessionParam, id: ReceiptId }),
    result: Receipt.extend({ prompt: z.string().describe("the whole prompt") }),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/receipts/:id" },
    cli: { word: "receipt", args: ["id"], examples: ["receipt 12"] },
    panel: true,
  }),
  editPrompt: operation({
    summary: "Change a prompt that waits in its queue",
    details:
      "Refused with `prompt_sent` once it is being written. A prompt with another text is its editor's from then on; an agent changes only its own.",
    params: z.object({
      session: SessionParam,
      id: ReceiptId,
      text: Prompt.optional().describe("another text"),
      position: z.int().min(1).max(sendLimits.queuedPerShell).optional().describe("place in the shell's queue, from 1"),
      when: z.enum(["now", "idle"]).optional().describe("write it now, or when the agent is between turns"),
      expiresIn: ExpiresIn.optional(),
    }),
    result: Receipt,
    access: "shells",
    effect: "change",
    sensitive: ["text"],
    http: { method: "PATCH", path: "sessions/:session/receipts/:id" },
    cli: {
      word: "edit-prompt",
      args: ["id", "text"],
      stdin: "text",
      examples: ["edit-prompt 12 'run the unit tests only'", "edit-prompt 12 --position 1"],
    },
    panel: true,
  }),
  cancelPrompt: operation({
    summary: "Take a prompt out of its queue",
    details:
      "Refused with `prompt_sent` once it is being written. The receipt is then refused, with the reason `cancelled`. An agent cancels only its own.",
    params: z.object({ session: SessionParam, id: ReceiptId }),
    result: Receipt,
    access: "shells",
    effect: "change",
    http: { method: "DELETE", path: "sessions/:session/receipts/:id" },
    cli: { word: "cancel-prompt", args: ["id"], examples: ["cancel-prompt 12"] },
    panel: true,
  }),
  takeLease: operation({
    summary: "Take the writer lease of a shell",
    details:
      "While a program holds the lease, guarded input of other programs to the shell is refused with `lease_held`. The holder takes it again to keep it longer. It ends with its time, with the holder's credential or shell, and at once when a person presses a key in the shell.",
    params: z.object({ session: SessionParam, shellId: ShellId, seconds: LeaseSeconds.default(60) }),
    result: ShellLease,
    access: "shells",
    effect: "change",
    http: { method: "PUT", path: "sessions/:session/shells/:shellId/lease" },
    cli: { word: "lease", action: "take", args: ["shellId"], examples: ["lease take 3 --seconds 300"] },
  }),
  releaseLease: operation({
    summary: "Give up the writer lease of a shell",
    details: "Refused with `lease_held` for another program's. A key that is not for automation ends any lease.",
    params: z.object({ session: SessionParam, shellId: ShellId }),
    result: z.object({ released: z.boolean().describe("false where nothing held a lease") }),
    access: "shells",
    effect: "change",
    http: { method: "DELETE", path: "sessions/:session/shells/:shellId/lease" },
    cli: { word: "lease", action: "release", args: ["shellId"], examples: ["lease release 3"] },
  }),
  handOverLease: operation({
    summary: "Give the writer lease of a shell to another program",
    details:
      "To the programs in another shell, or to those with a key. Only the holder may, or a key that is not for automation.",
    params: z.object({
      session: SessionParam,
      shellId: ShellId,
      toShell: ShellId.optional().describe("the programs in this shell"),
      toKey: z.string().min(1).max(100).optional().describe("the programs with the key of this name or id"),
      seconds: LeaseSeconds.default(60),
    }),
    result: ShellLease,
    access: "shells",
    effect: "change",
    http: { method: "POST", path: "sessions/:session/shells/:shellId/lease/handover" },
    cli: {
      word: "lease",
      action: "hand-over",
      args: ["shellId"],
      wordSummary: "take, give up or hand over the writer lease of a shell",
      examples: ["lease hand-over 3 --to-shell 5", "lease hand-over 3 --to-key ci --seconds 300"],
    },
  }),
} as const;
