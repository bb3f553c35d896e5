import { isAbsolute } from "node:path";
import { z } from "zod";
import { AcpReport } from "../../../core/protocol/acp-agents.ts";
import type { HookQuestion, HookReport } from "../../../core/protocol/agent-hooks.ts";
import { type QuestionDetail, type QuestionOption, questionLimits } from "../../../core/protocol/questions.ts";
import {
  asSeen,
  block,
  canOffer,
  commandLine,
  line,
  numberedOptions,
  numberKey,
  withCutNote,
} from "./question-text.ts";
import { assessRisk } from "./risk.ts";

const text = z.string().optional().catch(undefined);
const Diff = z.object({
  type: z.literal("diff"),
  path: z.string(),
  oldText: z.string().nullish(),
  newText: z.string(),
});
const Content = z.object({ type: z.literal("content"), content: z.object({ text: z.string() }) });

/** A tool call, as far as it concerns questions. What an agent adds or leaves out does not matter. */
const ToolCall = z.object({
  title: text,
  kind: text,
  rawInput: z
    .object({
      command: z
        .union([z.string(), z.array(z.string())])
        .optional()
        .catch(undefined),
      description: text,
    })
    .catch({}),
  content: z.array(z.unknown()).nullish().catch([]),
  locations: z.array(z.unknown()).nullish().catch([]),
});
type ToolCall = z.infer<typeof ToolCall>;

const PermissionOption = z.object({
  optionId: z.string().min(1).max(questionLimits.answer),
  name: z.string(),
  kind: z.enum(["allow_once", "allow_always", "reject_once", "reject_always"]),
});
type PermissionOption = z.infer<typeof PermissionOption>;

type PermissionReport = Extract<AcpReport, { readonly type: "permission" }>;

/** Reads a report of `patchbay acp` (https://agentclientprotocol.com), whose agent may have written any of its texts. */
export function readAcpHook(given: unknown): HookReport | undefined {
  const { data: report } = AcpReport.safeParse(given);
  if (report === undefined) return undefined;
  const agentSessionId = report.session;
  switch (report.type) {
    case "permission":
      return { kind: "asks", question: permissionOf(report) };
    case "settled": {
      const { call, decision } = report;
      return { kind: "settled", agentSessionId, call, ...(decision !== undefined && { decision }) };
    }
    case "ran":
    case "withdrawn":
      return { kind: report.type, agentSessionId, call: report.call };
    case "turn":
      return { kind: "turn", agentSessionId, thread: THREAD };
    case "ended":
      return { kind: "ended", agentSessionId };
  }
}

/** An agent session has one thread: the protocol knows no sub-agents. */
const THREAD = "";

function permissionOf({ session, call, cwd, toolCall, options: given }: PermissionReport): HookQuestion {
  const tool = ToolCall.safeParse(toolCall).data ?? NOTHING;
  const offered = offeredOptions(given);
  const { title = "", rawInput } = tool;
  const command = commandOf(tool);
  const diffs = (tool.content ?? []).flatMap((one) => Diff.safeParse(one).data ?? []);
  const files = filesOf(tool, diffs);
  return {
    agentSessionId: session,
    thread: THREAD,
    call,
    kind: offered.isChoice ? "choice" : "permission",
    title: line(title || command || "The agent asks for permission", questionLimits.title),
    text: block(rawInput.description ?? contentText(tool), "text"),
    detail: detailOf(command, files, diffs),
    options: offered.options.map(({ option }) => option),
    acceptsText: false,
    action: tool.kind === "fetch" ? { does: "fetch" } : undefined,
    risk: withCutNote(riskOf(tool, { command, files, cwd }), command),
    takesReply: offered.options.length > 0,
    tellsAnswers: true,
    reply({ option }) {
      const chosen = offered.options.find((one) => one.option.id === option)?.given;
      if (chosen === undefined) return { output: {}, allows: false };
      const { optionId, kind } = chosen;
      return { output: { option: optionId }, allows: kind.startsWith("allow"), decision: optionId };
    },
  };
}

const NOTHING: ToolCall = { rawInput: {} };

interface Offered {
  readonly isChoice: boolean;
  readonly options: readonly { readonly option: QuestionOption; readonly given: PermissionOption }[];
}

/**
 * The agent's options: its one way to allow once is "yes", its one way to refuse once is "no". With several of them it asks
 * for a choice. None where one is not understood, two have the same id or look the same, one is called what another is
 * answered by, or there are too many: the terminal has them all.
 */
function offeredOptions(given: unknown): Offered {
  const known = z.array(PermissionOption).min(1).safeParse(given).data ?? [];
  const isClear = new Set(known.map(({ optionId }) => optionId)).size === known.length;
  if (!isClear || !canOffer(known.map(({ name }) => name))) return { isChoice: false, options: [] };
  const isChoice = ["allow_once", "reject_once"].some((kind) => known.filter((one) => one.kind === kind).length > 1);
  const numbered = numberedOptions(known.map(({ name }) => name));
  let others = 0;
  const options = known.flatMap((one, place) => {
    const plain = numbered[place];
    if (plain === undefined) return [];
    if (isChoice) return { option: plain, given: one };
    if (one.kind === "allow_once") return { option: { ...plain, id: "yes", key: "y" }, given: one };
    if (one.kind === "reject_once") return { option: { ...plain, id: "no", key: "n" }, given: one };
    const key = numberKey(others);
    others += 1;
    return {
      option: { ...plain, id: `${one.kind === "allow_always" ? "always" : "never"}-${others}`, key },
      given: one,
    };
  });
  // An option to allow that is called "No" would be chosen by "yes".
  const isMisnamed = options.some(({ option: { id, label } }) =>
    options.some(({ option: other }) => other.id !== id && other.id === asSeen(label)),
  );
  return isMisnamed && !isChoice ? { isChoice, options: [] } : { isChoice, options };
}

function commandOf({ rawInput: { command } }: ToolCall): string | undefined {
  return Array.isArray(command) ? commandLine(command) : command;
}

function filesOf({ kind, locations }: ToolCall, diffs: readonly z.infer<typeof Diff>[]): string[] {
  const changes = kind === "edit" || kind === "delete" || kind === "move";
  const places = (changes ? (locations ?? []) : []).flatMap(
    (one) => z.object({ path: z.string() }).safeParse(one).data?.path ?? [],
  );
  return [...new Set([...diffs.map(({ path }) => path), ...places])];
}

function detailOf(
  command: string | undefined,
  files: readonly string[],
  diffs: readonly z.infer<typeof Diff>[],
): QuestionDetail {
  const marked = (sign: string, lines: string) => lines.split("\n").map((each) => `${sign}${each}`);
  const diff = diffs.flatMap(({ path, oldText, newText }) => [
    ...(diffs.length > 1 ? [path] : []),
    ...(oldText ? marked("-", oldText) : []),
    ...marked("+", newText),
  ]);
  return {
    ...(command === undefined ? {} : { command: block(command, "command") }),
    ...(files.length > 0 && {
      files: files.slice(0, questionLimits.files).map((path) => line(path, questionLimits.path)),
    }),
    ...(diffs.length > 0 && { diff: block(diff.join("\n"), "diff") }),
  };
}

function contentText({ content }: ToolCall): string {
  return (content ?? []).flatMap((one) => Content.safeParse(one).data?.content.text ?? []).join("\n");
}

/** The agent's own word for the kind counts, and where it tells no command, its title: both are what the user reads. */
function riskOf(
  { kind, title }: ToolCall,
  {
    command,
    files,
    cwd,
  }: { readonly command: string | undefined; readonly files: readonly string[]; readonly cwd: string },
): HookQuestion["risk"] {
  const folder = isAbsolute(cwd) ? cwd : "";
  switch (kind) {
    case "read":
    case "search":
    case "think":
      return assessRisk({ command, files, cwd: folder });
    case "edit":
    case "move":
      return assessRisk({ command, files: files.length === 0 ? ["."] : files, cwd: folder });
    case "delete":
      return assessRisk({ command: command ?? "rm", files, cwd: folder });
    case "fetch":
      return assessRisk({ command, usesNetwork: true, cwd: folder });
    case "execute":
      return assessRisk({ command: command ?? title ?? "", files, cwd: folder });
    default:
      return command === undefined
        ? { level: "high", reasons: ["what it does is not known"] }
        : assessRisk({ command, files, cwd: folder });
  }
}
