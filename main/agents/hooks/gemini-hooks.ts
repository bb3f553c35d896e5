import { createHash } from "node:crypto";
import { z } from "zod";
import type { HookQuestion, HookReport } from "../../../core/protocol/agent-hooks.ts";
import { JsonValue } from "../../../core/protocol/json-value.ts";
import { questionLimits } from "../../../core/protocol/questions.ts";
import { nameOfEvent, otherEntries, showContent } from "./question-content.ts";
import { line } from "./question-text.ts";
import { assessRisk, joinRisks, UNKNOWN_ACTION } from "./risk.ts";

const text = z.string().optional().catch(undefined);

/** Gemini CLI's hook input (https://geminicli.com/docs/hooks/reference), as far as it concerns questions. */
const Event = z.object({
  hook_event_name: z.string(),
  session_id: z.string().max(200),
  cwd: z.string().catch(""),
  notification_type: text,
  details: z.record(z.string(), JsonValue).optional().catch(undefined),
  tool_input: z
    .record(z.string(), JsonValue)
    .nullish()
    .transform((input) => input ?? {}),
});
type Event = z.infer<typeof Event>;

const Details = z.object({
  type: z.string(),
  title: text,
  command: text,
  filePath: text,
  fileDiff: text,
  toolName: text,
  serverName: text,
  prompt: text,
  urls: z.array(z.string()).optional().catch(undefined),
});

/** Reads an event of Gemini CLI's hooks. */
export function readGeminiHook(given: unknown): HookReport | undefined {
  const { data: event } = Event.safeParse(given);
  if (event === undefined) return undefined;
  const { session_id: agentSessionId, tool_input: input } = event;
  switch (event.hook_event_name) {
    case "Notification":
      return event.notification_type === "ToolPermission" ? asks(event, given) : undefined;
    case "AfterTool":
      return ranReport(agentSessionId, callOf(input.command ?? input.file_path));
    case "BeforeAgent":
    case "AfterAgent":
      return { kind: "turn", agentSessionId, thread: "" };
    case "SessionEnd":
      return { kind: "ended", agentSessionId };
    default:
      return undefined;
  }
}

/** A tool that nothing identifies says nothing about a question. */
function ranReport(agentSessionId: string, call: string): HookReport | undefined {
  return call === "" ? undefined : { kind: "ran", agentSessionId, call };
}

/** Gemini CLI takes no answer from a hook: the options are those of its dialog, and an answer is typed there. */
function asks({ session_id: agentSessionId, cwd, details = {} }: Event, given: unknown): HookReport | undefined {
  const { data } = Details.safeParse(details);
  if (data === undefined) return undefined;
  const { type, title, command, filePath, fileDiff, prompt, urls, serverName, toolName } = data;
  const subject = command ?? filePath ?? urls?.[0] ?? (toolName && `${serverName ?? ""} ${toolName}`.trim());
  const files = filePath === undefined ? [] : [filePath];
  const kind = kinds.get(type);
  const input = otherEntries(details, { type, title, command, filePath, fileDiff, prompt, urls, ...kind?.repeats });
  const shown = showContent({
    text: [title, prompt, ...(urls ?? [])].filter(Boolean).join("\n"),
    command,
    files,
    diff: fileDiff,
    input,
  });
  const risk = assessRisk({ command, files, usesNetwork: urls !== undefined && urls.length > 0, cwd });
  const isKnown = kind !== undefined && Object.keys(input).length === 0;
  const question: HookQuestion = {
    agentSessionId,
    thread: "",
    call: callOf(command ?? filePath),
    event: nameOfEvent(given),
    kind: type === "ask_user" ? "choice" : type === "exit_plan_mode" ? "plan" : "permission",
    title: line(
      subject === undefined ? title || "Gemini CLI asks" : `${kind?.verb ?? "Use"}: ${subject}`,
      questionLimits.title,
    ),
    text: shown.text,
    detail: shown.detail,
    options: [],
    acceptsText: false,
    risk: shown.risk(isKnown ? risk : joinRisks(risk, UNKNOWN_ACTION)),
    takesReply: false,
    onScreen: true,
    reply: () => ({ output: {}, allows: false }),
  };
  return { kind: "asks", question };
}

/** The requests of which everything is known. `repeats`: what they tell again in other words. */
const kinds: ReadonlyMap<string, { readonly verb: string; readonly repeats: Readonly<Record<string, true>> }> = new Map(
  [
    ["exec", { verb: "Run", repeats: { rootCommand: true, rootCommands: true } }],
    ["edit", { verb: "Edit", repeats: { fileName: true, originalContent: true, newContent: true, isModifying: true } }],
    ["info", { verb: "Fetch", repeats: {} }],
  ],
);

/** Identifies a tool call by what the question and the tool's input have in common; empty where that is nothing. */
function callOf(subject: JsonValue | undefined): string {
  if (typeof subject !== "string") return "";
  return createHash("sha256").update(subject).digest("hex").slice(0, 32);
}
