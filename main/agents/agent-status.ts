import type { AgentStatus, StatusReason, StatusSource } from "../../core/protocol/agent-records.ts";
import { unreachable } from "../../core/protocol/errors.ts";
import { type ProgramReport, parseProgramReport } from "./program-status.ts";

/** A terminal signal about an agent: OSC 0/2, the bell, OSC 9/777, OSC 7501, OSC 133. */
export type AgentSignal =
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "bell" }
  | { readonly kind: "notification"; readonly text: string }
  | { readonly kind: "program-status"; readonly payload: string }
  /** OSC 133: the shell shows its prompt, so earlier reports of programs no longer apply. */
  | { readonly kind: "prompt" }
  /** OSC 133: the shell starts a command. */
  | { readonly kind: "command-start" };

/** The status of an agent as one source reports it; `at` in ms since the epoch. */
export interface StatusSignal {
  readonly source: StatusSource;
  readonly status: AgentStatus;
  readonly detail: string;
  readonly at: number;
  /** Time of its last repetition, in ms; absent for one that was not repeated. */
  readonly repeatedAt?: number;
  /** What an error is about, in one line. */
  readonly message?: string;
  /** The screen shows a turn as such: it begins one too. */
  readonly isShown?: true;
}

/** The latest status of each source. */
export type StatusSignals = Readonly<Partial<Record<StatusSource, StatusSignal>>>;

/**
 * Derives a status from a terminal signal.
 * @param apps - the names by which the agent reports itself; reports under other names belong to other programs
 * @returns undefined when the signal says nothing about the agent's status
 */
export function statusSignal(
  signal: AgentSignal,
  at: number,
  titleStatus: (title: string) => AgentStatus | undefined,
  apps?: readonly string[],
): StatusSignal | undefined {
  switch (signal.kind) {
    case "title": {
      const status = titleStatus(signal.title);
      return status && { source: "title", status, detail: signal.title.trim(), at };
    }
    case "program-status":
      return programStatus(signal.payload, at, apps);
    case "notification": {
      const asks = /permission|approv|needs your (attention|input)|waiting for|action required/i.test(signal.text);
      return { source: "notification", status: asks ? "waiting" : "idle", detail: signal.text, at };
    }
    case "bell":
      return { source: "bell", status: "waiting", detail: "bell", at };
    case "prompt":
    case "command-start":
      return undefined;
    default:
      return unreachable(signal);
  }
}

function programStatus(payload: string, at: number, apps: readonly string[] | undefined): StatusSignal | undefined {
  const report = ownReport(payload, apps);
  if (report === undefined) return undefined;
  const { status, said, message } = report;
  const detail = message === undefined ? said : `${said}: ${message}`;
  return { source: "program-status", status, detail, at, ...(message !== undefined && { message }) };
}

/** Reads a program's report of itself; one that names no program counts for any agent. */
export function ownReport(payload: string, apps: readonly string[] | undefined): ProgramReport | undefined {
  const report = parseProgramReport(payload);
  return report?.app !== undefined && apps?.includes(report.app) === false ? undefined : report;
}

/**
 * Decides the status by the most reliable source available: the program's own status report, its title, its own file,
 * the transcript. A later end of the turn in the transcript counts before any of them that says that it works. Notifications
 * and bells are off by default in all agents and never retracted, so they count only when nothing better than the transcript
 * is known, until the transcript is newer.
 */
export function decideStatus(signals: StatusSignals, startedAt: number): StatusSignal {
  const told =
    withTranscriptError(signals["program-status"], signals.transcript) ??
    failedOrReported(titleOrFile(signals), signals.transcript);
  if (told !== undefined) return unlessEnded(told, signals.transcript);
  const quiet = {
    source: "process",
    status: "idle",
    detail: "the process has said nothing yet",
    at: startedAt,
  } as const;
  const steady = withScreen(workingOrIdle(signals), signals.screen) ?? quiet;
  // An agent rings at the end of a turn, too; a dialog after it is seen on the screen.
  if (steady.source === "transcript" && steady.status === "idle") return steady;
  const call = [signals.notification, signals.bell].find((signal) => signal !== undefined && signal.at >= steady.at);
  return call ?? steady;
}

/** Details with which a transcript tells that a turn is over; "answer ended" does not, as more may follow in the turn. */
const ENDS_TURN: ReadonlySet<string> = new Set(["turn ended", "turn aborted", "interrupted"]);
/** A title that is drawn again within this time after the end of its turn was on its way. */
const REDRAWN_MS = 500;

/** Prefers a later end of the turn in the transcript, by the record's own time, unless the program has repeated since that it works. */
function unlessEnded(told: StatusSignal, transcript: StatusSignal | undefined): StatusSignal {
  if (told.status !== "working" || transcript?.status !== "idle" || !ENDS_TURN.has(transcript.detail)) return told;
  const isLater = transcript.at > told.at && transcript.at + REDRAWN_MS > (told.repeatedAt ?? told.at);
  return isLater ? transcript : told;
}

/**
 * Adds the transcript's message to an error report: Codex reports the failure, and its reason only in the transcript.
 */
function withTranscriptError(
  told: StatusSignal | undefined,
  transcript: StatusSignal | undefined,
): StatusSignal | undefined {
  if (told?.status !== "error" || told.message !== undefined || transcript?.status !== "error") return told;
  return { ...told, ...(transcript.message !== undefined && { message: transcript.message }) };
}

/** Prefers the transcript's error: neither a title nor a file distinguishes a failed turn. */
function failedOrReported(
  told: StatusSignal | undefined,
  transcript: StatusSignal | undefined,
): StatusSignal | undefined {
  return told?.status === "idle" && transcript?.status === "error" ? transcript : told;
}

/**
 * Combines title and file: the title is faster, but Claude's looks the same when idle and when waiting; its file
 * distinguishes them.
 */
function titleOrFile({ title, "agent-file": file }: StatusSignals): StatusSignal | undefined {
  if (title === undefined || file === undefined) return title ?? file;
  if (file.status === "waiting") return title.status === "working" && title.at > file.at ? title : file;
  return file.at > title.at ? file : title;
}

/** Prefers a later report of the turn's end where the transcript only shows the turn. */
function workingOrIdle({ transcript, hook }: StatusSignals): StatusSignal | undefined {
  if (transcript === undefined || hook === undefined) return transcript ?? hook;
  return transcript.status === "working" && hook.at >= transcript.at ? hook : transcript;
}

/**
 * Prefers what the screen shows since: a transcript that only shows a turn shows neither a dialog in it nor its end by a key,
 * and one that omits a tool's call shows the end of an answer while a dialog asks for the call.
 */
function withScreen(told: StatusSignal | undefined, screen: StatusSignal | undefined): StatusSignal | undefined {
  if (told === undefined) return screen?.isShown === true ? screen : undefined;
  if (screen === undefined || screen.at < told.at) return told;
  const isTurn = screen.status === "working" && screen.isShown === true;
  const counts = screen.status === "waiting" || isTurn || (screen.status === "idle" && told.status === "working");
  return counts ? screen : told;
}

/** Sources that report each turn: an equal report is of another one. */
const OF_EACH_TURN: ReadonlySet<StatusSource> = new Set(["transcript", "hook", "screen"]);

/**
 * Keeps the time of the last change of a source, and that of its last repetition: a spinner repeats itself every second. A
 * different error is a change.
 */
export function withSignal(signals: StatusSignals, signal: StatusSignal): StatusSignals {
  const last = signals[signal.source];
  if (last?.status !== signal.status || last.message !== signal.message || OF_EACH_TURN.has(signal.source))
    return { ...signals, [signal.source]: signal };
  return { ...signals, [signal.source]: { ...last, repeatedAt: signal.at } };
}

export function reasonOf({ source, detail, at }: StatusSignal): StatusReason {
  return { source, detail, at: new Date(at).toISOString() };
}
