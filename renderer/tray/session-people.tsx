import { useRef, useState } from "react";
import type { Guest } from "../../core/operations/guests.ts";
import { SessionId } from "../../core/protocol/ids.ts";
import type { ClientRecord, Role } from "../../core/protocol/records.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { Avatar } from "../ui/avatar.tsx";
import { formatTime } from "../ui/format-time.ts";
import { Icon } from "../ui/icon.tsx";
import { useStandsStill } from "../ui/stands-still.ts";
import { useBusy } from "../ui/use-busy.ts";
import { roleWords } from "../ui/words.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { shellNameIn, waitingIn } from "./panel-summary.ts";
import { RoleField } from "./role-field.tsx";
import { usePanel } from "./use-panel.ts";
import { targets, useTarget } from "./use-target.ts";
import { words } from "./words/index.ts";

/**
 * The clients of a session and its guests who are away, with their roles. Changes take effect immediately. An owner who is
 * alone there is not listed: that is the same in each session.
 */
export function People({ session }: { readonly session: PanelSession }) {
  if (!hasPeople(session)) return null;
  return (
    <ul className="panel-people" aria-label={words.people.peopleIn(session.name)}>
      {listedClients(session).map((client) => (
        <PersonRow key={client.id} session={session} client={client} />
      ))}
      {session.awayGuests.map((guest) => (
        <AwayGuestRow key={guest.id} session={session} guest={guest} />
      ))}
    </ul>
  );
}

/** Reports whether the list of people of a session has anybody. */
export function hasPeople(session: PanelSession): boolean {
  return session.awayGuests.length > 0 || listedClients(session).length > 0;
}

function listedClients({ clients, self, awayGuests }: PanelSession): readonly ClientRecord[] {
  const isAlone = awayGuests.length === 0 && clients.every(({ id }) => id === self);
  return isAlone ? clients.filter(({ role }) => role !== "admin") : clients;
}

function PersonRow({ session, client }: { readonly session: PanelSession; readonly client: ClientRecord }) {
  const { content, call, canRun } = usePanel();
  const id = SessionId.parse(session.id);
  const own = client.id === session.self;
  const does = doesWhat(session, client);
  const about = `${does} · ${words.people.since(formatTime(client.connectedAt))}`;
  const isHere = content.desktop !== undefined && client.clientKind === "desktop";
  return (
    <li className="panel-person">
      <Avatar name={client.name} id={client.id} colour={client.colour} />
      <div className="panel-text">
        <h3 className="panel-name panel-tagged">
          <span className="ellipsis" title={client.name}>
            {client.name}
          </span>{" "}
          {own && (
            <span className="panel-faint ellipsis" title={about}>
              {isHere ? words.people.thisApp : deviceOf(client)}
            </span>
          )}
          {client.guest && <span className="panel-faint">{words.people.guest}</span>}
        </h3>
        {/* What the users themselves do is no news to them. */}
        {!own && (
          <p className="panel-faint ellipsis" title={about}>
            {does}
          </p>
        )}
      </div>
      {own || !canRun("changeRole") ? (
        <span className="panel-chip">{roleWords[client.role]}</span>
      ) : (
        <Rights
          target={targets.client(session.id, client.id)}
          person={client}
          change={(role) => call("changeRole", { session: id, client: client.id, role })}
          leave={words.people.disconnect}
          end={() => call("disconnectClient", { session: id, client: client.id })}
        />
      )}
      <PersonRequests session={session} client={client} />
    </li>
  );
}

/** What a person asks of the user, with the answers that its card under Now has. */
function PersonRequests({ session, client }: { readonly session: PanelSession; readonly client: ClientRecord }) {
  const { command, canRun } = usePanel();
  const id = SessionId.parse(session.id);
  const { role, adopt } = words.requests;
  const waiting = new Set(waitingIn(session).map((one) => ("request" in one ? `${one.kind} ${one.request}` : "")));
  const toType = session.roleRequests.filter(
    (request) => request.from.clientId === client.id && waiting.has(`role-request ${request.id}`),
  );
  const forShells = session.adoptRequests.filter(
    (request) =>
      request.from.clientId === client.id && waiting.has(`adopt-request ${request.id}`) && canRun("answerAdopt"),
  );
  return (
    <>
      {toType.map(({ id: request }) => (
        <PersonRequest
          key={`role ${request}`}
          sentence={role.name(client.name)}
          allow={role.let(client.name)}
          answer={(allow) => command(id, "answerRoleRequest", { request, allow })}
        />
      ))}
      {forShells.map(({ id: request, shellId }) => (
        <PersonRequest
          key={`adopt ${request}`}
          sentence={adopt.name(client.name, shellNameIn(session, shellId) ?? words.shell(shellId))}
          allow={adopt.give(client.name)}
          answer={(allow) => command(id, "answerAdopt", { request, allow })}
        />
      ))}
    </>
  );
}

function PersonRequest(props: {
  readonly sentence: string;
  /** What the button says that allows it. */
  readonly allow: string;
  /** Resolves with undefined where the answer is refused. */
  answer(allow: boolean): Promise<unknown>;
}) {
  const { sentence, allow, answer } = props;
  const { "aria-disabled": isTooEarly, ...still } = useStandsStill<HTMLDivElement>();
  const [isAnswered, setAnswered] = useState(false);
  const press = async (isAllowed: boolean) => {
    // The buttons go with the answer; the focus stays with the person, whose role is first in the row.
    still.ref.current?.closest("li")?.querySelector("button")?.focus();
    // The second press of a double click would be told that nobody asks.
    if (isAnswered) return;
    setAnswered(true);
    if ((await answer(isAllowed)) === undefined) setAnswered(false);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: answers are no set of form fields
    <div
      {...still}
      className="panel-request"
      role="group"
      aria-label={sentence}
      aria-disabled={isAnswered ? true : isTooEarly}
    >
      <p className="panel-waiting">{sentence}</p>
      <div className="panel-buttons">
        <button type="button" className="button primary small" onClick={() => void press(true)}>
          {allow}
        </button>
        <button type="button" className="button outlined small" onClick={() => void press(false)}>
          {words.requests.notNow}
        </button>
      </div>
    </div>
  );
}

/** Says where a person looks, and from which device. */
function doesWhat(session: PanelSession, client: ClientRecord): string {
  const { role, looksAt } = client;
  const on = deviceOf(client);
  const shell = looksAt?.type === "shell" ? shellNameIn(session, looksAt.id) : undefined;
  if (shell === undefined) return on;
  return role === "reader" ? words.people.watches(shell, on) : words.people.types(shell, on);
}

function deviceOf({ device, clientKind }: ClientRecord): string {
  const kind = clientKind === "desktop" ? words.people.app : words.people.browser;
  return device === "" || device === clientKind ? kind : device;
}

/** A guest who is not connected, and whose browser is still let in. */
function AwayGuestRow({ session, guest }: { readonly session: PanelSession; readonly guest: Guest }) {
  const { call } = usePanel();
  const seen = words.people.lastSeen(formatTime(guest.lastSeenAt));
  const id = SessionId.parse(session.id);
  return (
    <li className="panel-person">
      <Avatar name={guest.name} id={0} colour={guest.colour} />
      <div className="panel-text">
        <h3 className="panel-name panel-tagged">
          <span className="ellipsis" title={guest.name}>
            {guest.name}
          </span>{" "}
          <span className="panel-faint">{words.people.guest}</span>
        </h3>
        <p
          className="panel-faint ellipsis"
          title={[seen, guest.device, words.people.since(formatTime(guest.since))].join(" · ")}
        >
          {seen}
        </p>
      </div>
      <Rights
        target={targets.guest(session.id, guest.id)}
        person={guest}
        change={(role) => call("changeGuestRole", { session: id, guest: guest.id, role })}
        leave={words.people.remove}
        end={() => call("removeGuest", { session: id, guest: guest.id })}
      />
    </li>
  );
}

interface RightsProps {
  /** What the search calls the person. */
  readonly target: string;
  readonly person: { readonly name: string; readonly role: Role };
  readonly change: (role: Role) => Promise<unknown>;
  /** What the way out is called, and what is asked before it is taken. */
  readonly leave: typeof words.people.disconnect;
  readonly end: () => Promise<unknown>;
}

/** The role of a person, and the way to show them out. */
function Rights({ target, person: { name, role }, change, leave, end }: RightsProps) {
  const [leaving, setLeaving] = useState(false);
  const [isChanging, runOnce] = useBusy();
  const controls = useRef<HTMLDivElement>(null);
  useTarget(target, () => controls.current?.querySelector("button")?.focus());
  useTarget(targets.leave(target), () => setLeaving(true));
  return (
    <div ref={controls} className="panel-side">
      <RoleField name={name} role={role} isChanging={isChanging} change={(chosen) => runOnce(() => change(chosen))} />
      <button
        type="button"
        className="icon-button"
        aria-label={leave.label(name)}
        title={leave.label(name)}
        onClick={() => setLeaving(true)}
      >
        <Icon name="close" size={14} />
      </button>
      {leaving && (
        <ConfirmDialog
          title={leave.question(name)}
          body={leave.body}
          action={leave.action}
          confirm={end}
          close={() => setLeaving(false)}
        />
      )}
    </div>
  );
}
