import { useEffect, useRef, useState } from "react";
import type { AccountWindow, AgentContext } from "../../core/protocol/quotas.ts";
import { describeWindow } from "../../core/protocol/quotas.ts";
import { formatTime } from "../ui/format-time.ts";
import { useNow } from "../ui/use-now.ts";
import { formatCompact } from "./format.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

const MINUTE_MS = 60_000;
/** From this share on a gauge warns. */
const NEARLY_FULL = 90;

/** How much of the quotas of the agents' accounts is used; nothing where no agent reports any. */
export function QuotaWindows() {
  const windows = useQuotaWindows();
  if (windows.length === 0) return null;
  const folders = new Set(windows.map(({ agentType, account }) => `${agentType} ${account}`));
  const kinds = new Set(windows.map(({ agentType }) => agentType));
  return (
    <section className="panel-section" aria-label={words.agents.quotas.title}>
      <h2>{words.agents.quotas.title}</h2>
      <ul className="panel-list">
        {windows.map((window) => {
          const { agentType, account, limit = "", minutes, usedPercent } = window;
          const about = describeWindow(window);
          // Where one kind has several accounts, their folders tell them apart.
          const of = folders.size === kinds.size ? agentType : words.agents.quotas.ofAccount(agentType, account);
          return (
            <li key={`${agentType} ${account} ${limit} ${minutes}`} className="quota-row">
              <span className="ellipsis" title={`${of} · ${about}`}>
                {of} <span className="panel-faint">{about}</span>
              </span>
              <GaugeBar
                label={words.agents.quotas.label(about, of)}
                percent={usedPercent}
                detail={words.agents.quotas.used(formatPercent(usedPercent))}
              />
              <span className="panel-number">{formatPercent(usedPercent)}</span>
              <span className="panel-faint">{describeReset(window)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** How full the context of an agent is; only its tokens where the agent does not report how many fit. */
export function ContextGauge({ agentType, context }: { readonly agentType: string; readonly context: AgentContext }) {
  const { used, size } = context;
  if (size === undefined) return <p className="panel-faint">{words.agents.quotas.tokens(formatCompact(used))}</p>;
  const percent = Math.min(100, (used / size) * 100);
  const detail = words.agents.quotas.tokensOf(formatCompact(used), formatCompact(size), formatPercent(percent));
  return (
    <Gauge
      label={words.agents.quotas.context}
      heading={words.agents.quotas.context}
      of={agentType}
      percent={percent}
      detail={detail}
    />
  );
}

interface GaugeProps {
  readonly label: string;
  /** What it belongs to, for the accessible name. */
  readonly of: string;
  readonly heading: string;
  readonly percent: number;
  readonly detail: string;
}

function Gauge({ label, of, percent, detail, heading }: GaugeProps) {
  return (
    <div className="panel-gauge">
      <div className="panel-row">
        <span className="ellipsis" title={heading}>
          {heading}
        </span>
        <span className="panel-number">{detail}</span>
      </div>
      <GaugeBar label={words.agents.quotas.label(label, of)} percent={percent} detail={detail} />
    </div>
  );
}

function GaugeBar({ label, percent, detail }: Pick<GaugeProps, "label" | "percent" | "detail">) {
  return (
    <meter
      className="panel-gauge-bar"
      aria-label={label}
      aria-valuetext={detail}
      max={100}
      value={Math.min(100, percent)}
      data-full={percent >= NEARLY_FULL ? true : undefined}
    />
  );
}

function describeReset({ resetsAt, usedPercent, at }: AccountWindow): string {
  if (resetsAt !== null) return words.agents.quotas.resets(formatTime(resetsAt));
  return usedPercent === 0 ? words.agents.quotas.reset(formatTime(at)) : words.agents.quotas.reported(formatTime(at));
}

/** Never shows less than the limit as the whole of it. */
function formatPercent(percent: number): string {
  return `${percent > 99 && percent < 100 ? 99 : Math.round(percent)}%`;
}

/** Fetches the windows again whenever an agent reports some, and every minute, because they are reset by the clock. */
function useQuotaWindows(): readonly AccountWindow[] {
  const { content, call } = usePanel();
  const ask = useRef(call);
  ask.current = call;
  const [windows, setWindows] = useState<readonly AccountWindow[]>([]);
  const minute = Math.floor(useNow(MINUTE_MS) / MINUTE_MS);
  const reported = JSON.stringify(content.sessions.flatMap(({ agents }) => agents.flatMap((agent) => agent.windows)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was reported and the minute say when to ask again.
  useEffect(() => {
    let wanted = true;
    void ask.current("getQuotaWindows", {}).then((answer) => {
      if (wanted && answer !== undefined) setWindows(answer);
    });
    return () => {
      wanted = false;
    };
  }, [reported, minute]);
  return windows;
}
