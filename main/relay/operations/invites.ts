import type { Invite, inviteOperations } from "../../../core/operations/invites.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { InviteStore } from "../access/invites.ts";
import type { OwnerLinks } from "../access/owner-links.ts";
import type { Handlers } from "../calls/calls.ts";
import type { InviteRow } from "../store/invite-rows.ts";
import type { RemoteAccess } from "../tls/remote-access.ts";

interface InviteHandlersOptions {
  readonly invites: InviteStore;
  readonly ownerLinks: OwnerLinks;
  /** Base address of the relay. */
  readonly url: () => string;
  /** How other machines reach the relay; undefined when they do not. */
  readonly remoteAccess: () => RemoteAccess | undefined;
}

export function inviteHandlers({
  invites,
  ownerLinks,
  url,
  remoteAccess: outside,
}: InviteHandlersOptions): Handlers<keyof typeof inviteOperations> {
  /** Returns the address for a link. @throws RemoteError where other machines are not let in */
  const baseOf = (forOthers: boolean) => {
    const base = forOthers ? outside()?.urls[0] : url();
    if (base !== undefined) return base;
    throw new RemoteError(
      "invalid_request",
      "This relay serves this machine only: start it with --listen ADDRESS to let other machines in.",
    );
  };
  return {
    listInvites: (_params, { session }) => invites.list(session.id).map(inviteRecordOf),
    createInvite({ role, ttl, uses, outside: forOthers }, { session, caller: { principal } }) {
      const base = baseOf(forOthers);
      const { invite, secret } = invites.create({
        session: session.id,
        role,
        uses,
        ttlMs: ttl * 1000,
        madeBy: principal.key,
      });
      // After the # it stays in the browser: no server log, no referrer.
      const linkAt = (address: string) => `${address}/s/${session.id}#${secret}`;
      return { ...inviteRecordOf(invite), url: linkAt(base), urls: [url(), ...(outside()?.urls ?? [])].map(linkAt) };
    },
    createOwnerLink({ outside: forOthers }, { session, caller: { principal } }) {
      const base = baseOf(forOthers);
      const { secret, expiresAt } = ownerLinks.create(session.id, { outside: forOthers, madeBy: principal.key });
      return { url: `${base}/s/${session.id}#owner=${secret}`, expiresAt };
    },
    revokeInvite({ invite }, { session }) {
      if (!invites.revoke(session.id, invite)) throw new RemoteError("unknown_invite", "No open invite has this id.");
      return { id: invite };
    },
  };
}

function inviteRecordOf({ madeBy, ...invite }: InviteRow): Invite {
  return { ...invite, ...(madeBy === null ? {} : { madeBy }) };
}
