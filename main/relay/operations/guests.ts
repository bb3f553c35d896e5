import type { guestOperations } from "../../../core/operations/guests.ts";
import type { OperationResult } from "../../../core/operations/index.ts";
import type { Guest, Guests } from "../access/guests.ts";
import type { Handlers } from "../calls/calls.ts";
import { colourOfId } from "../session/present-people.ts";
import type { Session } from "../session/session.ts";

export function guestHandlers(guests: Guests): Handlers<keyof typeof guestOperations> {
  return {
    listGuests: (_params, { session }) => listGuests(guests, session),
    changeGuestRole: ({ guest, role }, { session }) => listed(guests.changeRole(session.id, guest, role), session),
    removeGuest({ guest }, { session }) {
      const clients = session.clients.ofGuest(guest);
      return { ...listed(guests.remove(session.id, guest), session), clients };
    },
  };
}

/** Returns the guests of a session with their connected tabs. */
export function listGuests(guests: Guests, session: Session): OperationResult<"listGuests"> {
  return guests.list(session.id).map((guest) => listed(guest, session));
}

function listed(
  { session: _, lastSeenAt, madeBy, ...guest }: Guest,
  session: Session,
): OperationResult<"listGuests">[number] {
  const clients = session.clients.ofGuest(guest.id);
  return {
    ...guest,
    lastSeenAt: clients.length === 0 ? lastSeenAt : new Date().toISOString(),
    ...(madeBy === null ? {} : { madeBy }),
    colour: colourOfId(guest.id),
    clients,
  };
}
