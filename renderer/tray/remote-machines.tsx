import { SessionId } from "../../core/protocol/ids.ts";
import type { MachineAgent, MachineOverview } from "../../core/protocol/machines.ts";
import { isOpen } from "../../core/protocol/questions.ts";
import { isUsable } from "../../core/protocol/waiting-elsewhere.ts";
import { formatDuration } from "../ui/format-duration.ts";
import { formatTime } from "../ui/format-time.ts";
import { useNow } from "../ui/use-now.ts";
import { formatDollars } from "./format.ts";
import { MachineKey } from "./machine-key-form.tsx";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

const SECOND_MS = 1_000;

/** The sessions of other machines, grouped by machine; nothing where there is no remote. */
export function RemoteSessions() {
  return <Machines>{(remote) => <SessionsThere remote={remote} />}</Machines>;
}

function SessionsThere({ remote }: { readonly remote: MachineOverview }) {
  const { machine, sessions, agents } = remote;
  return (
    <>
      <MachineKey remote={remote} />
      {sessions.length === 0 ? (
        isUsable(remote) && <p className="panel-faint">{words.remotes.noSession}</p>
      ) : (
        <ul className="panel-list" aria-label={words.remotes.sessionsOn(machine)}>
          {sessions.map((session) => (
            <SessionThere
              key={session.id}
              remote={remote}
              session={session}
              agents={agents.filter((agent) => agent.session === session.name)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface SessionThereProps {
  readonly remote: MachineOverview;
  readonly session: MachineOverview["sessions"][number];
  readonly agents: readonly MachineAgent[];
}

function SessionThere({ remote, session, agents }: SessionThereProps) {
  const { run, can, content } = usePanel();
  const { via, machine, questions } = remote;
  const { id, name } = session;
  // The number beside Now counts the same.
  const waiting = isUsable(remote)
    ? questions.filter(({ question }) => question.session === id && isOpen(question)).length
    : 0;
  const open = async () => {
    const named = { id: SessionId.parse(id), name };
    await run("panel.openMachine", { via, machine, session: named });
  };
  return (
    <li className="panel-card" data-waits={waiting > 0 || agents.some(isWaiting)}>
      <div className="panel-row">
        <h3 className="ellipsis" title={name}>
          {name}
        </h3>
        <span className="panel-faint panel-number">
          {waiting > 0 && <span className="panel-waiting">{words.sessions.waiting(waiting)}</span>}
          {waiting > 0 && agents.length > 0 && " · "}
          {agents.length > 0 && words.agents.count(agents.length)}
        </span>
        {can("panel.openMachine") ? (
          <button
            type="button"
            className="button outlined small"
            data-item
            data-enter={words.bar.open(name)}
            aria-label={words.remotes.openIt(name, machine)}
            onClick={() => void open()}
          >
            {words.sessions.open}
          </button>
        ) : (
          via === "fleet" && (
            <a
              className="button outlined small"
              data-item
              data-enter={words.bar.open(name)}
              aria-label={words.remotes.openIt(name, machine)}
              href={`${content.address}/s/${encodeURIComponent(id)}`}
              target="_blank"
              rel="noreferrer"
            >
              {words.sessions.open}
            </a>
          )
        )}
      </div>
      <AgentChips agents={agents} label={words.remotes.agentsIn(name, machine)} />
    </li>
  );
}

/** The agents of other machines, grouped by machine, with their cost. */
export function RemoteAgents() {
  return (
    <Machines>
      {({ machine, agents, cost, ...remote }) =>
        !isUsable(remote) ? null : agents.length === 0 ? (
          <p className="panel-faint">{words.remotes.noAgent}</p>
        ) : (
          <>
            <p className="panel-faint">{words.remotes.cost(formatDollars(cost))}</p>
            <ul className="panel-list" aria-label={words.remotes.agentsOn(machine)}>
              {agents.map((agent) => (
                <li
                  key={`${agent.session}/${agent.shellId}/${agent.agentType}`}
                  className="panel-card"
                  data-waits={isWaiting(agent)}
                >
                  <div className="panel-row">
                    <h3 className="ellipsis" title={agent.agentType}>
                      {agent.agentType}
                    </h3>
                    <StateChip agent={agent} />
                    {agent.cost !== undefined && <span className="panel-number">{formatDollars(agent.cost)}</span>}
                  </div>
                  <p className="panel-faint ellipsis" title={agent.session}>
                    {agent.session}
                  </p>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Machines>
  );
}

/** A section for each other machine, with its state. */
function Machines({ children }: { readonly children: (remote: MachineOverview) => React.ReactNode }) {
  const { remotes } = usePanel();
  return remotes.map((remote) => (
    <section
      key={`${remote.via} ${remote.machine}`}
      className="panel-section"
      aria-label={
        remote.via === "fleet" ? words.remotes.fleetMachine(remote.machine) : words.remotes.machine(remote.machine)
      }
    >
      <div className="panel-row">
        <h2 className="panel-tagged">
          <span
            className="ellipsis"
            title={remote.via === "fleet" ? remote.machine : `${remote.machine} · ${remote.url}`}
          >
            {remote.machine}
          </span>{" "}
          {remote.via === "fleet" && (
            <span className="panel-faint" title={words.remotes.inFleet}>
              {words.remotes.fleet}
            </span>
          )}
        </h2>
        <span className="panel-chip">
          <span className={`dot ${isUsable(remote) ? "good" : "bad"}`} />
          <Reachability remote={remote} />
        </span>
      </div>
      {(!isUsable(remote) || remote.problem !== undefined) && <p className="panel-faint">{problemOf(remote)}</p>}
      {children(remote)}
    </section>
  ));
}

/** For how long a machine has not been heard of. */
export function AwayFor({ since }: { readonly since: string }) {
  const away = formatDuration(useNow(SECOND_MS) - Date.parse(since));
  return (
    <span title={words.remotes.lastHeard(formatTime(since))}>
      {away === "" ? words.remotes.away : words.remotes.awayFor(away)}
    </span>
  );
}

function Reachability({ remote: { state, key, awaySince } }: { readonly remote: MachineOverview }) {
  if (state === "away" && awaySince !== null) return <AwayFor since={awaySince} />;
  if (state === "untrusted") return <>{words.remotes.otherCertificate}</>;
  if (state === "invalid") return <>{words.remotes.noRelay}</>;
  return <>{state === "reachable" && key !== "valid" ? words.remotes.key(key) : words.remotes.states[state]}</>;
}

function AgentChips({ agents, label }: { readonly agents: readonly MachineAgent[]; readonly label: string }) {
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

function StateChip({ agent, named = false }: { readonly agent: MachineAgent; readonly named?: boolean }) {
  const labels: Readonly<Record<string, string>> = words.agents.states;
  const label = labels[agent.state || "running"] ?? agent.state;
  return (
    <span className="panel-chip" data-state={agent.state}>
      <span className={`dot ${isWaiting(agent) ? "wait" : agent.state === "working" ? "good" : ""}`} />
      {named ? (
        <span className="ellipsis" title={words.agents.withState(agent.agentType, label)}>
          {words.agents.withState(agent.agentType, label)}
        </span>
      ) : (
        label
      )}
    </span>
  );
}

function isWaiting({ state }: MachineAgent): boolean {
  return state === "waiting";
}

function problemOf({ via, state, key, problem }: MachineOverview): string {
  if (via === "fleet" && state === "reachable" && key === "missing") return words.remotes.noKeyYet;
  return problem ?? (state === "away" ? words.remotes.noAnswer : words.remotes.notAsked);
}
