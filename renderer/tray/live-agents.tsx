import type { Agent, ChildAgent, TokenUsage } from "../../core/protocol/agent-records.ts";
import { SessionId } from "../../core/protocol/ids.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { AgentDot, AgentState } from "./agent-chip.tsx";
import { AgentDetails } from "./agent-details.tsx";
import { formatCompact, formatDollars } from "./format.ts";
import { ContextGauge } from "./quota-windows.tsx";
import { usePanel } from "./use-panel.ts";

/** The running agents; waiting ones come first. */
export function LiveAgents() {
  const { content } = usePanel();
  const live = content.sessions
    .flatMap((session) => session.agents.map((agent) => ({ session, agent })))
    .sort((a, b) => Number(b.agent.state === "waiting") - Number(a.agent.state === "waiting"));
  return (
    <section className="panel-section" aria-label="Running now">
      <h2>Running now</h2>
      {live.length === 0 && <p className="panel-faint">No agent runs in a shell.</p>}
      <ul className="panel-list">
        {live.map(({ session, agent }) => (
          <AgentCard key={`${session.id}-${agent.shellId}-${agent.sessionId}`} session={session} agent={agent} />
        ))}
      </ul>
    </section>
  );
}

function AgentCard({ session, agent }: { readonly session: PanelSession; readonly agent: Agent }) {
  const { run } = usePanel();
  const { agentType, model, shellId: shell, tokenUsage, state, context } = agent;
  const id = SessionId.parse(session.id);
  const name = session.shells.find((one) => one.id === shell)?.name ?? "";
  const about = [name === agentType ? "" : name, session.name, model].filter((part) => part !== "").join(" · ");
  const muted = session.muted.includes(shell);
  return (
    <li className="panel-card" data-waits={state === "waiting"}>
      <div className="panel-row">
        <h3>{agentType}</h3>
        <span className="panel-chip" data-state={state ?? "unknown"}>
          <AgentDot state={state} />
          <AgentState agent={agent} />
        </span>
        <Cost usage={tokenUsage} />
      </div>
      {agent.message !== undefined && <p className="panel-error">{agent.message}</p>}
      <div className="panel-row panel-faint">
        <p className="ellipsis" title={about}>
          {about}
        </p>
        <span className="panel-number">{formatHourlyCost(tokenUsage.cost, session.agentStarts[agent.sessionId])}</span>
      </div>
      {context !== undefined && <ContextGauge agentType={agentType} context={context} />}
      <AgentDetails agent={agent} session={id} />
      {agent.children !== undefined && <ChildAgents agentType={agentType} agents={agent.children} />}
      <div className="panel-row">
        <p className="panel-faint">
          {formatCompact(tokenUsage.input)} in, {formatCompact(tokenUsage.output)} out,{" "}
          {formatCompact(tokenUsage.cached)} cached
        </p>
        <div className="panel-buttons">
          <button
            type="button"
            className="button quiet"
            aria-label={`Mute ${agentType} in ${session.name}`}
            aria-pressed={muted}
            title="Its notifications are listed under Activity but not shown"
            onClick={() => void run("panel.mute", { id, shell, muted: !muted })}
          >
            {muted ? "Muted" : "Mute"}
          </button>
          <button
            type="button"
            className={`button ${state === "waiting" ? "panel-wait-button" : "outlined"}`}
            aria-label={`Show ${agentType} in ${session.name}`}
            onClick={() => void run("panel.open", { id, shell })}
          >
            Show
          </button>
        </div>
      </div>
    </li>
  );
}

/** The agents that an agent's tools have started, each with its own cost. */
function ChildAgents({ agentType, agents }: { readonly agentType: string; readonly agents: readonly ChildAgent[] }) {
  return (
    <ul className="panel-list" aria-label={`Agents started by ${agentType}`}>
      {agents.map((child) => (
        <li key={`${child.agentType} ${child.sessionId}`} className="panel-row panel-faint panel-child">
          <span className="ellipsis" title={child.sessionId}>
            {[child.agentType, child.model, child.state].filter((part) => part !== "").join(" · ")}
          </span>
          <Cost usage={child.tokenUsage} />
        </li>
      ))}
    </ul>
  );
}

function Cost({ usage: { cost, unpriced, approximate } }: { readonly usage: TokenUsage }) {
  return (
    <span className="panel-number" title={unpriced ? "Some calls have no list price" : undefined}>
      {formatDollars(cost)}
      {(unpriced ?? approximate) === true && "*"}
    </span>
  );
}

const HOUR_MS = 3_600_000;
/** Shorter sessions do not allow an hourly estimate. */
const MIN_DURATION_MS = 300_000;

/** Formats the average cost per hour; "" if the session is too short. */
function formatHourlyCost(cost: number, start: string | undefined): string {
  const lasted = start === undefined ? 0 : Date.now() - Date.parse(start);
  return cost === 0 || lasted < MIN_DURATION_MS ? "" : `${formatDollars((cost / lasted) * HOUR_MS)} / h`;
}
