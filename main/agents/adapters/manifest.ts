import { z } from "zod";
import { errorText } from "../../../core/protocol/error-text.ts";
import { linearPattern } from "../../../core/protocol/search-pattern.ts";
import type { ProcessInfo } from "../../system/processes/process-source.ts";
import type { AgentAdapter, Recognition, TextTest } from "./adapter.ts";
import { argument, ESCAPE, recogniseProgram, recogniseScript, scriptOf } from "./adapter-files.ts";

/** A regular expression of RE2, in which `^` and `$` stand at each line. */
const Pattern = z
  .string()
  .min(1)
  .max(300)
  .superRefine((source, context) => {
    try {
      linearPattern(source);
    } catch (error) {
      const why = errorText(error);
      context.addIssue({ code: "custom", message: why.replace(/^params\.pattern: |\.$/g, "") });
    }
  });

const Name = z.string().regex(/^[A-Za-z0-9@._+-]{1,64}$/, "expected a name of letters, digits, @ . _ + -");
const Path = z.string().regex(/^[A-Za-z0-9@._+/-]{3,200}$/, "expected folders, such as @scope/package");
const patterns = { working: Pattern.optional(), waiting: Pattern.optional(), idle: Pattern.optional() };

/** A kind of agent without code of its own (docs/agents.md): how its program is recognized, and how its terminal tells its state. */
export const Manifest = z
  .strictObject({
    kind: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "expected lower-case letters, digits and -"),
    programs: z.array(Name).max(10).default([]).describe("names of its program"),
    paths: z
      .array(Path)
      .max(10)
      .default([])
      .describe("folders in the path of its program or script, such as a package"),
    notWith: z.array(Name).max(50).default([]).describe("first arguments with which it is no agent in a terminal"),
    apps: z
      .array(Name)
      .max(10)
      .optional()
      .describe("names by which it reports itself by OSC 7501; `kind` without them"),
    interrupt: z.enum(["Escape", "Ctrl-C"]).optional().describe("the key that stops a turn"),
    title: z.strictObject(patterns).optional().describe("what its terminal's title has in each state"),
    screen: z
      .strictObject({ working: patterns.working, waiting: patterns.waiting })
      .optional()
      .describe("what its screen has in each state; numbered options with a mark are `waiting` without a pattern"),
  })
  .refine(({ programs, paths }) => programs.length + paths.length > 0, "expected `programs` or `paths`");
export type Manifest = z.infer<typeof Manifest>;

const KEYS = { Escape: ESCAPE, "Ctrl-C": "\x03" } as const;
const NEVER: TextTest = { test: () => false };

/** The adapter of a kind that a manifest describes. It has no sessions, so no transcripts, no model and no cost. */
export function manifestAdapter({
  kind,
  programs,
  paths,
  notWith,
  apps = [kind],
  ...manifest
}: Manifest): AgentAdapter {
  const ownPath = pathPattern(paths);
  const no = new Set(notWith);
  const title = compiled(manifest.title);
  const screen = compiled(manifest.screen);
  return {
    kind,
    apps,
    provider: "",
    ...(manifest.interrupt !== undefined && { interruptKeys: KEYS[manifest.interrupt] }),
    screenStatus: { busy: screen.working ?? NEVER, waits: screen.waiting, alone: true },
    recognise: (process) => (no.has(firstArgument(process)) ? undefined : recognised(process, programs, ownPath)),
    home: () => undefined,
    join: () => undefined,
    startModel: (process) => argument(process.argv(), "--model", "-m"),
    sessionsOf: () => [],
    files: () => ({ main: undefined, subagents: [] }),
    stored: () => undefined,
    relatedSessions: async () => [],
    sessions: () => [],
    parser: () => ({ matters: () => "no", record: () => undefined }),
    titleStatus(text, before) {
      if (title.waiting?.test(text)) return "waiting";
      if (title.working?.test(text)) return "working";
      if (title.idle?.test(text)) return "idle";
      // A title that tells turns and has lost its sign tells the end of one.
      return title.working !== undefined && before !== undefined ? "idle" : undefined;
    },
  };
}

/** Which of the patterns of a manifest a title and a screen have. */
export function matchesOf(manifest: Manifest, seen: { readonly title: string; readonly screen: string }) {
  return (["title", "screen"] as const).flatMap((of) =>
    Object.entries(compiled(manifest[of])).flatMap(([state, pattern]) =>
      pattern === undefined ? [] : [{ name: `${of}.${state}`, matches: pattern.test(seen[of]) }],
    ),
  );
}

type Patterns = Readonly<Partial<Record<"working" | "waiting" | "idle", string | undefined>>>;

function compiled({ working, waiting, idle }: Patterns = {}) {
  const one = (source: string | undefined) => (source === undefined ? undefined : linearPattern(source));
  return { working: one(working), waiting: one(waiting), idle: one(idle) };
}

function recognised(process: ProcessInfo, programs: readonly string[], ownPath: RegExp): Recognition | undefined {
  // A path says it for certain, a name alone where nothing else bears it.
  if (ownPath.test(scriptOf(process)?.real ?? "")) return "certain";
  for (const name of programs) {
    const found = recogniseProgram(process, name, ownPath) ?? recogniseScript(process, name, ownPath);
    if (found !== undefined) return found;
  }
  return programs.length === 0 && ownPath.test(process.exe()) ? "certain" : undefined;
}

/** The first word after the program, or after the script that it runs. */
function firstArgument(process: ProcessInfo): string {
  const words = process.argv().slice(1);
  const script = scriptOf(process)?.named;
  return words[script === undefined ? 0 : words.indexOf(script) + 1] ?? "";
}

function pathPattern(paths: readonly string[]): RegExp {
  const quoted = paths.map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("/", "[\\\\/]"));
  // Bounded pattern: literals of at most 200 characters each, from a manifest; without any it matches nothing.
  return new RegExp(quoted.length === 0 ? "(?!)" : `[\\\\/](?:${quoted.join("|")})[\\\\/]`);
}
