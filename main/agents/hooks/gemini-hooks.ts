import { createHash } from "node:crypto";
import { z } from "zod";
import type { HookQuestion, HookReport } from "../../../core/protocol/agent-hooks.ts";
import { JsonValue } from "../../../core/protocol/json-value.ts";
import { type QuestionDetail, questionLimits } from "../../../core/protocol/questions.ts";
import { block, line, withCutNote } from "./question-text.ts";
import { assessRisk } from "./risk.ts";

const text = z.string().optional().catch(undefined);

/** Gemini CLI's hook input (https://geminicli.com/docs/hooks/reference), as far as it concerns questions. */
const Event = z.object({
  hook_event_name: z.string(),
  session_id: z.string().max(200),
  cwd: z.string().catch(""),
  notification_type: text,
  details: z
    .object({
      type: z.string(),
      title: z.string().catch(""),
      command: text,
      filePath: text,
      fileDiff: text,
      toolName: text,
      serverName: text,
      prompt: text,
      urls: z.array(z.string()).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  tool_input: z.record(z.string(), JsonValue).catch({}),
});
type Event = z.infer<typeof Event>;
type Details = NonNullable<Event["details"]>;

/** Reads an event of Gemini CLI's hooks. */
export function readGeminiHook(given: unknown): HookReport | undefined {
  const { data: event } = Event.safeParse(given);
  if (event === undefined) return undefined;
  const { session_id: agentSessionId, details, tool_input: input } = event;
  switch (event.hook_event_name) {
    case "Notification":
      if (event.notification_type !== "ToolPermission" || details === undefined) return undefined;
      return { kind: "asks", question: questionOf(agentSessionId, details, event.cwd) };
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
function questionOf(agentSessionId: string, details: Details, cwd: string): HookQuestion {
  const { type, title, command, filePath, prompt, urls = [], serverName, toolName } = details;
  const subject = command ?? filePath ?? urls[0] ?? (toolName && `${serverName ?? ""} ${toolName}`.trim());
  const known = type === "exec" || type === "edit" || type === "info";
  const risk = assessRisk({
    command,
    files: filePath === undefined ? [] : [filePath],
    usesNetwork: urls.length > 0,
    cwd,
  });
  return {
    agentSessionId,
    thread: "",
    call: callOf(command ?? filePath),
    kind: type === "ask_user" ? "choice" : type === "exit_plan_mode" ? "plan" : "permission",
    title: line(
      subject === undefined ? title || "Gemini CLI asks" : `${VERBS[type] ?? "Use"}: ${subject}`,
      questionLimits.title,
    ),
    text: block([title, prompt ?? "", urls.join("\n")].filter(Boolean).join("\n"), "text"),
    detail: detailOf(details),
    options: [],
    acceptsText: false,
    risk: known ? withCutNote(risk, command) : { level: "high", reasons: ["what it does is not known"] },
    takesReply: false,
    onScreen: true,
    reply: () => ({ output: {}, allows: false }),
  };
}

const VERBS: Readonly<Record<string, string>> = { exec: "Run", edit: "Edit", info: "Fetch" };

function detailOf({ command, filePath, fileDiff }: Details): QuestionDetail {
  return {
    ...(command === undefined ? {} : { command: block(command, "command") }),
    ...(filePath === undefined ? {} : { files: [line(filePath, questionLimits.path)] }),
    ...(fileDiff === undefined ? {} : { diff: block(fileDiff, "diff") }),
  };
}

/** Identifies a tool call by what the question and the tool's input have in common; empty where that is nothing. */
function callOf(subject: JsonValue | undefined): string {
  if (typeof subject !== "string") return "";
  return createHash("sha256").update(subject).digest("hex").slice(0, 32);
}
