import type { Invite, inviteOperations } from "../../../core/operations/invites.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { InviteStore } from "../access/invites.ts";
import type { Handlers } from "../calls/calls.ts";
import type { InviteRow } from "../store/invite-rows.ts";
import type { RemoteAccess } from "../tls/remote-access.ts";

interface InviteHandlersOptions {
  readonly invites: InviteStore;
  /** Base address of the relay. */
  readonly url: () => string;
  /** How other machines reach the relay; undefined when they do not. */
  readonly remoteAccess: () => RemoteAccess | undefined;
}

export function inviteHandlers({
  invites,
  url,
  remoteAccess: outside,
}: InviteHandlersOptions): Handlers<keyof typeof inviteOperations> {
  return {
    listInvites: (_params, { session }) => invites.list(session.id).map(inviteRecordOf),
    createInvite({ role, ttl, uses, outside: forOthers }, { session, caller: { principal } }) {
      const everywhere = outside()?.urls ?? [];
      const [base] = forOthers ? everywhere : [url()];
      if (base === undefined) {
        throw new RemoteError(
          "invalid_request",
          "This relay serves this machine only: start it with --listen ADDRESS to let other machines in.",
        );
      }
      const { invite, secret } = invites.create({
        session: session.id,
        role,
        uses,
        ttlMs: ttl * 1000,
        madeBy: principal.key,
      });
      // After the # it stays in the browser: no server log, no referrer.
      const linkAt = (address: string) => `${address}/s/${session.id}#${secret}`;
      return { ...inviteRecordOf(invite), url: linkAt(base), urls: [url(), ...everywhere].map(linkAt) };
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
