import { Fragment, useEffect, useState } from "react";
import { formatNumber, listNames, pluralForm } from "../../core/phrases.ts";
import { SessionId } from "../../core/protocol/ids.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { Icon } from "../ui/icon.tsx";
import { lazyPart } from "../ui/load-guard.tsx";
import { Popover } from "../ui/popover.tsx";
import { AgentChip } from "./agent-chip.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { formatDollars } from "./format.ts";
import { InviteButton } from "./invite.tsx";
import { LoadedPart } from "./loaded-part.tsx";
import { NameForm } from "./name-form.tsx";
import { waitingIn } from "./panel-summary.ts";
import { RemoteSessions } from "./remote-machines.tsx";
import { sessionActions, sessionItems, useRowActions } from "./row-actions.ts";
import { People } from "./session-people.tsx";
import { ShellRestrictions } from "./shell-restrictions.tsx";
import { usePanel } from "./use-panel.ts";
import { useStillOrder } from "./use-still-order.ts";
import { targets, useTarget } from "./use-target.ts";
import { words } from "./words/index.ts";

const MachineUse = lazyPart(
  () => import("./machine-use.tsx"),
  ({ MachineUse }) => MachineUse,
);

/** Number of sessions that are found without a search. */
const MAX_WITHOUT_SEARCH = 6;

/** The sessions and their main actions. */
export function SessionsTab() {
  const { content, call, can, canRun, target } = usePanel();
  const [creating, setMaking] = useState(false);
  const [search, setSearch] = useState("");
  useTarget(targets.newSession, () => setMaking(true));
  const isLed = target?.item !== undefined;
  useEffect(() => {
    if (isLed) setSearch("");
  }, [isLed]);
  const { order, list } = useStillOrder<HTMLUListElement>(
    content.sessions.toSorted((one, other) => rank(one) - rank(other)).map(({ id }) => id),
  );
  const sessions = order.flatMap((id) => content.sessions.find((session) => session.id === id) ?? []);
  const hasSearch = sessions.length > MAX_WITHOUT_SEARCH;
  // What the panel is led to is shown at once, whatever was searched for: nothing that is hidden takes the focus.
  const wanted = hasSearch && !isLed ? search.trim().toLowerCase() : "";
  const isFound = ({ name }: PanelSession) => name.toLowerCase().includes(wanted);
  return (
    <>
      <div className="panel-head">
        <p className="panel-sum">
          {pluralForm(
            sessions.length,
            words.sessions.count,
          )({
            count: <strong>{formatNumber(sessions.length)}</strong>,
          })}
          {can("panel.usage") && (
            <span className="panel-basis" title={words.sessions.basis}>
              {words.sessions.costToday(formatDollars(content.costToday))}
            </span>
          )}
        </p>
        {canRun("createSession") && (
          <button type="button" className="button outlined" onClick={() => setMaking(true)}>
            <Icon name="plus" size={14} />
            {words.sessions.newSession}
          </button>
        )}
      </div>
      {creating && (
        <NameForm
          label={words.sessions.newName}
          action={words.sessions.create}
          start=""
          close={() => setMaking(false)}
          submit={(name) => call("createSession", { name })}
        />
      )}
      {hasSearch && (
        <input
          className="field panel-search"
          type="search"
          aria-label={words.sessions.search}
          placeholder={words.sessions.searchHint}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {sessions.length > 0 && !sessions.some(isFound) && (
        <p className="panel-empty">{words.sessions.noMatch(search)}</p>
      )}
      {sessions.length === 0 ? (
        <p className="panel-empty">{words.sessions.none}</p>
      ) : (
        <ul {...list} className="panel-list">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} isFound={isFound(session)} />
          ))}
        </ul>
      )}
      <RemoteSessions />
    </>
  );
}

/** Ranks a session: what waits comes first, then what works; the others keep their order. */
function rank(session: PanelSession): number {
  if (waitingIn(session).length > 0) return 0;
  return session.agents.length > 0 ? 1 : 2;
}

/** The row of a session. One that a search leaves out is hidden and not removed: a name that is typed in it is not lost. */
function SessionRow({ session, isFound }: { readonly session: PanelSession; readonly isFound: boolean }) {
  const panel = usePanel();
  const { call, run, can, canRun } = panel;
  const row = useRowActions(sessionActions(panel, session));
  const [mode, setMode] = useState<"shown" | "renaming" | "closing">("shown");
  useTarget(targets.rename(session.id), () => setMode("renaming"));
  useTarget(targets.close(session.id), () => setMode("closing"));
  const id = SessionId.parse(session.id);
  const running = session.shells.filter(({ running }) => running).length;
  const waiting = waitingIn(session).length;
  const waits = waiting > 0 ? [words.sessions.waiting(waiting)] : [];
  // Agents and people are listed below.
  const about = words.sessions.shells(running);
  return (
    <li className="panel-card" data-row data-waits={waiting > 0} hidden={!isFound}>
      {mode === "renaming" ? (
        <NameForm
          label={words.sessions.newNameOf(session.name)}
          action={words.sessions.rename}
          start={session.name}
          close={() => setMode("shown")}
          submit={(name) => call("renameSession", { session: id, name })}
        />
      ) : (
        <div className="panel-row">
          <h2 className="ellipsis" title={session.name}>
            {session.name}
          </h2>
          {can("panel.usage") && <span className="panel-number">{formatDollars(session.costToday)}</span>}
        </div>
      )}
      <div className="panel-row panel-session">
        <p className="panel-faint ellipsis" title={[...waits, about].join(" · ")}>
          {waits.map((text) => (
            <Fragment key={text}>
              <span className="panel-waiting">{text}</span>
              {" · "}
            </Fragment>
          ))}
          {about}
        </p>
        <div className="panel-buttons">
          <button
            ref={row}
            type="button"
            className="button outlined small"
            data-item
            data-enter={words.bar.open(session.name)}
            aria-label={words.sessions.openIt(session.name)}
            onClick={() => void run("panel.open", { id })}
          >
            {words.sessions.open}
          </button>
          <InviteButton session={session} />
          <SessionMenu session={session} />
        </div>
      </div>
      {session.agents.length > 0 && (
        <ul className="panel-chips" aria-label={words.sessions.agentsIn(session.name)}>
          {session.agents.map((agent) => (
            <li key={`${agent.shellId}-${agent.sessionId}`}>
              <AgentChip agent={agent} />
            </li>
          ))}
        </ul>
      )}
      {canRun("getShellUsage") && (
        <LoadedPart loading={<div className="machine-use" />}>
          <MachineUse session={session} />
        </LoadedPart>
      )}
      <People session={session} />
      <ShellRestrictions session={session} />
      {mode === "closing" && (
        <ConfirmDialog
          title={words.sessions.closeQuestion(session.name)}
          body={describeClosing(session, running)}
          action={words.sessions.close}
          confirm={() => call("closeSession", { session: id })}
          close={() => setMode("shown")}
        />
      )}
    </li>
  );
}

function SessionMenu({ session }: { readonly session: PanelSession }) {
  const panel = usePanel();
  const items = sessionItems(panel, session).flat();
  if (items.length === 0) return null;
  return (
    <Popover
      button={words.sessions.more}
      label={words.sessions.moreFor(session.name)}
      className="button quiet small"
      side="roomier"
    >
      {(close) => (
        <div className="panel-menu">
          <code className="ellipsis" title={session.id}>
            {session.id}
          </code>
          {items.map(({ label, run }) => (
            <button
              key={label}
              type="button"
              className="button quiet"
              onClick={() => {
                close();
                run();
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}

function describeClosing({ clients, self, agents }: PanelSession, running: number): string {
  const said = words.sessions.closing;
  const others = clients.filter(({ id }) => id !== self).length;
  const shells = said.shells(running);
  const ends = [
    ...(running === 0 ? [] : [agents.length > 0 ? said.shellsWith(shells, words.agents.count(agents.length)) : shells]),
    ...(others === 0 ? [] : [said.others(others)]),
  ];
  return ends.length === 0 ? said.noShell : said.ends(listNames(ends));
}
