import { useId, useState } from "react";
import type { OperationResult } from "../../core/operations/index.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import { formatDuration } from "../ui/format-duration.ts";
import { formatTime } from "../ui/format-time.ts";
import { useNow } from "../ui/use-now.ts";
import { roleWords } from "../ui/words.ts";
import { PanelIcon } from "./icons.tsx";
import { usePanel } from "./use-panel.ts";
import { usePolling } from "./use-polling.ts";
import { words } from "./words/index.ts";

const INVITES_MS = 3_000;

type Invites = OperationResult<"listInvites">;

function Left({ ms }: { readonly ms: number }) {
  const left = formatDuration(ms);
  return <>{left === "" ? words.inbox.expires : words.inbox.left(left)}</>;
}

/** The links of a session that still let somebody in. */
export function OpenInvites({ session, onRevoked }: { readonly session: SessionId; onRevoked(): void }) {
  const { ask } = usePanel();
  const [invites, setInvites] = useState<Invites>([]);
  const refresh = usePolling(() => ask("listInvites", { session }), setInvites, INVITES_MS, ["people"]);
  return (
    <section className="invite-open" aria-label={words.invite.open}>
      <h3>
        {words.invite.open} <span className="panel-faint">{invites.length}</span>
      </h3>
      {invites.length === 0 && <p className="panel-faint">{words.invite.noneOpen}</p>}
      <InviteRows
        invites={invites}
        refresh={() => {
          onRevoked();
          refresh();
        }}
      />
    </section>
  );
}

interface InviteRowsProps {
  readonly invites: readonly Invites[number][];
  /** Called after one was revoked. */
  refresh(): void;
  /** Returns the name of the session that a link lets into, where the list has those of several. */
  nameOf?(session: SessionId): string | undefined;
}

/** A list of links that still let somebody in, each with its end and the way to revoke it. */
export function InviteRows({ invites, refresh, nameOf }: InviteRowsProps) {
  const now = useNow(INVITES_MS);
  return (
    <ul>
      {invites.map((invite) => (
        <InviteRow key={invite.id} invite={invite} name={nameOf?.(invite.session)} now={now} refresh={refresh} />
      ))}
    </ul>
  );
}

interface InviteRowProps extends Pick<InviteRowsProps, "refresh"> {
  readonly invite: Invites[number];
  /** The session that the link lets into, where the list has those of several. */
  readonly name: string | undefined;
  readonly now: number;
}

function InviteRow({ invite: { id, session, role, usesLeft, expiresAt }, name, now, refresh }: InviteRowProps) {
  const { call } = usePanel();
  const [isRevoked, setRevoked] = useState(false);
  const textId = useId();
  const about = [name, roleWords[role]].filter((part) => part !== undefined).join(" · ");
  const left = words.invite.usesLeft(usesLeft);
  const revoke = async () => {
    // The row stays until the list is read again; a second press would be told that there is no such link.
    if (isRevoked) return;
    setRevoked(true);
    if ((await call("revokeInvite", { session, invite: id })) === undefined) setRevoked(false);
    else refresh();
  };
  return (
    <li className="panel-row">
      <PanelIcon name="key" />
      <span id={textId} className="ellipsis" title={`${about} · ${left}`}>
        {about}
        <span className="panel-faint"> · {left}</span>
      </span>
      <span className="panel-faint panel-number">
        <Left ms={Date.parse(expiresAt) - now} />
      </span>
      <button
        type="button"
        className="button quiet small"
        aria-label={words.invite.revokeOf(roleWords[role], formatTime(expiresAt))}
        aria-describedby={textId}
        aria-disabled={isRevoked}
        onClick={() => void revoke()}
      >
        {words.invite.revoke}
      </button>
    </li>
  );
}
