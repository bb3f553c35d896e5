import type { sessionOperations } from "../../../core/operations/sessions.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionRecord } from "../../../core/protocol/records.ts";
import type { Handlers } from "../calls/calls.ts";
import type { Sessions } from "../session/sessions.ts";
import type { FleetView } from "./fleet.ts";

/** `fleet`: returns the fleet; undefined while the relay is in none. */
export function sessionHandlers(
  sessions: Sessions,
  fleet: () => FleetView | undefined,
): Handlers<Exclude<keyof typeof sessionOperations, "openWindow">> {
  return {
    async listSessions(_params, { caller: { principal, peer } }) {
      const own = sessions
        .all()
        .filter(({ id, owner }) => owner === principal.user && (principal.session ?? id) === id)
        .map((session) => session.record());
      // Another relay of the fleet asks each for its own.
      const others = peer === undefined ? await fleet()?.sessionsFor(principal) : undefined;
      return others === undefined ? own : [...own, ...others];
    },
    createSession: ({ name }, { caller: { principal } }) => sessions.create(principal.user, name).record(),
    renameSession: ({ name }, { session }) => sessions.rename(session.id, name).record(),
    restoreSession: ({ session: _, ...wish }, { session, caller: { principal } }) => {
      const { membership } = principal;
      if (membership !== undefined && (membership.guest || membership.role !== "admin")) {
        throw new RemoteError("scope_forbids", "Only the owner of the session starts again what ran in it.");
      }
      return session.restorer.restore(session.clients.relayUser, wish);
    },
    async closeSession({ force }, { session }) {
      const record = session.record();
      if (!force && record.shellCount > 0) throw shellsRunning(record);
      await sessions.remove(session.id);
      return record;
    },
  };
}

function shellsRunning({ name, shellCount }: SessionRecord): RemoteError {
  const running = shellCount === 1 ? "a shell runs" : `${shellCount} shells run`;
  return new RemoteError(
    "shells_running",
    `In the session ${name} ${running}: close what runs first, or close the session with \`force\` (--force).`,
  );
}
