import { z } from "zod";
import { ShellId } from "./ids.ts";
import { Recording } from "./recording.ts";
import { Timestamp } from "./records.ts";
import { isSearchable, SEARCHABLE } from "./searchable.ts";
import { PastTime } from "./time-or-age.ts";

/** Characters that are kept of the line of a command. */
export const MAX_LINE = 8192;

/** Who entered a command, as far as the relay has seen it. */
export const CommandSource = z.object({
  kind: z.enum(["person", "program"]).describe("`program`: a key for automation, or a program in a shell"),
  name: z.string().describe("of the person, the key, or the shell"),
  shellId: ShellId.optional().describe("shell that the program runs in"),
  byAgent: z.literal(true).optional().describe("an agent runs in that shell"),
});
export type CommandSource = z.infer<typeof CommandSource>;

/** A command that ran in a shell with shell integration. */
export const CommandRecord = z.object({
  id: z.string().describe("shell and place of the output, such as `3.10240`"),
  shellId: ShellId,
  command: z.string().nullable().describe("the line as it was shown; null where it could not be told"),
  cwd: z.string().nullable(),
  startedAt: Timestamp,
  durationMs: z.number().nullable().describe("null while it runs, and where its end is not known"),
  exitCode: z.int().nullable(),
  signal: z
    .string()
    .nullable()
    .describe(
      "the signal that the exit code stands for in a shell, which is 128 and its number; such as `SIGINT` for 130",
    ),
  outputFrom: z.int().nonnegative().describe("byte offset in the output of the shell"),
  outputTo: z
    .int()
    .nonnegative()
    .nullable()
    .describe("null while it runs; where its end is not known, the beginning of the next command's output"),
  branch: z.string().nullable().describe("branch of git in the folder when it started"),
  by: CommandSource.nullable().describe("who entered it; null where the relay has not seen it"),
});
export type CommandRecord = z.infer<typeof CommandRecord>;

/** Which commands are asked for. */
export const CommandQuery = z.object({
  text: z.string().min(1).max(1000).optional().describe("only commands that contain this, in any case"),
  regex: z.boolean().default(false).describe("`text` is a regular expression of RE2"),
  shell: ShellId.optional().describe("only commands of this shell; it may be closed"),
  folder: z.string().max(4096).optional().describe("only commands that ran in this folder or below it"),
  exit: z.int().optional().describe("only commands with this exit code"),
  failed: z.boolean().default(false).describe("only commands with another exit code than 0"),
  by: z.enum(["person", "program", "agent"]).optional().describe("only commands that such a caller has entered"),
  since: PastTime.optional().describe(
    "only commands that started at this time or later: a time, or how long ago, such as 2h",
  ),
  until: PastTime.optional().describe("only commands that started before this time, or so long ago"),
  limit: z.int().min(1).max(1000).default(50).describe("the latest so many"),
});
export type CommandQuery = z.output<typeof CommandQuery>;

const searchPlaces = ["commands", "output", "conversations", "chat"] as const;
/** Names that stand for several places each. */
const manyPlaces = ["everything", "session"] as const;

/** A place that a search has found. */
export const SearchHit = z.object({
  in: z.enum(searchPlaces),
  shellId: ShellId.optional(),
  offset: z.int().nonnegative().optional().describe("of what was found, in the output of the shell"),
  id: z.string().optional().describe("of the command or the chat message; of a message in a conversation its cursor"),
  conversation: z
    .object({ agentType: z.string(), agentSessionId: z.string(), title: z.string(), cwd: z.string().optional() })
    .optional()
    .describe("the conversation with an agent that the message is in"),
  at: Timestamp.describe("time of the command or message; of output the time of the text around it"),
  line: z.string().describe("the line, at most 500 characters of it"),
  from: z.int().nonnegative().describe("where in `line` the text begins"),
  length: z.int().nonnegative().describe("characters of the text"),
  before: z.array(z.string()).max(2).describe("up to two lines before"),
  after: z.array(z.string()).max(2).describe("up to two lines after"),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchQuery = z.object({
  query: z
    .string()
    .min(2)
    .max(500)
    .refine(isSearchable, { error: `expected ${SEARCHABLE}` })
    // SQLite ends a text there, and no terminal shows one.
    .refine((text) => !text.includes("\0"), { error: "expected text without a NUL character" })
    .describe("text to find, in any case; three characters, or two of Chinese, Japanese or Korean"),
  regex: z.boolean().default(false).describe("`query` is a regular expression of RE2"),
  in: z
    .union([z.string().max(100), z.array(z.string().max(20)).max(searchPlaces.length)])
    .refine(arePlaces, {
      error: `expected ${[...manyPlaces, ...searchPlaces].join(", ")}, or several of the last ${searchPlaces.length}`,
    })
    .default("everything")
    .describe(
      "what is searched: `commands`, `output`, `conversations`, `chat`, several of these (`commands,output`), `session` for everything but conversations, which are no session's own, or `everything`",
    ),
  shell: ShellId.optional().describe("only this shell; it may be closed"),
  since: PastTime.optional().describe("only what is from this time or later: a time, or how long ago, such as 1d"),
  until: PastTime.optional().describe("only what is from before this time, or so long ago"),
  limit: z.int().min(1).max(1000).default(50).describe("the latest so many of each kind"),
});
export type SearchQuery = z.output<typeof SearchQuery>;

/** Returns the names in what a search is asked to look in: of one place, or of several, in a list or with commas. */
export function placesIn(given: SearchQuery["in"]): readonly string[] {
  return typeof given === "string" ? given.split(",").map((name) => name.trim()) : given;
}

function arePlaces(given: string | string[]): boolean {
  const names = placesIn(given);
  const known: readonly string[] = names.length === 1 ? [...manyPlaces, ...searchPlaces] : searchPlaces;
  return names.length > 0 && names.every((name) => known.includes(name));
}

/** Restriction that the relay adds to the query of a caller who may not read all shells. */
export interface OfShells {
  /** Only these shells; absent: all. */
  readonly among?: readonly number[] | undefined;
}

/** The place of a hit, by which another page goes there. */
export const HitPlace = SearchHit.omit({ before: true, after: true }).extend({
  line: z.string().max(MAX_LINE),
  id: z.string().max(200).optional(),
  conversation: z
    .object({
      agentType: z.string().max(100),
      agentSessionId: z.string().max(200),
      title: z.string().max(1000),
      cwd: z.string().max(4096).optional(),
    })
    .optional(),
  later: z.int().nonnegative().describe("equal lines of the shell that were found and were printed later"),
  query: z.string().max(500).optional().describe("what was searched for"),
});
export type HitPlace = z.output<typeof HitPlace>;

/** Answer to a search. */
export const SearchAnswer = z.object({
  hits: z.array(SearchHit),
  complete: z
    .boolean()
    // Relays of before do not tell.
    .default(true)
    .describe(
      "whether everything up to now was searched; if not, some of it is not indexed yet, and the same search finds more later",
    ),
  recording: Recording.optional().describe(
    "why what the shells of the session print is not recorded, and so not found; absent where it is",
  ),
});
export type SearchAnswer = z.output<typeof SearchAnswer>;

/** A secret that was hidden: where, by which rule, and never what it was. */
export const Redaction = z.object({
  rule: z.string().describe("the format, or the name of your own pattern"),
  in: z.enum(["output", "commands", "conversations"]),
  session: z.string().optional(),
  shellId: ShellId.optional(),
  offset: z
    .int()
    .nonnegative()
    .optional()
    .describe(
      "in the output of the shell; the secret is within about 4 KB after it, or in the command that begins there",
    ),
  conversation: z.object({ agentType: z.string(), agentSessionId: z.string() }).optional(),
  id: z.string().optional().describe("cursor of the message in the conversation"),
  at: Timestamp,
  length: z.int().positive().describe("characters"),
});
export type Redaction = z.infer<typeof Redaction>;

/** Which redactions are asked for. */
export const RedactionQuery = z.object({
  rule: z.string().max(40).optional().describe("only those by this rule"),
  since: PastTime.optional().describe("only in what is from this time or later, or so long ago"),
  limit: z.int().min(1).max(1000).default(50).describe("the latest so many"),
});
export type RedactionQuery = z.output<typeof RedactionQuery>;
