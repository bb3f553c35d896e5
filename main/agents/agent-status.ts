import type { AgentStatus, StatusReason, StatusSource } from "../../core/protocol/agent-records.ts";
import { unreachable } from "../../core/protocol/errors.ts";
import { parseProgramReport } from "./program-status.ts";

/** What a shell's terminal said: OSC 0/2, the bell, OSC 9/777, OSC 7501, OSC 133. */
export type AgentSignal =
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "bell" }
  | { readonly kind: "notification"; readonly text: string }
  | { readonly kind: "program-status"; readonly payload: string }
  /** OSC 133: the shell shows its prompt, so what a program reported before is over. */
  | { readonly kind: "prompt" }
  /** OSC 133: the shell starts a command. */
  | { readonly kind: "command-start" };

/** One source's word on what an agent does; `at` in ms since the epoch. */
export interface StatusSignal {
  readonly source: StatusSource;
  readonly status: AgentStatus;
  readonly detail: string;
  readonly at: number;
  /** What an error is about, in one line. */
  readonly message?: string;
}

/** The last word of each source. */
export type StatusSignals = Readonly<Partial<Record<StatusSource, StatusSignal>>>;

/**
 * Reads a terminal signal.
 * @param apps - the names that the agent reports itself by; a report under another name is another program's
 * @returns undefined where it says nothing about the agent's status
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

/** A report that does not name its program counts for any. */
function programStatus(payload: string, at: number, apps: readonly string[] | undefined): StatusSignal | undefined {
  const report = parseProgramReport(payload);
  if (report === undefined || (report.app !== undefined && apps?.includes(report.app) === false)) return undefined;
  const { status, said, message } = report;
  const detail = message === undefined ? said : `${said}: ${message}`;
  return { source: "program-status", status, detail, at, ...(message !== undefined && { message }) };
}

/**
 * The status, decided by the strongest source that has spoken: the program's own status report, its title, its own
 * file, the transcript. A notification or bell is off by default in all agents and never taken back, so it counts only
 * where nothing better than the transcript is known, and until that says something newer.
 */
export function decideStatus(signals: StatusSignals, startedAt: number): StatusSignal {
  const told =
    withTranscriptError(signals["program-status"], signals.transcript) ??
    failedOrReported(titleOrFile(signals), signals.transcript);
  if (told !== undefined) return told;
  const quiet = {
    source: "process",
    status: "idle",
    detail: "the process has said nothing yet",
    at: startedAt,
  } as const;
  const steady = signals.transcript ?? quiet;
  const call = [signals.notification, signals.bell].find((signal) => signal !== undefined && signal.at >= steady.at);
  return call ?? steady;
}

/** Codex reports that it failed, and writes why into the transcript only. */
function withTranscriptError(
  told: StatusSignal | undefined,
  transcript: StatusSignal | undefined,
): StatusSignal | undefined {
  if (told?.status !== "error" || told.message !== undefined || transcript?.status !== "error") return told;
  return { ...told, ...(transcript.message !== undefined && { message: transcript.message }) };
}

/** Neither a title nor a file tells a failed turn from a good one; the transcript's last word does. */
function failedOrReported(
  told: StatusSignal | undefined,
  transcript: StatusSignal | undefined,
): StatusSignal | undefined {
  return told?.status === "idle" && transcript?.status === "error" ? transcript : told;
}

/** The title is quicker, but Claude's looks the same idle and waiting, which its file tells apart. */
function titleOrFile({ title, "agent-file": file }: StatusSignals): StatusSignal | undefined {
  if (title === undefined || file === undefined) return title ?? file;
  if (file.status === "waiting") return title.status === "working" && title.at > file.at ? title : file;
  return file.at > title.at ? file : title;
}

/** Keeps the time at which a source's word changed: a spinner says the same every second. Another error is a change. */
export function withSignal(signals: StatusSignals, signal: StatusSignal): StatusSignals {
  const last = signals[signal.source];
  const same = last?.status === signal.status && last.message === signal.message && signal.source !== "transcript";
  return same ? signals : { ...signals, [signal.source]: signal };
}

export function reasonOf({ source, detail, at }: StatusSignal): StatusReason {
  return { source, detail, at: new Date(at).toISOString() };
}
