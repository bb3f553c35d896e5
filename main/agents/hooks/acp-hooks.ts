import { isAbsolute } from "node:path";
import { z } from "zod";
import { AcpReport } from "../../../core/protocol/acp-agents.ts";
import type { HookQuestion, HookReport } from "../../../core/protocol/agent-hooks.ts";
import { type QuestionOption, questionLimits } from "../../../core/protocol/questions.ts";
import { changedLines, nameOfEvent, otherEntries, showContent } from "./question-content.ts";
import { canOffer, commandLine, labelAsSeen, line, numberedOptions } from "./question-text.ts";
import { assessRisk, joinRisks, UNKNOWN_ACTION } from "./risk.ts";

const text = z.string().optional().catch(undefined);
const Diff = z.object({
  type: z.literal("diff"),
  path: z.string(),
  oldText: z.string().nullish(),
  newText: z.string(),
});
type Diff = z.infer<typeof Diff>;
const Content = z.object({ type: z.literal("content"), content: z.object({ text: z.string() }) });

/** A tool call, as far as it concerns questions. What an agent adds or leaves out does not matter. */
const ToolCall = z.object({
  title: text,
  kind: text,
  /** What the tool is given, in the agent's own form. */
  rawInput: z.unknown().optional(),
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

/** Inputs that a question has a part of its own for. */
const Input = z.object({
  command: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  description: text,
});
type Input = z.infer<typeof Input>;

/** Returns what a tool is given beside what a question shows of it: a change is shown as a diff, which names its file. */
function inputOf({ rawInput, content }: ToolCall, { command, description }: Input, diffs: readonly Diff[]) {
  const blocks = (content ?? []).filter((one) => !Diff.safeParse(one).success && !Content.safeParse(one).success);
  const given = {
    ...(z.record(z.string(), z.unknown()).safeParse(rawInput ?? {}).data ?? { input: rawInput }),
    ...(blocks.length > 0 && { blocks }),
  };
  const shown = new Set(diffs.flatMap(({ path, oldText, newText }) => [path, oldText, newText]));
  const others = Object.entries(otherEntries(given, { command, description }));
  const isShown = (name: string, value: unknown) =>
    KNOWN_INPUTS.has(name) && typeof value === "string" && shown.has(value);
  return Object.fromEntries(others.filter(([name, value]) => !isShown(name, value)));
}

/** An agent session has one thread: the protocol knows no sub-agents. */
const THREAD = "";

function permissionOf(report: PermissionReport): HookQuestion {
  const { session, call, cwd, toolCall, cut = false, options: given } = report;
  const tool = ToolCall.safeParse(toolCall).data ?? { rawInput: toolCall };
  const known = Input.safeParse(tool.rawInput).data ?? {};
  const { title = "" } = tool;
  const command = Array.isArray(known.command) ? commandLine(known.command) : known.command;
  const diffs = (tool.content ?? []).flatMap((one) => Diff.safeParse(one).data ?? []);
  const files = filesOf(tool, diffs);
  const name = line(title || command || "The agent asks for permission", questionLimits.title);
  const input = inputOf(tool, known, diffs);
  const told = [name === title ? "" : title, known.description, contentText(tool), cut ? CUT : ""];
  const shown = showContent({ text: told.filter(Boolean).join("\n"), command, files, diff: diffOf(diffs), input });
  const offered = shown.isWhole && !cut ? offeredOptions(given) : NOTHING_OFFERED;
  const isKnown = !cut && Object.keys(input).every((entry) => KNOWN_INPUTS.has(entry));
  const risk = riskOf(tool, { command, files, cwd });
  return {
    agentSessionId: session,
    thread: THREAD,
    call,
    event: nameOfEvent(report),
    kind: offered.isChoice ? "choice" : "permission",
    title: name,
    text: shown.text,
    detail: shown.detail,
    options: offered.options.map(({ option }) => option),
    acceptsText: false,
    action: tool.kind === "fetch" ? { does: "fetch" } : undefined,
    risk: shown.risk(isKnown ? risk : joinRisks(risk, UNKNOWN_ACTION)),
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

const CUT = "Its input is too long to be passed on: read it in the terminal.";

/** Names of inputs that the tools of agents have, and that do nothing beside what their question says. */
const KNOWN_INPUTS: ReadonlySet<string> = new Set([
  ...["file_path", "filePath", "path", "absolute_path", "abs_path", "dir_path", "notebook_path", "cell_id"],
  ...["content", "old_string", "new_string", "oldString", "newString", "new_source", "replace_all", "replaceAll"],
  ...["offset", "limit", "pattern", "glob", "query", "url", "prompt", "timeout", "cwd", "workdir", "directory"],
]);

interface Offered {
  readonly isChoice: boolean;
  readonly options: readonly { readonly option: QuestionOption; readonly given: PermissionOption }[];
}

const NOTHING_OFFERED: Offered = { isChoice: false, options: [] };

/**
 * The agent's options: its one way to allow once is "yes", its one way to refuse once is "no". With several of them it asks
 * for a choice. None where one is not understood, two have the same id or look the same, one is called what another is
 * answered by, or there are too many: the terminal has them all.
 */
function offeredOptions(given: unknown): Offered {
  const known = z.array(PermissionOption).min(1).safeParse(given).data ?? [];
  const isClear = new Set(known.map(({ optionId }) => optionId)).size === known.length;
  if (!isClear || !canOffer(known.map(({ name }) => name))) return NOTHING_OFFERED;
  const isChoice = ["allow_once", "reject_once"].some((kind) => known.filter((one) => one.kind === kind).length > 1);
  const numbered = numberedOptions(known.map(({ name }) => name));
  let others = 0;
  const options = known.flatMap((one, place) => {
    const plain = numbered[place];
    if (plain === undefined) return [];
    if (isChoice) return { option: plain, given: one };
    if (one.kind === "allow_once") return { option: { ...plain, id: "yes", key: "y" }, given: one };
    if (one.kind === "reject_once") return { option: { ...plain, id: "no", key: "n" }, given: one };
    others += 1;
    const id = `${one.kind === "allow_always" ? "always" : "never"}-${others}`;
    return { option: { ...plain, id, key: "" }, given: one };
  });
  // An option to allow that is called "No" would be chosen by "yes".
  const isMisnamed = options.some(({ option: { id, label } }) =>
    options.some(({ option: other }) => other.id !== id && labelAsSeen(other.id) === labelAsSeen(label)),
  );
  return isMisnamed && !isChoice ? { isChoice, options: [] } : { isChoice, options };
}

function filesOf({ kind, locations }: ToolCall, diffs: readonly Diff[]): string[] {
  const changes = kind === "edit" || kind === "delete" || kind === "move";
  const places = (changes ? (locations ?? []) : []).flatMap(
    (one) => z.object({ path: z.string() }).safeParse(one).data?.path ?? [],
  );
  return [...new Set([...diffs.map(({ path }) => path), ...places])];
}

function diffOf(diffs: readonly Diff[]): string | undefined {
  if (diffs.length === 0) return undefined;
  const changes = diffs.map(({ path, oldText, newText }) => {
    const lines = changedLines(oldText ?? "", newText);
    return diffs.length > 1 ? `${path}\n${lines}` : lines;
  });
  return changes.join("\n");
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
      return command === undefined ? UNKNOWN_ACTION : assessRisk({ command, files, cwd: folder });
  }
}
