import type { RelayEvent } from "../../core/protocol/events.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { Shell } from "../../core/protocol/records.ts";
import type { NoticeKind } from "../../preload/channels.ts";
import type { Notice } from "./notices.ts";
import type { BudgetAlert } from "./usage-watch.ts";

export interface AgentNotice extends Notice {
  readonly kind: NoticeKind;
  readonly shell: ShellId;
}

/** What an event says to the user; undefined when it is nothing to disturb anybody with. */
export function noticeOfEvent(event: RelayEvent, shells: readonly Shell[]): AgentNotice | undefined {
  if (event.type !== "agent.waiting" && event.type !== "agent.ended") return undefined;
  const { agentType, shellId, reason } = event.data;
  const title = shells.find(({ id }) => id === shellId)?.title;
  const where = title === undefined ? undefined : `In ${title}`;
  return event.type === "agent.waiting"
    ? {
        kind: "waiting",
        shell: shellId,
        title: `${agentType} waits for you`,
        body: [reason?.detail, where].filter(Boolean).join("\n"),
      }
    : { kind: "ended", shell: shellId, title: `${agentType} ended`, body: where };
}

/** `sessionName` for a session's budget. */
export function noticeOfBudget({ scope, usd, limit, percent }: BudgetAlert, sessionName: string): Notice {
  const whose = scope === "day" ? "Today's budget" : `The budget of ${sessionName}`;
  return {
    title: percent >= 100 ? `${whose} is spent` : `${whose}: ${percent}% spent`,
    body: `${dollars(usd)} of ${dollars(limit)} at list prices.`,
  };
}

function dollars(usd: number): string {
  return new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" }).format(usd);
}
