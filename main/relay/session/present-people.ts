import { createHash } from "node:crypto";
import type { ClientFrame } from "../../../core/protocol/frames.ts";
import { type ClientEntry, type ClientRecord, PERSON_COLOURS } from "../../../core/protocol/records.ts";
import { distinctName } from "../../../core/protocol/shown-name.ts";
import { guestDevice } from "../access/guests.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { Identity } from "./identity.ts";

type Present = readonly Pick<ClientConnection, "guest" | "record">[];

/** Returns the names of the connected people other than a guest. */
export function namesBeside(present: Present, guest: string | undefined): string[] {
  return present.filter((other) => guest === undefined || other.guest !== guest).map(({ record }) => record.name);
}

/** Returns the name under which a client is shown: of two guests who chose the same, the later one gets a number. */
export function presentName(present: Present, { guest, name }: Identity): string {
  return guest === undefined ? name : distinctName(name, namesBeside(present, guest));
}

/**
 * Returns the colour that the person has in another tab, else the one that follows from their id, which is the same after
 * a restart. Where others who are present have that colour, returns the next one that the fewest have.
 */
export function presentColour(present: Present, { guest }: Identity): number {
  const own = present.find((other) => other.guest === guest);
  if (own?.record.colour !== undefined) return own.record.colour;
  const uses = Array.from({ length: PERSON_COLOURS }, (_, colour) => {
    const people = present.filter(({ record }) => record.colour === colour).map((other) => other.guest);
    return new Set(people).size;
  });
  const fewest = Math.min(...uses);
  const first = colourOfId(guest);
  const inOrder = uses.map((_, step) => (first + step) % PERSON_COLOURS);
  return inOrder.find((colour) => uses[colour] === fewest) ?? first;
}

/**
 * Returns the colour that follows from a person's id.
 *
 * @param guest undefined: the session's owner
 */
export function colourOfId(guest: string | undefined): number {
  if (guest === undefined) return 0;
  return createHash("sha256").update(guest).digest().readUInt32BE() % PERSON_COLOURS;
}

/** Returns a client as events show it. */
export function entryOf({ id, name, role, device, clientKind, guest }: ClientRecord): ClientEntry {
  const entry = { id, name, canWrite: role !== "reader", device, clientKind };
  return guest === undefined ? entry : { ...entry, guest };
}

/**
 * Returns a client's device and kind. Only a client of this process can be a desktop: a connection's own word would choose
 * who executes the owner's commands.
 */
export function deviceOf(
  { from, guest }: Identity,
  { device, clientKind }: ClientFrame & { type: "hello" },
): Pick<ClientRecord, "device" | "clientKind"> {
  if (from === undefined && guest === undefined) return { device, clientKind };
  return { device: guest === undefined ? device : guestDevice(device), clientKind: "browser" };
}
