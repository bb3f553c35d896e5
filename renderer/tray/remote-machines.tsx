import type { PanelRemote, PanelRemoteAgent } from "../../preload/panel-content.ts";
import { formatDuration } from "../ui/format-duration.ts";
import { formatTime } from "../ui/format-time.ts";
import { useNow } from "../ui/use-now.ts";
import { formatCount, formatDollars } from "./format.ts";
import { usePanel } from "./use-panel.ts";

const SECOND_MS = 1_000;

/** The sessions of other machines, grouped by machine; nothing where there is no remote. */
export function RemoteSessions() {
  return (
    <Machines>
      {({ machine, sessions, agents }) =>
        sessions.length === 0 ? (
          <p className="panel-faint">No session is open there.</p>
        ) : (
          <ul className="panel-list" aria-label={`Sessions on ${machine}`}>
            {sessions.map(({ id, name }) => {
              const here = agents.filter(({ session }) => session === name);
              return (
                <li key={id} className="panel-card" data-waits={here.some(isWaiting)}>
                  <div className="panel-row">
                    <h3 className="ellipsis" title={name}>
                      {name}
                    </h3>
                    <span className="panel-faint panel-number">
                      {here.length > 0 && formatCount(here.length, "agent")}
                    </span>
                  </div>
                  <AgentChips agents={here} label={`Agents in ${name} on ${machine}`} />
                </li>
              );
            })}
          </ul>
        )
      }
    </Machines>
  );
}

/** The agents of other machines, grouped by machine, with their cost. */
export function RemoteAgents() {
  return (
    <Machines>
      {({ machine, agents, cost }) =>
        agents.length === 0 ? (
          <p className="panel-faint">No agent runs there.</p>
        ) : (
          <>
            <p className="panel-faint">{formatDollars(cost)} by its running agents at list prices</p>
            <ul className="panel-list" aria-label={`Agents on ${machine}`}>
              {agents.map((agent) => (
                <li
                  key={`${agent.session}/${agent.shellId}/${agent.agentType}`}
                  className="panel-card"
                  data-waits={isWaiting(agent)}
                >
                  <div className="panel-row">
                    <h3 className="panel-number">{agent.agentType}</h3>
                    <StateChip agent={agent} />
                    <span className="panel-faint ellipsis" title={agent.session}>
                      {agent.session}
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Machines>
  );
}

function Machines({ children }: { readonly children: (remote: PanelRemote) => React.ReactNode }) {
  const { remotes } = usePanel();
  return remotes.map((remote) => (
    <section key={remote.machine} className="panel-section" aria-label={`Machine ${remote.machine}`}>
      <div className="panel-row">
        <h2 className="ellipsis" title={remote.url}>
          {remote.machine}
        </h2>
        <span className="panel-chip">
          <span className={`dot ${isUsable(remote) ? "good" : "bad"}`} />
          <Reachability remote={remote} />
        </span>
      </div>
      {isUsable(remote) ? (
        children(remote)
      ) : (
        <p className="panel-faint">{remote.problem ?? "It could not be asked."}</p>
      )}
    </section>
  ));
}

/** For how long a machine has not been heard of. */
export function AwayFor({ since }: { readonly since: string }) {
  const away = formatDuration(useNow(SECOND_MS) - Date.parse(since));
  return <span title={`Last heard of at ${formatTime(since)}`}>{away === "" ? "away" : `away for ${away}`}</span>;
}

function Reachability({ remote: { state, key, awaySince } }: { readonly remote: PanelRemote }) {
  if (state === "away" && awaySince !== null) return <AwayFor since={awaySince} />;
  if (state === "untrusted") return <>another certificate</>;
  if (state === "invalid") return <>no relay</>;
  return <>{state === "reachable" && key !== "valid" ? `key ${key}` : state}</>;
}

function AgentChips({ agents, label }: { readonly agents: readonly PanelRemoteAgent[]; readonly label: string }) {
  if (agents.length === 0) return null;
  return (
    <ul className="panel-chips" aria-label={label}>
      {agents.map((agent) => (
        <li key={`${agent.shellId}/${agent.agentType}`}>
          <StateChip agent={agent} named />
        </li>
      ))}
    </ul>
  );
}

function StateChip({ agent, named = false }: { readonly agent: PanelRemoteAgent; readonly named?: boolean }) {
  const label = isWaiting(agent) ? "waits for you" : agent.state || "running";
  return (
    <span className="panel-chip" data-state={agent.state}>
      <span className={`dot ${isWaiting(agent) ? "wait" : agent.state === "working" ? "good" : ""}`} />
      {named ? `${agent.agentType} · ${label}` : label}
    </span>
  );
}

function isWaiting({ state }: PanelRemoteAgent): boolean {
  return state === "waiting";
}

function isUsable({ state, key }: PanelRemote): boolean {
  return state === "reachable" && key === "valid";
}
