import { type ReactNode, useState } from "react";
import type { Guest } from "../../core/operations/guests.ts";
import { SessionId } from "../../core/protocol/ids.ts";
import { type ClientRecord, Role } from "../../core/protocol/records.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { Avatar } from "../ui/avatar.tsx";
import { formatTime } from "../ui/format-time.ts";
import { roleWords } from "../ui/words.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { PendingLogins } from "./pending-logins.tsx";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** The clients of each session, its guests who are away, and their roles. Changes take effect immediately. */
export function PeopleTab() {
  const { sessions } = usePanel().content;
  return (
    <>
      <PendingLogins />
      {sessions.length === 0 && <p className="panel-empty">{words.people.noSession}</p>}
      {sessions.map((session) => (
        <section key={session.id} className="panel-section" aria-label={words.people.peopleIn(session.name)}>
          <h2 className="ellipsis" title={session.name}>
            {session.name}
          </h2>
          <Requests session={session} />
          <ul className="panel-list">
            {session.clients.map((client) => (
              <PersonRow key={client.id} session={session} client={client} />
            ))}
            {session.awayGuests.map((guest) => (
              <AwayGuestRow key={guest.id} session={session} guest={guest} />
            ))}
          </ul>
          {session.awayGuests.length === 0 && session.clients.every(({ id }) => id === session.self) && (
            <p className="panel-faint">{words.people.alone}</p>
          )}
        </section>
      ))}
    </>
  );
}

function PersonRow({ session, client }: { readonly session: PanelSession; readonly client: ClientRecord }) {
  const { call } = usePanel();
  const [leaving, setLeaving] = useState(false);
  const id = SessionId.parse(session.id);
  const own = client.id === session.self;
  return (
    <li className="panel-card panel-person">
      <Avatar name={client.name} id={client.id} />
      <div className="panel-text">
        <h3 className="ellipsis" title={client.name}>
          {client.name}
          {own && <span className="panel-faint"> {words.people.thisApp}</span>}
          {client.guest && <span className="panel-faint"> {words.people.guest}</span>}
        </h3>
        <p className="panel-faint ellipsis" title={client.device}>
          {words.people.onDevice(
            client.clientKind === "desktop" ? words.people.app : words.people.browser,
            client.device,
          )}
        </p>
        <p className="panel-faint">{words.people.since(formatTime(client.connectedAt))}</p>
      </div>
      {own ? (
        <span className="panel-chip">{roleWords[client.role]}</span>
      ) : (
        <div className="panel-side">
          <RoleField
            name={client.name}
            role={client.role}
            change={(role) => void call("changeRole", { session: id, client: client.id, role })}
          />
          <button
            type="button"
            className="button quiet"
            aria-label={words.people.disconnect(client.name)}
            onClick={() => setLeaving(true)}
          >
            {words.people.disconnectIt}
          </button>
        </div>
      )}
      {leaving && (
        <ConfirmDialog
          title={words.people.disconnectQuestion(client.name)}
          body={words.people.disconnectBody}
          action={words.people.disconnectIt}
          confirm={() => void call("disconnectClient", { session: id, client: client.id })}
          close={() => setLeaving(false)}
        />
      )}
    </li>
  );
}

/** A guest who is not connected, and whose browser is still let in. */
function AwayGuestRow({ session, guest }: { readonly session: PanelSession; readonly guest: Guest }) {
  const { call } = usePanel();
  const [removing, setRemoving] = useState(false);
  const id = SessionId.parse(session.id);
  return (
    <li className="panel-card panel-person">
      <Avatar name={guest.name} id={0} />
      <div className="panel-text">
        <h3 className="ellipsis" title={guest.name}>
          {guest.name}
          <span className="panel-faint"> {words.people.guest}</span>
        </h3>
        <p className="panel-faint ellipsis" title={guest.device}>
          {guest.device === "" ? words.people.away : words.people.awayWith(guest.device)}
        </p>
        <p className="panel-faint">{words.people.sinceSeen(formatTime(guest.since), formatTime(guest.lastSeenAt))}</p>
      </div>
      <div className="panel-side">
        <RoleField
          name={guest.name}
          role={guest.role}
          change={(role) => void call("changeGuestRole", { session: id, guest: guest.id, role })}
        />
        <button
          type="button"
          className="button quiet"
          aria-label={words.people.remove(guest.name)}
          onClick={() => setRemoving(true)}
        >
          {words.people.removeIt}
        </button>
      </div>
      {removing && (
        <ConfirmDialog
          title={words.people.removeQuestion(guest.name)}
          body={words.people.removeBody}
          action={words.people.removeIt}
          confirm={() => void call("removeGuest", { session: id, guest: guest.id })}
          close={() => setRemoving(false)}
        />
      )}
    </li>
  );
}

interface RoleFieldProps {
  readonly name: string;
  readonly role: Role;
  readonly change: (role: Role) => void;
}

function RoleField({ name, role, change }: RoleFieldProps) {
  return (
    <select
      className="field"
      aria-label={words.people.roleOf(name)}
      value={role}
      onChange={(event) => change(Role.parse(event.target.value))}
    >
      {Role.options.map((option) => (
        <option key={option} value={option}>
          {roleWords[option]}
        </option>
      ))}
    </select>
  );
}

function Requests({ session }: { readonly session: PanelSession }) {
  const { run } = usePanel();
  const { adoptRequests, roleRequests } = session;
  if (adoptRequests.length + roleRequests.length === 0) return null;
  const id = SessionId.parse(session.id);
  return (
    <ul className="panel-list" aria-label={words.people.requests}>
      {roleRequests.map(({ id: request, from }) => (
        <RequestCard
          key={`role ${request}`}
          wants={words.people.asksToType({ name: <strong>{from.name}</strong> })}
          yes={words.people.letType}
          no={words.people.notNow}
          answer={(allow) => void run("panel.answerRoleRequest", { id, request, allow })}
        />
      ))}
      {adoptRequests.map(({ id: request, from, shellId }) => (
        <RequestCard
          key={request}
          wants={words.people.asksFor({ name: <strong>{from.name}</strong>, shell: nameOf(session, shellId) })}
          yes={words.people.allow}
          no={words.people.deny}
          answer={(allow) => void run("panel.answerAdopt", { id, request, allow })}
        />
      ))}
    </ul>
  );
}

interface RequestCardProps {
  readonly wants: ReactNode;
  readonly yes: string;
  readonly no: string;
  readonly answer: (allow: boolean) => void;
}

function RequestCard({ wants, yes, no, answer }: RequestCardProps) {
  return (
    <li className="panel-card" data-waits="true">
      <p>{wants}</p>
      <div className="panel-actions">
        <button type="button" className="button primary" onClick={() => answer(true)}>
          {yes}
        </button>
        <button type="button" className="button outlined" onClick={() => answer(false)}>
          {no}
        </button>
      </div>
    </li>
  );
}

function nameOf({ shells }: PanelSession, id: number): string {
  return shells.find((shell) => shell.id === id)?.name ?? words.shell(id);
}
