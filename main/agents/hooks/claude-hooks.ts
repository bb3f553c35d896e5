import { createHash } from "node:crypto";
import { z } from "zod";
import type { HookQuestion, HookReply, HookReport, LimitsReport } from "../../../core/protocol/agent-hooks.ts";
import type { JsonValue } from "../../../core/protocol/json-value.ts";
import { type QuestionOption, type QuestionRisk, questionLimits } from "../../../core/protocol/questions.ts";
import { claudeCall, ToolInput } from "./claude-actions.ts";
import { nameOfEvent, otherEntries, showContent } from "./question-content.ts";
import { answerForm, answersOf, canOffer, describeChoice, fitsGrant, line } from "./question-text.ts";
import { joinRisks, UNKNOWN_ACTION } from "./risk.ts";

/** The last second that a date can hold. */
const MOST_SECONDS = 8.64e12;

/** Claude Code's hook input (https://code.claude.com/docs/en/hooks), as far as it concerns questions. */
const Event = z.object({
  hook_event_name: z.string(),
  session_id: z.string().max(200),
  cwd: z.string().catch(""),
  agent_id: z.string().max(200).optional(),
  // What is not understood of a call is not shown, so that nobody can allow it here: the agent's own dialog asks.
  tool_name: z.string().max(200).default(""),
  tool_input: ToolInput.nullish().transform((input) => input ?? {}),
  permission_suggestions: z.array(ToolInput).catch([]),
});
type Event = z.infer<typeof Event>;

const Window = z.object({ used_percentage: z.number().min(0), resets_at: z.number().min(0).max(MOST_SECONDS) });

/** The input of the status line (https://code.claude.com/docs/en/statusline), as the hook's script passes it on. */
const Status = z.object({
  session_id: z.string().max(200),
  context_window: z
    .object({ context_window_size: z.int().positive(), total_input_tokens: z.number().catch(0) })
    .optional()
    .catch(undefined),
  rate_limits: z
    .object({ five_hour: Window.nullish().catch(undefined), seven_day: Window.nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
});
type Status = z.infer<typeof Status>;
const StatusLine = z.object({ hook_event_name: z.literal("StatusLine"), status: Status });

const Choice = z.object({
  question: z.string(),
  header: z.string().catch(""),
  multiSelect: z.boolean().catch(false),
  options: z.array(
    z.object({ label: z.string(), description: z.string().catch(""), preview: z.string().optional().catch(undefined) }),
  ),
});

/**
 * The input of `AskUserQuestion` of which all is known: `header` is a short name of the question, `multiSelect` says that it
 * takes several options, and a `preview` is drawn beside its option.
 */
const KnownChoices = z.strictObject({
  questions: z.array(
    z.strictObject({
      question: z.string(),
      header: z.string().optional(),
      multiSelect: z.boolean().optional(),
      options: z.array(
        z.strictObject({ label: z.string(), description: z.string().optional(), preview: z.string().optional() }),
      ),
    }),
  ),
});

/** Reads an event of Claude Code's hooks, or what its status line was given. */
export function readClaudeHook(given: unknown): HookReport | LimitsReport | undefined {
  const status = StatusLine.safeParse(given).data?.status;
  if (status !== undefined) return limitsOf(status);
  const { data: event } = Event.safeParse(given);
  if (event === undefined) return undefined;
  const { session_id: agentSessionId, agent_id: thread = "" } = event;
  switch (event.hook_event_name) {
    case "PermissionRequest":
      return { kind: "asks", question: { ...questionOf(event), event: nameOfEvent(given) } };
    case "PostToolUse":
    case "PostToolUseFailure":
      return { kind: "ran", agentSessionId, call: callOf(event) };
    case "Stop":
    case "StopFailure":
    case "SubagentStop":
    case "UserPromptSubmit":
      return { kind: "turn", agentSessionId, thread };
    case "SessionEnd":
      return { kind: "ended", agentSessionId };
    default:
      return undefined;
  }
}

/** Before the first answer neither the context nor the windows are known. */
function limitsOf({ session_id: agentSessionId, context_window: context, rate_limits: limits }: Status): LimitsReport {
  const windows = [
    { minutes: 300, window: limits?.five_hour },
    { minutes: 7 * 24 * 60, window: limits?.seven_day },
  ].flatMap(({ minutes, window }) =>
    window == null ? [] : [{ minutes, usedPercent: window.used_percentage, resetsAt: window.resets_at * 1000 }],
  );
  const hasAnswered = windows.length > 0 || (context?.total_input_tokens ?? 0) > 0;
  const contextSize = context?.context_window_size;
  return { kind: "limits", agentSessionId, contextSize, windows: hasAnswered ? windows : undefined };
}

function questionOf(event: Event): Omit<HookQuestion, "event"> {
  const common = { agentSessionId: event.session_id, thread: event.agent_id ?? "", call: callOf(event) };
  if (event.tool_name === "AskUserQuestion") return { ...common, ...choiceOf(event) };
  if (event.tool_name === "ExitPlanMode") return { ...common, ...planOf(event) };
  return { ...common, ...permissionOf(event) };
}

type HookQuestionBody = Omit<HookQuestion, "agentSessionId" | "thread" | "call" | "event">;

function permissionOf({
  tool_name: tool,
  tool_input: input,
  permission_suggestions: suggestions,
  cwd,
}: Event): HookQuestionBody {
  const { subject, content, risk, action } = claudeCall(tool, input, cwd);
  const shown = showContent(content);
  const offered = suggestions.flatMap((suggestion) => {
    const label = suggestionLabel(suggestion);
    return label === undefined || !fitsGrant(label) ? [] : [{ label, suggestion }];
  });
  const options: QuestionOption[] = [
    { id: "yes", label: "Yes, this once", key: "y" },
    ...offered.map(({ label }, place) => ({ id: `always-${place + 1}`, label, key: "" })),
    { id: "no", label: "No", key: "n" },
  ];
  const simple = shown.isWhole && canOffer(options.map(({ label }) => label));
  return {
    kind: "permission",
    title: line(`${tool}${subject === undefined ? "" : `: ${subject}`}`, questionLimits.title),
    text: shown.text,
    detail: shown.detail,
    options: simple ? options : [],
    acceptsText: simple,
    action,
    risk: shown.risk(risk),
    takesReply: simple,
    reply({ option, text }, by) {
      if (option === "yes") return allowed({});
      const chosen = offered[Number(option?.replace("always-", "")) - 1];
      if (option !== "no" && chosen !== undefined) return allowed({ updatedPermissions: [chosen.suggestion] });
      return denied(text ?? `Denied by the user (${by}).`, subject);
    },
  };
}

function planOf({ tool_input: input }: Event): HookQuestionBody {
  const plan = textIn(input, "plan");
  const other = otherEntries(input, { plan, planFilePath: textIn(input, "planFilePath") });
  const shown = showContent({ text: plan, input: other });
  const risk: QuestionRisk = { level: "medium", reasons: ["begins to change files"] };
  return {
    kind: "plan",
    title: "Approve the plan?",
    text: shown.text,
    detail: shown.detail,
    options: shown.isWhole
      ? [
          { id: "yes", label: "Yes, and ask before each edit", key: "y" },
          { id: "yes-accept-edits", label: "Yes, and accept edits", key: "" },
          { id: "no", label: "No, keep planning", key: "n" },
        ]
      : [],
    acceptsText: shown.isWhole,
    risk: shown.risk(Object.keys(other).length === 0 ? risk : joinRisks(risk, UNKNOWN_ACTION)),
    takesReply: shown.isWhole,
    reply({ option, text }, by) {
      const mode = planModes.get(option ?? "");
      if (mode === undefined) return denied(text ?? `The user wants to keep planning (${by}).`);
      // Without a mode an approved plan lets Claude Code accept all edits.
      const permission = { type: "setMode", mode, destination: "session" };
      return allowed({ updatedInput: input, updatedPermissions: [permission] });
    },
  };
}

/** The permission mode that follows a plan, by the option that approves it. */
const planModes: ReadonlyMap<string, "default" | "acceptEdits"> = new Map([
  ["yes", "default"],
  ["yes-accept-edits", "acceptEdits"],
]);

/**
 * Questions with more options than can be offered are answered in the terminal only. The answer gives the whole input back,
 * so that one with anything else is shown whole.
 */
function choiceOf({ tool_input: input }: Event): HookQuestionBody {
  const questions = z.array(Choice).safeParse(input.questions).data ?? [];
  const isKnown = KnownChoices.safeParse(input).success;
  const text = questions.map((choice) => describeChoice({ ...choice, options: choice.options.map(withPreview) }));
  const shown = showContent({ text: text.join("\n\n"), input: isKnown ? {} : input });
  const asked = questions.map(({ multiSelect, ...choice }) => ({
    ...choice,
    multiple: multiSelect,
    acceptsText: true,
  }));
  return {
    kind: "choice",
    title: line(questions[0]?.question ?? "The agent asks a question", questionLimits.title),
    text: shown.text,
    detail: shown.detail,
    ...answerForm(shown.isWhole ? asked : []),
    risk: shown.risk(isKnown ? { level: "low", reasons: [] } : UNKNOWN_ACTION),
    reply(answer) {
      const given = answersOf(answer, questions).map((each, place) => [
        questions[place]?.question ?? "",
        each.join(", "),
      ]);
      return allowed({ updatedInput: { ...input, answers: Object.fromEntries(given) } });
    },
  };
}

function withPreview({ label, description, preview }: z.infer<typeof Choice>["options"][number]) {
  return { label, description: [description, preview].filter(Boolean).join("\n") };
}

function allowed(more: Readonly<Record<string, JsonValue>>): HookReply {
  return { output: decision({ behavior: "allow", ...more }), allows: true };
}

function denied(message: string, subject?: string): HookReply {
  return { output: decision({ behavior: "deny", message }), allows: false, recorded: { text: message, subject } };
}

function decision(value: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>> {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { ...value } } };
}

/**
 * Identifies a tool call by its input: a permission request does not carry the id of the call. An answered choice has
 * its answers in the input of the result, and a plan may be edited, so these count by what was asked.
 */
function callOf({ tool_name: tool, tool_input: input, agent_id: thread = "" }: Event): string {
  const asked = tool === "AskUserQuestion" ? (input.questions ?? null) : tool === "ExitPlanMode" ? null : input;
  return createHash("sha256")
    .update(JSON.stringify([thread, tool, asked]))
    .digest("hex")
    .slice(0, 32);
}

const Rules = z.array(z.object({ toolName: z.string(), ruleContent: z.string().optional() })).min(1);
const places: Readonly<Record<string, string>> = {
  session: "in this agent session",
  localSettings: "in this project, for you",
  projectSettings: "in this project, for everyone",
  userSettings: "in all your projects",
};

/** Returns the label of a suggested permission, which says all that it would change; undefined for one that cannot be described. */
function suggestionLabel(suggestion: ToolInput): string | undefined {
  const change = suggestedChange(suggestion);
  return change === undefined ? undefined : `Yes, and ${change}`;
}

function suggestedChange({ type, rules, behavior, destination, directories, mode }: ToolInput): string | undefined {
  const place = typeof destination === "string" ? places[destination] : undefined;
  if (place === undefined) return undefined;
  if (type === "setMode" && (mode === "acceptEdits" || mode === "plan"))
    return `switch to ${mode === "plan" ? "planning" : "accepting all edits"} ${place}`;
  if (type === "addDirectories") {
    const folders = z.array(z.string()).min(1).safeParse(directories).data;
    return folders && `allow the folder ${folders.join(", ")} ${place}`;
  }
  const known = type === "addRules" && behavior === "allow" ? Rules.safeParse(rules).data : undefined;
  const names = known?.map(({ toolName, ruleContent }) => `${toolName}${ruleContent ? `(${ruleContent})` : ""}`);
  return names && `always allow ${names.join(", ")} ${place}`;
}

function textIn(input: ToolInput, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" ? value : undefined;
}
