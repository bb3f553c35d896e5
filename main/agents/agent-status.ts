import type { AgentStatus, StatusReason, StatusSource } from "../../core/protocol/agent-records.ts";
import { unreachable } from "../../core/protocol/errors.ts";

/** What a shell's terminal said: OSC 0/2, the bell, OSC 9/777, OSC 7501. */
export type TerminalSignal =
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "bell" }
  | { readonly kind: "notification"; readonly text: string }
  | { readonly kind: "program-status"; readonly payload: string };

/** One source's word on what an agent does; `at` in ms since the epoch. */
export interface StatusSignal {
  readonly source: StatusSource;
  readonly status: AgentStatus;
  readonly detail: string;
  readonly at: number;
}

/** The last word of each source. */
export type StatusSignals = Readonly<Partial<Record<StatusSource, StatusSignal>>>;

/** Reads a terminal signal, or answers undefined where it says nothing about the agent's status. */
export function statusSignal(
  signal: TerminalSignal,
  at: number,
  titleStatus: (title: string) => AgentStatus | undefined,
): StatusSignal | undefined {
  switch (signal.kind) {
    case "title": {
      const status = titleStatus(signal.title);
      return status && { source: "title", status, detail: signal.title.trim(), at };
    }
    case "program-status":
      return programStatus(signal.payload, at);
    case "notification": {
      const asks = /permission|approv|needs your (attention|input)|waiting for|action required/i.test(signal.text);
      return { source: "notification", status: asks ? "waiting" : "idle", detail: signal.text, at };
    }
    case "bell":
      return { source: "bell", status: "waiting", detail: "bell", at };
    default:
      return unreachable(signal);
  }
}

/** `state=working:app=claude-code:kind=permission:…`, unknown keys and states allowed; with `id` it is a background task. */
function programStatus(payload: string, at: number): StatusSignal | undefined {
  const fields = new Map(payload.split(/[:;]/).map((field) => splitOnce(field)));
  const state = fields.get("state");
  if (state === undefined || fields.has("id")) return undefined;
  const status = programStates.get(state);
  if (status === undefined) return undefined;
  const message = Buffer.from(fields.get("msg") ?? "", "base64").toString("utf8");
  const detail = [state, fields.get("kind"), message].filter(Boolean).join(": ");
  return { source: "program-status", status, detail, at };
}

const programStates: ReadonlyMap<string, AgentStatus> = new Map([
  ["working", "working"],
  ["blocked", "waiting"],
  ["idle", "idle"],
  ["done", "idle"],
  ["clear", "idle"],
]);

function splitOnce(field: string): [string, string] {
  const at = field.indexOf("=");
  return at === -1 ? [field, ""] : [field.slice(0, at), field.slice(at + 1)];
}

/**
 * The status, decided by the strongest source that has spoken: the program's own status report, its title, its own
 * file, the transcript. A notification or bell is off by default in all agents and never taken back, so it counts only
 * where nothing better than the transcript is known, and until that says something newer.
 */
export function decideStatus(signals: StatusSignals, startedAt: number): StatusSignal {
  const told = signals["program-status"] ?? titleOrFile(signals);
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

/** The title is quicker, but Claude's looks the same idle and waiting, which its file tells apart. */
function titleOrFile({ title, "agent-file": file }: StatusSignals): StatusSignal | undefined {
  if (title === undefined || file === undefined) return title ?? file;
  if (file.status === "waiting") return title.status === "working" && title.at > file.at ? title : file;
  return file.at > title.at ? file : title;
}

/** Keeps the time at which a source's word changed: a spinner says the same every second. */
export function withSignal(signals: StatusSignals, signal: StatusSignal): StatusSignals {
  const last = signals[signal.source];
  const same = last !== undefined && last.status === signal.status && signal.source !== "transcript";
  return same ? signals : { ...signals, [signal.source]: signal };
}

export function reasonOf({ source, detail, at }: StatusSignal): StatusReason {
  return { source, detail, at: new Date(at).toISOString() };
}
