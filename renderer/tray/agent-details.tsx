import { useState } from "react";
import type { Agent, AgentSessionDetails } from "../../core/protocol/agent-records.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import { formatMilliseconds } from "../ui/format-duration.ts";
import { formatTime } from "../ui/format-time.ts";
import { formatDollars } from "./format.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** The newest turns, and the slowest tools, that are shown. */
const SHOWN = 5;

/** What an agent has cost by turn and sub-agent, and how long its tools took: read when it is opened. */
export function AgentDetails({ agent, session }: { readonly agent: Agent; readonly session: SessionId }) {
  const { call } = usePanel();
  const { agentType, sessionId } = agent;
  const [details, setDetails] = useState<AgentSessionDetails>();
  if (sessionId === "") return null;
  const load = async () => setDetails(await call("getAgentDetails", { session, agentSession: sessionId }));
  return (
    <details className="panel-details" onToggle={({ currentTarget }) => currentTarget.open && void load()}>
      <summary aria-label={words.agents.detailsOf(agentType)}>{words.agents.details}</summary>
      {details !== undefined && <Details details={details} />}
    </details>
  );
}

function Details({ details }: { readonly details: AgentSessionDetails }) {
  const { turns, turnCount, tools, subagents, difference, reported } = details;
  const about = aboutOf(details);
  const last = turns.slice(-SHOWN).reverse();
  return (
    <>
      {about !== "" && <p className="panel-faint">{about}</p>}
      {reported !== undefined && difference !== undefined && Math.abs(difference) >= CENT && (
        <p className="panel-faint">
          {(difference > 0 ? words.agents.countsMore : words.agents.countsLess)(
            formatDollars(reported),
            formatDollars(Math.abs(difference)),
          )}
        </p>
      )}
      <Rows
        label={last.length < turnCount ? words.agents.lastTurns(last.length, turnCount) : words.agents.turns}
        rows={last.map(({ at, ms, tokenUsage }) => [
          `${formatTime(at)} · ${formatMilliseconds(ms)}`,
          formatDollars(tokenUsage.cost),
        ])}
      />
      <Rows
        label={words.agents.tools}
        rows={tools.slice(0, SHOWN).map(({ name, calls, failed, ms }) => {
          const what = failed > 0 ? words.agents.callsFailed(name, calls, failed) : words.agents.calls(name, calls);
          return [what, formatMilliseconds(ms)];
        })}
      />
      <Rows
        label={words.agents.subAgents}
        rows={subagents.map(({ id, type, description, tokenUsage }) => {
          const name = [type ?? (id || words.agents.someSubAgents), description].filter(Boolean).join(" · ");
          return [`${arrowsOf(id, subagents)}${name}`, formatDollars(tokenUsage.cost)];
        })}
      />
    </>
  );
}

interface RowsProps {
  readonly label: string;
  readonly rows: readonly (readonly [name: string, figure: string])[];
}

function Rows({ label, rows }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={label}>
      <h4 className="panel-faint">{label}</h4>
      <ul>
        {rows.map(([name, figure], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be equal, and none keeps any state.
          <li key={index} className="panel-row panel-child">
            <span className="ellipsis" title={name}>
              {name}
            </span>
            <span className="panel-number">{figure}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const CENT = 0.01;

function aboutOf({ branch, mode, effort, linesAdded, linesRemoved }: AgentSessionDetails): string {
  const lines = linesAdded === undefined && linesRemoved === undefined;
  return [branch, mode, effort, lines ? undefined : words.agents.lines(linesAdded ?? 0, linesRemoved ?? 0)]
    .filter((part) => part !== undefined)
    .join(" · ");
}

/** An arrow for each sub-agent above this one. */
function arrowsOf(id: string, all: AgentSessionDetails["subagents"]): string {
  const above = new Set<string>();
  let parent = all.find((one) => one.id === id)?.parent ?? null;
  while (parent !== null && !above.has(parent)) {
    above.add(parent);
    const next = parent;
    parent = all.find((one) => one.id === next)?.parent ?? null;
  }
  return "↳ ".repeat(above.size);
}
