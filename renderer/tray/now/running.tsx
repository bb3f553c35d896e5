import type { Agent } from "../../../core/protocol/agent-records.ts";
import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { PanelSession } from "../../../preload/channels.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { Icon } from "../../ui/icon.tsx";
import { useNow } from "../../ui/use-now.ts";
import { ActionsButton } from "../actions-button.tsx";
import { formatDollars } from "../format.ts";
import { PanelIcon } from "../icons.tsx";
import { agentWaits, shellNameIn } from "../panel-summary.ts";
import { agentActions, conversationItem, opensConversation, sessionActions, useRowActions } from "../row-actions.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { AgentMark } from "./card.tsx";
import { Faces } from "./here.tsx";
import { peopleOf } from "./people.ts";

const SECOND_MS = 1_000;
/** Rows of a section before the rest is one line that leads to its place. */
const MOST_ROWS = 6;

interface AgentRow {
  readonly session: PanelSession;
  readonly agent: Agent;
}

/** What runs: the agents at work first, and what each does, since when and at which cost. */
export function Running() {
  const { content, goTo, can } = usePanel();
  const showAll = can("panel.usage") ? () => goTo("agents") : undefined;
  const rows = content.sessions
    .flatMap((session) => session.agents.map((agent) => ({ session, agent })))
    // What waits stands above.
    .filter(({ session, agent }) => !agentWaits(session, agent.shellId))
    .sort((one, other) => rank(one) - rank(other));
  const shells = content.sessions.reduce((sum, session) => sum + session.shells.filter((one) => one.running).length, 0);
  return (
    <section className="now-section" aria-label={words.running.title}>
      <Head title={words.running.title} about={words.running.about(rows.length, shells)} go={showAll}>
        {words.running.all}
      </Head>
      <ul className="now-rows">
        {rows.slice(0, showAll === undefined ? rows.length : MOST_ROWS).map((row) => (
          <AgentLine key={`${row.session.id} ${row.agent.shellId} ${row.agent.sessionId}`} {...row} />
        ))}
        {showAll !== undefined && <More count={rows.length - MOST_ROWS} go={showAll} />}
      </ul>
    </section>
  );
}

const ranks = { error: 0, working: 1, waiting: 1, unknown: 1, idle: 2, ended: 3 } as const;

function rank({ agent: { state } }: AgentRow): number {
  return state === undefined ? ranks.working : ranks[state];
}

function AgentLine({ session, agent }: AgentRow) {
  const panel = usePanel();
  const now = useNow(agent.since === undefined ? undefined : SECOND_MS);
  const { agentType, state, since, paused, tokenUsage, shellId } = agent;
  const name = shellNameIn(session, shellId) ?? words.shell(shellId);
  const task = name === agentType ? session.name : name;
  const does =
    agent.message ??
    agent.tasks?.find((one) => one.state === "working")?.title ??
    (task === session.name ? "" : session.name);
  const label = words.agents.states[paused === true ? "paused" : (state ?? "running")];
  const elapsed = since === undefined ? "" : formatDuration(now - Date.parse(since));
  const [conversation] = conversationItem(panel, session.id, { agentType, agentSessionId: agent.sessionId });
  const row = useRowActions(agentActions(panel, session, agent, task));
  return (
    <li className="now-item">
      <button
        ref={row}
        type="button"
        className="now-row"
        data-item
        data-enter={words.bar.open(task)}
        aria-label={words.running.row({
          agent: agentType,
          task,
          state: label,
          elapsed,
          cost: formatDollars(tokenUsage.cost),
        })}
        onClick={() => void panel.run("panel.open", { id: SessionId.parse(session.id), shell: ShellId.parse(shellId) })}
        onKeyDown={opensConversation(conversation)}
      >
        <AgentMark agentType={agentType} />
        <span className="ellipsis" title={[task, does].filter((part) => part !== "").join(" · ")}>
          <span className="now-name">{task}</span>
          {does !== "" && <span className="panel-faint"> · {does}</span>}
        </span>
        <span className="now-state panel-faint">
          <StateMark state={paused === true ? "held" : (state ?? "running")} />
          {state === "error" || paused === true ? label : elapsed || label}
        </span>
        <span className="now-cost">{formatDollars(tokenUsage.cost)}</span>
      </button>
      <ActionsButton name={task} />
    </li>
  );
}

/** A state as a shape: it is told without its colour. */
function StateMark({ state }: { readonly state: string }) {
  return <span className="now-mark" data-state={state} aria-hidden="true" />;
}

/** The open sessions of this machine, with who is in them. */
export function SessionRows() {
  const { content, remotes, goTo } = usePanel();
  const { sessions } = content;
  const machines = remotes.length + 1;
  return (
    <section className="now-section" aria-label={words.panel.tabs.sessions}>
      <Head
        title={words.panel.tabs.sessions}
        about={words.running.sessions(sessions.length, machines)}
        go={() => goTo("sessions")}
      >
        {words.running.allSessions}
      </Head>
      <ul className="now-rows">
        {sessions.slice(0, MOST_ROWS).map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
        <More count={sessions.length - MOST_ROWS} go={() => goTo("sessions")} />
      </ul>
    </section>
  );
}

function SessionLine({ session }: { readonly session: PanelSession }) {
  const panel = usePanel();
  const { id, name, clients } = session;
  const shells = words.sessions.shells(session.shells.filter(({ running }) => running).length);
  const row = useRowActions(sessionActions(panel, session));
  return (
    <li className="now-item">
      <button
        ref={row}
        type="button"
        className="now-row"
        data-item
        data-enter={words.bar.open(name)}
        aria-label={words.running.session(name, shells, words.people.count(clients.length))}
        onClick={() => void panel.run("panel.open", { id: SessionId.parse(id) })}
      >
        <PanelIcon name="sessions" />
        <span className="ellipsis" title={`${name} · ${shells}`}>
          <span className="now-name">{name}</span>
          <span className="panel-faint"> · {shells}</span>
        </span>
        <Faces people={peopleOf([session])} />
      </button>
      <ActionsButton name={name} />
    </li>
  );
}

function More({ count, go }: { readonly count: number; readonly go: () => void }) {
  if (count <= 0) return null;
  return (
    <li>
      <button type="button" className="now-row panel-faint" data-item data-enter={words.running.showAll} onClick={go}>
        {words.running.more(count)}
      </button>
    </li>
  );
}

/** The head of a section, with the way to the section's place. */
function Head(props: {
  readonly title: string;
  readonly about: string;
  /** Undefined: there is no such place. */
  readonly go: (() => void) | undefined;
  /** The accessible name of the button that leads there. */
  readonly children: string;
}) {
  return (
    <div className="now-head-row">
      <h2 className="now-head">
        {props.title}
        <span className="now-about ellipsis">{props.about}</span>
      </h2>
      {props.go !== undefined && (
        <button
          type="button"
          className="icon-button"
          aria-label={props.children}
          title={props.children}
          onClick={props.go}
        >
          <Icon name="right" size={14} />
        </button>
      )}
    </div>
  );
}
