import { isAbsolute } from "node:path";
import { z } from "zod";
import type { ToolAction } from "../../../core/protocol/policies.ts";

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
  run_in_background: z.literal(false).optional(),
});

/** Patterns of names in a folder and all below it. One with a folder's name could lead through a link. */
const NAMES_BELOW = /^(?:\*\*\/)?[^/\\]+$/;

/**
 * Says what a tool call of Claude Code does; undefined where that is not certain. Tools are known by their exact names:
 * those of other servers have another form (`mcp__server__tool`).
 */
export function claudeAction(tool: string, input: unknown, cwd: string): ToolAction | undefined {
  switch (tool) {
    case "Read":
      return reads(Read.safeParse(input).data?.file_path);
    case "Grep": {
      const { data } = Grep.safeParse(input);
      return data && reads(data.path ?? cwd);
    }
    case "Glob": {
      const { data } = Glob.safeParse(input);
      const isPlain = data !== undefined && NAMES_BELOW.test(data.pattern) && !data.pattern.includes("..");
      return isPlain ? reads(data.path ?? cwd) : undefined;
    }
    case "Bash": {
      const { data } = Bash.safeParse(input);
      return data && { does: "run", command: data.command, cwd };
    }
    case "WebFetch":
    case "WebSearch":
      return { does: "fetch" };
    default:
      return undefined;
  }
}

/** Paths that Claude Code would still change (`~`, relative ones) are not certain. */
function reads(path: string | undefined): ToolAction | undefined {
  return path !== undefined && isAbsolute(path) && !path.includes("\0") ? { does: "read", paths: [path] } : undefined;
}
