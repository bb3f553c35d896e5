import type { AgentEvent } from "../../../core/protocol/agent-records.ts";
import type { NotificationKind } from "../../../core/protocol/desktop-settings.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import { describeShell, type ShellContext } from "../../../core/protocol/shell-name.ts";
import { dollars } from "../sessions/dollars.ts";
import type { Notice } from "../sessions/notices.ts";
import type { BudgetAlert } from "../sessions/usage-watch.ts";
import type { AgentTurn } from "./agent-turns.ts";

const LONGEST_ERROR = 160;

export interface AgentNotice extends Notice {
  readonly kind: NotificationKind;
  readonly shell: ShellId;
}

/** Returns the user's label of a shell. */
type LabelOf = (shell: ShellId) => string | undefined;

const noLabel: LabelOf = () => undefined;

/** The notice for an event; undefined when it is not worth a notification. */
export function noticeOfEvent(
  event: RelayEvent,
  shells: readonly Shell[],
  labelOf: LabelOf = noLabel,
): AgentNotice | undefined {
  if (event.type !== "agent.waiting" && event.type !== "agent.ended") return undefined;
  const { agentType, shellId, reason } = event.data;
  const shell = shells.find(({ id }) => id === shellId);
  const where = whereOf(shell, {
    label: labelOf(shellId),
    agent: event.type === "agent.ended" ? undefined : event.data,
  });
  return event.type === "agent.waiting"
    ? {
        kind: "waiting",
        shell: shellId,
        title: `${agentType} waits for you`,
        body: [reason?.detail, where].filter(Boolean).join("\n"),
      }
    : { kind: "ended", shell: shellId, title: `${agentType} ended`, body: where };
}

/**
 * The notice for the end of a turn. An agent that reports an error describes it itself; for others the last message or
 * error (`last`) is used.
 */
export function noticeOfTurn(
  { agent, since }: AgentTurn,
  last: Pick<AgentEvent, "type" | "at" | "text"> | undefined,
  shells: readonly Shell[],
  labelOf: LabelOf = noLabel,
): AgentNotice {
  const { agentType, shellId, state, message } = agent;
  const error = last?.type === "error" && Date.parse(last.at) >= since ? last.text : undefined;
  const failed = state === "error" || error !== undefined;
  const why = message ?? error;
  const where = whereOf(
    shells.find(({ id }) => id === shellId),
    { label: labelOf(shellId), agent },
  );
  return {
    kind: failed ? "failed" : "finished",
    shell: shellId,
    title: failed ? `${agentType} failed` : `${agentType} finished`,
    body: [why && shortened(why), where].filter(Boolean).join("\n"),
  };
}

/** `sessionName` for a session's budget; `locale` for how its dollars are written. */
export function noticeOfBudget(
  { scope, usd, limit, percent }: BudgetAlert,
  sessionName: string,
  locale?: string,
): Notice {
  const whose = scope === "day" ? "Today's budget" : `The budget of ${sessionName}`;
  return {
    title: percent >= 100 ? `${whose} is spent` : `${whose}: ${percent}% spent`,
    body: `${dollars(usd, locale)} of ${dollars(limit, locale)} at list prices.`,
  };
}

function whereOf(shell: Shell | undefined, context: ShellContext): string | undefined {
  return shell === undefined ? undefined : `In ${describeShell(shell, context).name}`;
}

/** Truncates the error itself, so that the desktop does not cut the shell's name. */
function shortened(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > LONGEST_ERROR ? `${line.slice(0, LONGEST_ERROR - 1)}…` : line;
}
