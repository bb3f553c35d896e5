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

/** The machines that a link is for. */
interface LinkReach {
  readonly outside: boolean;
  readonly address?: string | undefined;
}

export function inviteHandlers({
  invites,
  ownerLinks,
  url,
  remoteAccess: outside,
}: InviteHandlersOptions): Handlers<keyof typeof inviteOperations> {
  /**
   * Returns the address for a link, and whether it is for other machines. A link has an address of the relay only, so that
   * its secret is never handed to another host.
   *
   * @throws RemoteError where other machines are not let in, or the address is not one of the relay's
   */
  const baseOf = ({ outside: forOthers, address }: LinkReach) => {
    if (!forOthers && address === undefined) return { base: url(), isOutside: false };
    const others = outside()?.urls ?? [];
    const base = address === undefined ? others[0] : others.find((one) => isSameAddress(one, address));
    if (base !== undefined) return { base, isOutside: true };
    if (others.length > 0) {
      throw new RemoteError("invalid_params", `address: expected an address of this relay: ${others.join(", ")}.`);
    }
    throw new RemoteError(
      "invalid_request",
      "This relay serves this machine only: start it with --listen ADDRESS to let other machines in.",
    );
  };
  return {
    listInvites: (_params, { session }) => invites.list(session.id).map(inviteRecordOf),
    createInvite({ role, ttl, uses, ...reach }, { session, caller: { principal } }) {
      const { base } = baseOf(reach);
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
    createOwnerLink(reach, { session, caller: { principal } }) {
      const { base, isOutside } = baseOf(reach);
      const { secret, expiresAt } = ownerLinks.create(session.id, { outside: isOutside, madeBy: principal.key });
      return { url: `${base}/s/${session.id}#owner=${secret}`, expiresAt };
    },
    revokeInvite({ invite }, { session }) {
      if (!invites.revoke(session.id, invite)) throw new RemoteError("unknown_invite", "No open invite has this id.");
      return { id: invite };
    },
  };
}

/** Compares two addresses as URLs: one that was typed may end in a slash. */
function isSameAddress(one: string, other: string): boolean {
  return new URL(one).href === new URL(other).href;
}

function inviteRecordOf({ madeBy, ...invite }: InviteRow): Invite {
  return { ...invite, ...(madeBy === null ? {} : { madeBy }) };
}
