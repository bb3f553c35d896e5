import type { Agent, AgentTask, ChildAgent, TokenUsage } from "../../core/protocol/agent-records.ts";
import { SessionId } from "../../core/protocol/ids.ts";
import { approximateCostOf } from "../../core/protocol/usage.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { ActionsButton } from "./actions-button.tsx";
import { AgentDot, AgentState } from "./agent-chip.tsx";
import { AgentDetails } from "./agent-details.tsx";
import { formatCompact, formatDollars } from "./format.ts";
import { agentWaits } from "./panel-summary.ts";
import { ContextGauge } from "./quota-windows.tsx";
import { agentActions, conversationItem, opensConversation, useRowActions } from "./row-actions.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** The running agents; waiting ones come first. */
export function LiveAgents() {
  const { content } = usePanel();
  const live = content.sessions
    .flatMap((session) =>
      session.agents.map((agent) => ({ session, agent, waits: agentWaits(session, agent.shellId) })),
    )
    .sort((a, b) => Number(b.waits) - Number(a.waits));
  return (
    <section className="panel-section" aria-label={words.agents.running}>
      <h2>{words.agents.running}</h2>
      {live.length === 0 && <p className="panel-faint">{words.agents.none}</p>}
      <ul className="panel-list">
        {live.map((one) => (
          <AgentCard key={`${one.session.id}-${one.agent.shellId}-${one.agent.sessionId}`} {...one} />
        ))}
      </ul>
    </section>
  );
}

interface AgentCardProps {
  readonly session: PanelSession;
  readonly agent: Agent;
  /** It waits for the user. */
  readonly waits: boolean;
}

function AgentCard({ session, agent, waits }: AgentCardProps) {
  const panel = usePanel();
  const { run, can } = panel;
  const { agentType, model, shellId: shell, tokenUsage, state, context } = agent;
  const id = SessionId.parse(session.id);
  const name = session.shells.find((one) => one.id === shell)?.name ?? "";
  const about = [name === agentType ? "" : name, session.name, model].filter((part) => part !== "").join(" · ");
  const muted = session.muted.includes(shell);
  const task = name === "" || name === agentType ? session.name : name;
  const [conversation] = conversationItem(panel, session.id, { agentType, agentSessionId: agent.sessionId });
  const row = useRowActions(agentActions(panel, session, agent, task));
  return (
    <li className="panel-card" data-row data-waits={waits}>
      <div className="panel-row">
        <h3 className="ellipsis" title={agentType}>
          {agentType}
        </h3>
        <span className="panel-chip" data-state={state ?? "unknown"}>
          <AgentDot state={state} />
          <AgentState agent={agent} />
          {agent.progress !== undefined && ` · ${agent.progress} %`}
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
      {agent.tasks !== undefined && <AgentTasks agentType={agentType} tasks={agent.tasks} />}
      {agent.children !== undefined && <ChildAgents agentType={agentType} agents={agent.children} />}
      <div className="panel-row">
        <p className="panel-faint">
          {words.agents.tokens(
            formatCompact(tokenUsage.input),
            formatCompact(tokenUsage.output),
            formatCompact(tokenUsage.cached),
          )}
        </p>
        <div className="panel-buttons">
          {can("panel.mute") && (
            <button
              type="button"
              className="button quiet"
              aria-label={words.agents.mute(agentType, session.name)}
              aria-pressed={muted}
              title={words.agents.muteHint}
              onClick={() => void run("panel.mute", { id, shell, muted: !muted })}
            >
              {muted ? words.agents.muted : words.agents.muteIt}
            </button>
          )}
          <button
            ref={row}
            type="button"
            className={`button ${waits ? "primary" : "outlined"}`}
            data-item
            data-enter={words.bar.open(task)}
            aria-label={words.agents.showIn(agentType, session.name)}
            onClick={() => void run("panel.open", { id, shell })}
            onKeyDown={opensConversation(conversation)}
          >
            {words.agents.show}
          </button>
          <ActionsButton name={task} />
        </div>
      </div>
    </li>
  );
}

const INDENT_PX = 12;
/** Deeper parts stand below each other. */
const MAX_INDENTS = 3;

/** The work that an agent reports beside its own state, the parts of a task below it. */
function AgentTasks({ agentType, tasks }: { readonly agentType: string; readonly tasks: readonly AgentTask[] }) {
  return (
    <ul className="panel-list" aria-label={words.agents.tasksOf(agentType)}>
      {tasks.map(({ id, state, title, message, progress }) => {
        const segments = id.split("/");
        const name = title ?? segments.at(-1);
        const done = progress === undefined ? undefined : `${progress} %`;
        return (
          <li
            key={id}
            className="panel-row panel-faint panel-child"
            style={{ marginInlineStart: Math.min(segments.length - 1, MAX_INDENTS) * INDENT_PX }}
          >
            <span className="ellipsis" title={[id, message].filter(Boolean).join(": ")}>
              {[name, message].filter(Boolean).join(" · ")}
            </span>
            <span className="panel-number" data-state={state}>
              {[words.agents.taskStates[state], done].filter(Boolean).join(" · ")}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The agents that an agent's tools have started, each with its own cost. */
function ChildAgents({ agentType, agents }: { readonly agentType: string; readonly agents: readonly ChildAgent[] }) {
  return (
    <ul className="panel-list" aria-label={words.agents.startedBy(agentType)}>
      {agents.map((child) => (
        <li key={`${child.agentType} ${child.sessionId}`} className="panel-row panel-faint panel-child">
          <span className="ellipsis" title={child.sessionId}>
            {[child.agentType, child.model, words.agents.states[child.state]].filter((part) => part !== "").join(" · ")}
          </span>
          <Cost usage={child.tokenUsage} />
        </li>
      ))}
    </ul>
  );
}

function Cost({ usage }: { readonly usage: TokenUsage }) {
  const approximate = approximateCostOf(usage);
  const doubts = [
    ...(usage.unpriced ? [words.agents.noPrice] : []),
    ...(approximate === undefined ? [] : [words.agents.approximate(formatDollars(approximate))]),
  ];
  return (
    <span className="panel-number" title={doubts.join(". ") || undefined}>
      {formatDollars(usage.cost)}
      {doubts.length > 0 && "*"}
    </span>
  );
}

const HOUR_MS = 3_600_000;
/** Shorter sessions do not allow an hourly estimate. */
const MIN_DURATION_MS = 300_000;

/** Formats the average cost per hour; "" if the session is too short. */
function formatHourlyCost(cost: number, start: string | undefined): string {
  const lasted = start === undefined ? 0 : Date.now() - Date.parse(start);
  return cost === 0 || lasted < MIN_DURATION_MS ? "" : words.agents.perHour(formatDollars((cost / lasted) * HOUR_MS));
}
