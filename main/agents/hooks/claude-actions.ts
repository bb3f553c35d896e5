import { isAbsolute } from "node:path";
import { z } from "zod";
import { JsonValue } from "../../../core/protocol/json-value.ts";
import type { ToolAction } from "../../../core/protocol/policies.ts";
import type { QuestionRisk } from "../../../core/protocol/questions.ts";
import { changedLines, otherEntries, type ToolContent } from "./question-content.ts";
import { assessRisk, joinRisks, UNKNOWN_ACTION } from "./risk.ts";

export const ToolInput = z.record(z.string(), JsonValue);
export type ToolInput = z.infer<typeof ToolInput>;

/** A tool call of Claude Code, as a question shows and judges it. */
interface ClaudeCall {
  /** What the title names beside the tool. */
  readonly subject?: string | undefined;
  readonly content: ToolContent;
  readonly risk: QuestionRisk;
  /** What it does, where that is certain: policies answer no other call. */
  readonly action?: ToolAction | undefined;
}

const count = z.number();
const flag = z.boolean();

/** Inputs of Claude Code's own tools, with all that is known of them: a tool call with anything else is not understood. */
const Read = z.strictObject({
  file_path: z.string(),
  offset: count.optional(),
  limit: count.optional(),
  pages: z.string().optional(),
});
const Grep = z.strictObject({
  pattern: z.string(),
  path: z.string().optional(),
  glob: z.string().optional(),
  type: z.string().optional(),
  output_mode: z.string().optional(),
  "-A": count.optional(),
  "-B": count.optional(),
  "-C": count.optional(),
  "-i": flag.optional(),
  "-n": flag.optional(),
  "-o": flag.optional(),
  context: count.optional(),
  head_limit: count.optional(),
  offset: count.optional(),
  multiline: flag.optional(),
});
const Glob = z.strictObject({ pattern: z.string(), path: z.string().optional() });
const Bash = z.strictObject({
  command: z.string(),
  description: z.string().optional(),
  timeout: count.optional(),
  run_in_background: flag.optional(),
  dangerouslyDisableSandbox: flag.optional(),
});
const Write = z.strictObject({ file_path: z.string(), content: z.string() });
const Change = z.strictObject({ old_string: z.string(), new_string: z.string(), replace_all: flag.optional() });
const Edit = Change.extend({ file_path: z.string() });
const MultiEdit = z.strictObject({ file_path: z.string(), edits: z.array(Change).min(1) });
const NotebookEdit = z.strictObject({
  notebook_path: z.string(),
  new_source: z.string(),
  cell_id: z.string().optional(),
  cell_type: z.string().optional(),
  edit_mode: z.string().optional(),
});
const WebFetch = z.strictObject({ url: z.string(), prompt: z.string() });
const WebSearch = z.strictObject({
  query: z.string(),
  allowed_domains: z.array(z.string()).optional(),
  blocked_domains: z.array(z.string()).optional(),
});

/** Patterns of names in a folder and all below it. One with a folder's name could lead through a link. */
const NAMES_BELOW = /^(?:\*\*\/)?[^/\\]+$/;

/**
 * Says what a tool call of Claude Code shows and does. Tools are known by their exact names: those of other servers have
 * another form (`mcp__server__tool`). What has not exactly a known input is shown whole, as JSON.
 */
export function claudeCall(tool: string, input: ToolInput, cwd: string): ClaudeCall {
  return knownCall(tool, input, cwd) ?? unknownCall(tool, input, cwd);
}

function knownCall(tool: string, input: ToolInput, cwd: string): ClaudeCall | undefined {
  switch (tool) {
    case "Read":
      return known(Read, input, ({ file_path: path }) => ({
        subject: path,
        content: { files: [path], input: otherEntries(input, { file_path: path }) },
        risk: assessRisk({ reads: [path], cwd }),
        action: reads(path),
      }));
    case "Grep":
      return known(Grep, input, ({ pattern, path }) => ({
        subject: pattern,
        content: { input },
        risk: assessRisk({ reads: [path ?? "."], cwd }),
        action: reads(path ?? cwd),
      }));
    case "Glob":
      return known(Glob, input, ({ pattern, path }) => ({
        subject: pattern,
        content: { input },
        risk: assessRisk({ reads: [path ?? ".", pattern], cwd }),
        action: NAMES_BELOW.test(pattern) && !pattern.includes("..") ? reads(path ?? cwd) : undefined,
      }));
    case "Bash":
      return known(Bash, input, (data) => bashCall(data, input, cwd));
    case "Write":
      return known(Write, input, ({ file_path: path, content }) => changeOf(path, changedLines("", content), {}, cwd));
    case "Edit":
      return known(Edit, input, ({ file_path, old_string, new_string }) => {
        const other = otherEntries(input, { file_path, old_string, new_string });
        return changeOf(file_path, changedLines(old_string, new_string), other, cwd);
      });
    case "MultiEdit":
      return known(MultiEdit, input, ({ file_path: path, edits }) => changeOf(path, diffOf(edits), {}, cwd));
    case "NotebookEdit":
      return known(NotebookEdit, input, ({ notebook_path, new_source }) => {
        const other = otherEntries(input, { notebook_path, new_source });
        return changeOf(notebook_path, changedLines("", new_source), other, cwd);
      });
    case "WebFetch":
      return known(WebFetch, input, ({ url, prompt }) => ({
        subject: url,
        content: { text: `${url}\n${prompt}` },
        risk: assessRisk({ usesNetwork: true, cwd }),
        action: { does: "fetch" },
      }));
    case "WebSearch":
      return known(WebSearch, input, ({ query }) => ({
        subject: query,
        content: { input },
        risk: assessRisk({ usesNetwork: true, cwd }),
        action: { does: "fetch" },
      }));
    default:
      return undefined;
  }
}

function known<Schema extends z.ZodType>(
  schema: Schema,
  input: ToolInput,
  call: (data: z.infer<Schema>) => ClaudeCall,
): ClaudeCall | undefined {
  const { data } = schema.safeParse(input);
  return data === undefined ? undefined : call(data);
}

/** A command of which all is known but the rest of its input is shown as a command too, with that rest. */
function unknownCall(tool: string, input: ToolInput, cwd: string): ClaudeCall {
  const { command } = input;
  if (tool === "Bash" && typeof command === "string") {
    const call = bashCall({ command }, input, cwd);
    return { ...call, risk: joinRisks(call.risk, UNKNOWN_ACTION), action: undefined };
  }
  const isWeb = tool === "WebFetch" || tool === "WebSearch";
  return {
    content: { input },
    risk: joinRisks(assessRisk({ usesNetwork: isWeb, cwd }), UNKNOWN_ACTION),
    action: isWeb ? { does: "fetch" } : undefined,
  };
}

function bashCall(
  { command, description, run_in_background, dangerouslyDisableSandbox }: z.infer<typeof Bash>,
  input: ToolInput,
  cwd: string,
): ClaudeCall {
  const risk = assessRisk({ command, cwd });
  return {
    subject: command,
    content: { text: description, command, input: otherEntries(input, { command, description }) },
    risk: dangerouslyDisableSandbox === true ? joinRisks(risk, NO_SANDBOX) : risk,
    action:
      run_in_background !== true && dangerouslyDisableSandbox === undefined ? { does: "run", command, cwd } : undefined,
  };
}

const NO_SANDBOX: QuestionRisk = { level: "high", reasons: ["runs outside the sandbox"] };

function changeOf(path: string, diff: string, other: ToolInput, cwd: string): ClaudeCall {
  return {
    subject: path,
    content: { files: [path], diff, input: other },
    risk: assessRisk({ files: [path], cwd }),
  };
}

/** The changes of one file, each with a line that says so where it replaces more than one place. */
function diffOf(edits: readonly z.infer<typeof Change>[]): string {
  return edits
    .flatMap(({ old_string, new_string, replace_all }, index) => [
      `@@ change ${index + 1} of ${edits.length}${replace_all === true ? ", at every place" : ""}`,
      changedLines(old_string, new_string),
    ])
    .join("\n");
}

/** Paths that Claude Code would still change (`~`, relative ones) are not certain. */
function reads(path: string): ToolAction | undefined {
  return isAbsolute(path) && !path.includes("\0") ? { does: "read", paths: [path] } : undefined;
}
