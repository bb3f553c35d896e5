import { z } from "zod";
import {
  HistoryBytes,
  HistoryDays,
  HistorySettings,
  historyLimits,
  RecordingState,
  SecretName,
  SecretPattern,
} from "../protocol/history.ts";
import { ExportedHistory, ExportFormat, SecretsWish } from "../protocol/history-export.ts";
import {
  CommandQuery,
  CommandRecord,
  Redaction,
  RedactionQuery,
  SearchAnswer,
  SearchQuery,
} from "../protocol/history-search.ts";
import { ShellId } from "../protocol/ids.ts";
import { Timestamp } from "../protocol/records.ts";
import { PastTime } from "../protocol/time-or-age.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

/** Segments that the status names at most. */
export const MAX_UNREADABLE = 100;

const HistoryStatus = z.object({
  ...HistorySettings.shape,
  recording: z.boolean().describe("whether output is recorded now"),
  ...RecordingState.shape,
  bytes: z.int().nonnegative().describe("size of the segments on disk"),
  indexBytes: z.int().nonnegative().describe("size of the search index on disk, which counts for `maxBytes` too"),
  segments: z.int().nonnegative().describe("number of files"),
  redacted: z.int().nonnegative().describe("secrets that were hidden in the index, as `getRedactions` lists them"),
  oldest: Timestamp.nullable().describe("time of the oldest segment's latest output"),
  unreadable: z
    .array(z.object({ file: z.string(), why: z.enum(["no segment", "another key", "damaged"]) }))
    .max(MAX_UNREADABLE)
    .describe("segments that cannot be read, at most 100; reading skips them. Damage is found when a segment is read"),
});

const Removed = z.object({
  segments: z.int().nonnegative().describe("removed files"),
  bytes: z.int().nonnegative().describe("their size"),
});

/** Decisions about what is kept are the owner's, and last longer than a program's call. */
const ownersChoice = {
  access: "unrestricted",
  owner: "relay",
  closedToAgents: true,
  closedToAutomation: true,
  effect: "change",
} as const;

/** The history of shells on disk (docs/history.md). */
export const historyOperations = {
  getCommands: operation({
    summary: "List commands that ran in a session's shells, the latest first",
    details:
      "Of shells with shell integration, while the history is recorded (docs/history.md). The line is read from the screen.",
    params: CommandQuery.extend({ session: SessionParam }),
    result: z.array(CommandRecord),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/commands" },
    cli: {
      word: "history",
      action: "list",
      isDefault: true,
      args: ["text"],
      paths: ["folder"],
      columns: ["id", "startedAt", "exitCode", "durationMs", "cwd", "command"],
      examples: ["history", "history make --failed", "history --shell 3 --by agent --since 2h"],
    },
  }),
  getCommandOutput: operation({
    summary: "Print what a command of the history has printed",
    details: "At most 4 MiB; pass `end` as `since` to read on. `missed` counts bytes that are kept nowhere.",
    params: z.object({
      session: SessionParam,
      id: z.string().max(40).describe("id of the command, as it is listed"),
      since: z.int().nonnegative().optional().describe("byte offset in the output of the shell to start at"),
      plain: z.boolean().default(true).describe("leave escape sequences out"),
    }),
    result: CommandRecord.extend({
      output: z.string(),
      offset: z.int().nonnegative(),
      end: z.int().nonnegative(),
      missed: z.int().nonnegative(),
    }),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/commands/:id/output" },
    cli: { word: "history", action: "output", args: ["id"], shows: "output", examples: ["history output 3.10240"] },
  }),
  rerunCommand: operation({
    summary: "Run a command of the history again",
    details:
      "In the shell that it ran in, which must be at its prompt and in the same folder, or with `new` in a new shell in that folder. Without `yes` nothing runs: the answer shows what would be entered. A line that the history does not have whole is refused: one with a hidden secret, one of several lines, and one that could not be read.",
    params: z.object({
      session: SessionParam,
      id: z.string().max(40).describe("id of the command, as it is listed"),
      new: z.boolean().default(false).describe("run it in a new shell, in the folder where it ran"),
      yes: z.boolean().default(false).describe("run it; otherwise it is only shown"),
    }),
    result: z.object({
      state: z.enum(["shown", "started"]),
      command: z.string(),
      cwd: z.string(),
      shellId: ShellId.nullable().describe("shell that it runs in; null where a new one would be created"),
    }),
    access: "shells",
    effect: "change",
    http: { method: "POST", path: "sessions/:session/commands/:id/rerun" },
    cli: {
      word: "history",
      action: "rerun",
      args: ["id"],
      examples: ["history rerun 3.10240", "history rerun 3.10240 --new --yes"],
    },
  }),
  exportHistory: operation({
    summary: "Export what a shell has printed as a recording, a page that plays it, or text",
    details:
      "From the history on disk, with its times, at most 16 MiB. `asciicast` is version 2 of asciinema's format, `asciicast3` version 3; `html` is a page that needs nothing else. Secrets of known formats are hidden (docs/history.md). Input is not in it. The shell may be closed.",
    params: z.object({
      session: SessionParam,
      shell: ShellId,
      since: PastTime.optional().describe("time, or how long ago, such as 10m; default: the beginning of what is kept"),
      until: PastTime.optional().describe("time, or how long ago"),
      format: ExportFormat.default("asciicast"),
      secrets: SecretsWish.default("hide"),
    }),
    result: ExportedHistory,
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/history/:shell/export" },
    cli: {
      word: "history",
      action: "export",
      shows: "content",
      isFile: true,
      examples: [
        "history export --shell 3 --since 10m >build.cast",
        "history export --shell 3 --format html >build.html",
      ],
    },
  }),
  search: operation({
    summary: "Search what shells have printed, the commands that ran, and the chat",
    details:
      "Literally, in any case, the latest first. Output and commands are found while the history is recorded (docs/history.md), also of closed shells. A text is looked for within lines, not in escape sequences. The answer comes once everything up to now is indexed, or after `wait` without it; then `complete` is false, and the same search finds more later.",
    params: SearchQuery.extend({
      session: SessionParam,
      wait: z
        .number()
        .min(0)
        .max(60)
        // No default of the declaration: callers send that to relays of before, too, which refuse it.
        .optional()
        .describe("seconds to wait at most until what was printed and said up to now is indexed; default 1"),
    }),
    result: SearchAnswer,
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/search" },
    panel: true,
    cli: {
      word: "search",
      args: ["query"],
      rows: "hits",
      columns: ["in", "shellId", "at", "id", "offset", "line"],
      allMachines: true,
      examples: ["search 'connection refused' --since 1d", "search TODO --in commands,chat", "search panic --all"],
    },
  }),
  getHistory: operation({
    summary: "Show whether output is recorded on disk, and how much there is",
    details: "For unrestricted keys of the relay's owner.",
    params: z.object({}),
    result: HistoryStatus,
    access: "unrestricted",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "history" },
    cli: {
      word: "history",
      action: "status",
      wordSummary: "list the commands that ran, and record what shells print on disk",
      examples: ["history status"],
    },
  }),
  getRedactions: operation({
    summary: "List what was hidden as a secret, the latest first",
    details:
      "By which rule and where, never what it was: in the output and the commands that are indexed, and in the conversations that were searched. For unrestricted keys of the relay's owner.",
    params: RedactionQuery,
    result: z.array(Redaction),
    access: "unrestricted",
    owner: "relay",
    closedToAgents: true,
    effect: "read",
    http: { method: "GET", path: "history/redactions" },
    cli: {
      word: "history",
      action: "redactions",
      columns: ["rule", "in", "session", "shellId", "offset", "length", "at"],
      examples: ["history redactions", "history redactions --test deploy.log"],
    },
  }),
  addSecretPattern: operation({
    summary: "Hide what a pattern of your own finds, too",
    details:
      "A regular expression of RE2, which takes linear time; if it has a group, what its first group matches is hidden. It applies to everything that is redacted from now on, and the history is indexed anew.",
    params: z.object({
      name: SecretName.describe("what redactions call it"),
      pattern: SecretPattern.describe("regular expression of RE2"),
    }),
    result: HistorySettings,
    ...ownersChoice,
    http: { method: "PUT", path: "history/patterns/:name" },
    cli: {
      word: "history",
      action: "hide",
      args: ["name", "pattern"],
      examples: ["history hide customer 'ACME-[0-9]{6}'"],
    },
  }),
  removeSecretPattern: operation({
    summary: "Remove a pattern of your own for secrets",
    params: z.object({ name: SecretName.describe("name of the pattern") }),
    result: HistorySettings,
    ...ownersChoice,
    http: { method: "DELETE", path: "history/patterns/:name" },
    cli: { word: "history", action: "unhide", args: ["name"], examples: ["history unhide customer"] },
  }),
  startHistory: operation({
    summary: "Record what all shells print on disk, from now on",
    details:
      "Encrypted with a key in the keychain of the operating system. Where no keychain can be reached the call is refused (400 `invalid_request`), unless `unencrypted` is set: then only file permissions protect the segments. Shells that run are recorded from what memory still holds of them.",
    params: z.object({
      unencrypted: z.boolean().default(false).describe("record without encryption"),
      days: HistoryDays.default(historyLimits.days).describe("remove output that is older than so many days"),
      maxBytes: HistoryBytes.default(historyLimits.bytes).describe(
        "remove the oldest output beyond this size, with the search index",
      ),
    }),
    result: HistorySettings,
    ...ownersChoice,
    http: { method: "POST", path: "history/start" },
    cli: { word: "history", action: "on", examples: ["history on", "history on --days 7 --unencrypted"] },
  }),
  stopHistory: operation({
    summary: "Record nothing any more; what was recorded stays",
    params: z.object({}),
    result: HistorySettings,
    ...ownersChoice,
    http: { method: "POST", path: "history/stop" },
    cli: { word: "history", action: "off", examples: ["history off"] },
  }),
  setSessionHistory: operation({
    summary: "Choose whether the shells of a session are recorded while recording is on",
    params: z.object({ session: SessionParam, record: z.enum(["on", "off"]) }),
    result: HistorySettings,
    ...ownersChoice,
    http: { method: "PUT", path: "sessions/:session/history" },
    cli: { word: "history", action: "session", args: ["record"], examples: ["history session off"] },
  }),
  trimHistory: operation({
    summary: "Remove old output now",
    details: "By the bounds in use, or by narrower ones that are given. What is being written stays.",
    params: z.object({
      days: HistoryDays.optional().describe("remove output that is older than so many days"),
      maxBytes: z.int().nonnegative().optional().describe("remove the oldest output beyond this size"),
    }),
    result: Removed,
    ...ownersChoice,
    http: { method: "POST", path: "history/trim" },
    cli: { word: "history", action: "trim", examples: ["history trim --days 7"] },
  }),
  forgetHistory: operation({
    summary: "Remove what was recorded of a session, or of one of its shells",
    details: "A shell that runs is recorded on, from its next output.",
    params: z.object({
      session: SessionParam,
      shell: ShellId.optional().describe("only of this shell; it may be closed"),
    }),
    result: Removed,
    ...ownersChoice,
    http: { method: "DELETE", path: "sessions/:session/history" },
    cli: { word: "history", action: "forget", examples: ["history forget --shell 3"] },
  }),
  forgetAllHistory: operation({
    summary: "Remove everything that was recorded, of closed sessions too",
    params: z.object({}),
    result: Removed,
    ...ownersChoice,
    http: { method: "DELETE", path: "history" },
    cli: { word: "history", action: "forget-all", examples: ["history forget-all"] },
  }),
} as const;
