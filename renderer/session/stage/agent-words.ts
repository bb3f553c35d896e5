import type { Agent } from "../../../core/protocol/agent-records.ts";

/** What a badge says of an agent: its kind, what it does, and since when. */
export function agentWords(
  { agentType, state, since, paused }: Pick<Agent, "agentType" | "state" | "since" | "paused">,
  now: number,
): { readonly label: string; readonly dot: "good" | "wait" | "bad" | "" } {
  if (paused === true) return { label: `${agentType} · paused`, dot: "" };
  const lasted = since === undefined ? "" : duration(now - Date.parse(since));
  switch (state) {
    case "working":
      return { label: `${agentType} · working${lasted === "" ? "" : ` ${lasted}`}`, dot: "good" };
    case "waiting":
      return { label: `waits for you${lasted === "" ? "" : ` · ${lasted}`}`, dot: "wait" };
    case "idle":
      return { label: `${agentType} · idle`, dot: "" };
    case "error":
      return { label: `${agentType} · failed${lasted === "" ? "" : ` ${lasted} ago`}`, dot: "bad" };
    case "ended":
      return { label: `${agentType} · ended`, dot: "" };
    case undefined:
      return { label: agentType, dot: "" };
  }
}

/** A duration in its largest unit: 40 s, 2 min, 3 h, 2 d. Nothing for less than a second, or a clock that runs behind. */
export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (!(seconds >= 1)) return "";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
