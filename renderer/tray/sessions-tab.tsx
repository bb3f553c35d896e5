import { useState } from "react";
import { SessionId } from "../../core/protocol/ids.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { formatTime } from "../ui/format-time.ts";
import { Icon } from "../ui/icon.tsx";
import { Popover } from "../ui/popover.tsx";
import { AgentChip } from "./agent-chip.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { formatCount, formatDollars, formatPeople } from "./format.ts";
import { NameForm } from "./name-form.tsx";
import { RemoteSessions } from "./remote-machines.tsx";
import { ShellRestrictions } from "./shell-restrictions.tsx";
import { usePanel } from "./use-panel.ts";

/** Number of sessions that are found without a search. */
const MAX_WITHOUT_SEARCH = 6;

/** The sessions and their main actions. */
export function SessionsTab() {
  const { content, call } = usePanel();
  const [creating, setMaking] = useState(false);
  const [search, setSearch] = useState("");
  const { sessions } = content;
  const found = sessions.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      <div className="panel-head">
        <p className="panel-sum">
          <strong>{sessions.length}</strong> {sessions.length === 1 ? "session" : "sessions"}
          <span className="panel-basis" title="US dollars at list prices, since midnight">
            {formatDollars(content.costToday)} today
          </span>
        </p>
        <button type="button" className="button outlined" onClick={() => setMaking(true)}>
          <Icon name="plus" size={14} />
          New session
        </button>
      </div>
      {creating && (
        <NameForm
          label="Name of the new session"
          action="Create"
          start=""
          close={() => setMaking(false)}
          submit={(name) => call("createSession", { name })}
        />
      )}
      {sessions.length > MAX_WITHOUT_SEARCH && (
        <input
          className="field panel-search"
          type="search"
          aria-label="Search the sessions"
          placeholder="Search by name"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {found.length === 0 && sessions.length > 0 && <p className="panel-empty">No session matches “{search}”.</p>}
      {sessions.length === 0 ? (
        <p className="panel-empty">No session is open. Create one to run shells in it and invite others.</p>
      ) : (
        <ul className="panel-list">
          {found.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      <RemoteSessions />
    </>
  );
}

function SessionRow({ session }: { readonly session: PanelSession }) {
  const { call, run } = usePanel();
  const [mode, setMode] = useState<"shown" | "renaming" | "closing">("shown");
  const id = SessionId.parse(session.id);
  const running = session.shells.filter(({ running }) => running).length;
  const waits = session.agents.some(({ state }) => state === "waiting") || session.restrictions.requests.length > 0;
  return (
    <li className="panel-card" data-waits={waits}>
      {mode === "renaming" ? (
        <NameForm
          label={`New name of ${session.name}`}
          action="Rename"
          start={session.name}
          close={() => setMode("shown")}
          submit={(name) => call("renameSession", { session: id, name })}
        />
      ) : (
        <div className="panel-row">
          <h2 className="ellipsis" title={session.name}>
            {session.name}
          </h2>
          <span className="panel-number">{formatDollars(session.costToday)}</span>
        </div>
      )}
      <div className="panel-row panel-session">
        <p className="panel-faint ellipsis">
          {formatCount(running, "shell")} · {formatPeople(session.clients.length)}
          {session.agents.length > 0 && ` · ${formatCount(session.agents.length, "agent")}`}
        </p>
        <div className="panel-buttons">
          <button
            type="button"
            className="button outlined small"
            aria-label={`Open ${session.name}`}
            onClick={() => void run("panel.open", { id })}
          >
            Open
          </button>
          <InviteButton session={session} />
          <SessionMenu session={session} setMode={setMode} />
        </div>
      </div>
      {session.agents.length > 0 && (
        <ul className="panel-chips" aria-label={`Agents in ${session.name}`}>
          {session.agents.map((agent) => (
            <li key={`${agent.shellId}-${agent.sessionId}`}>
              <AgentChip agent={agent} />
            </li>
          ))}
        </ul>
      )}
      <ShellRestrictions session={session} />
      {mode === "closing" && (
        <ConfirmDialog
          title={`Close “${session.name}”?`}
          body={describeClosing(session, running)}
          action="Close session"
          confirm={() => void call("closeSession", { session: id })}
          close={() => setMode("shown")}
        />
      )}
    </li>
  );
}

function InviteButton({ session }: { readonly session: PanelSession }) {
  const { run, showStatus } = usePanel();
  const invite = async (role: "writer" | "reader") => {
    const made = await run("panel.invite", { id: SessionId.parse(session.id), role });
    if (made !== undefined)
      showStatus(`The link is on the clipboard: for one browser, until ${formatTime(made.expiresAt)}.`);
  };
  return (
    <Popover button="Invite" label={`Invite to ${session.name}`} className="button outlined small">
      {(close) => (
        <div className="panel-menu">
          {(["writer", "reader"] as const).map((role) => (
            <button
              key={role}
              type="button"
              className="button quiet"
              onClick={() => {
                close();
                void invite(role);
              }}
            >
              {role === "writer" ? "Copy a link to work here" : "Copy a link to watch"}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}

function SessionMenu(props: {
  readonly session: PanelSession;
  readonly setMode: (mode: "renaming" | "closing") => void;
}) {
  const { session, setMode } = props;
  const { run, showStatus } = usePanel();
  const id = SessionId.parse(session.id);
  const copy = async (what: "id" | "curl") => {
    await run("panel.copy", { id, what });
    showStatus(
      what === "id" ? "The id is on the clipboard." : "The curl line is on the clipboard; it reads SERVICE_TOKEN.",
    );
  };
  const entries = [
    { label: "Copy id", act: () => void copy("id") },
    { label: "Copy a curl line", act: () => void copy("curl") },
    {
      label: session.restrictions.restrictShells ? "Lift the restriction of shells" : "Restrict shells",
      act: () => void run("panel.restrictShells", { id, on: !session.restrictions.restrictShells }),
    },
    { label: "Rename", act: () => setMode("renaming") },
    { label: "Close session", act: () => setMode("closing") },
  ];
  return (
    <Popover button="More" label={`More for ${session.name}`} className="button quiet small">
      {(close) => (
        <div className="panel-menu">
          <code className="ellipsis" title={session.id}>
            {session.id}
          </code>
          {entries.map(({ label, act }) => (
            <button
              key={label}
              type="button"
              className="button quiet"
              onClick={() => {
                close();
                act();
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
  const within = agents.length > 0 ? ` with ${formatCount(agents.length, "agent")}` : "";
  const others = clients.filter(({ id }) => id !== self).length;
  const ends = [
    ...(running > 0 ? [`${formatCount(running, "running shell")}${within}`] : []),
    ...(others > 0
      ? [
          others === 1
            ? "the connection of 1 other person"
            : `the connections of ${others.toLocaleString()} other people`,
        ]
      : []),
  ];
  const what = ends.length === 0 ? "It runs no shell." : `Closing ends ${ends.join(" and ")}.`;
  return `${what} Its chat and its list of shells are deleted.`;
}
