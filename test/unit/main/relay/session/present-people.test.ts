import { expect, test } from "vitest";
import { ClientId } from "../../../../../core/protocol/ids.ts";
import { type ClientRecord, PERSON_COLOURS } from "../../../../../core/protocol/records.ts";
import { colourOfId, presentColour } from "../../../../../main/relay/session/present-people.ts";

const colours = Array.from({ length: PERSON_COLOURS }, (_, colour) => colour);
const guests = Array.from({ length: 30 }, (_, index) => `guest-${index}`);
const colourOf = (present: Parameters<typeof presentColour>[0], guest: string | undefined) =>
  presentColour(present, { name: "x", role: "writer", ...(guest === undefined ? {} : { guest }) });

function client(guest: string | undefined, colour: number): { guest: string | undefined; record: ClientRecord } {
  const shown = { name: "x", role: "writer", device: "x", clientKind: "browser", focus: null } as const;
  return { guest, record: { id: ClientId.parse(1), ...shown, colour, connectedAt: "2026-01-01T00:00:00.000Z" } };
}

test("a person's colour follows from their id, whoever else is present with other colours", () => {
  const alone = guests.map((guest) => colourOf([], guest));
  expect(new Set(alone)).toEqual(new Set(colours));
  // So has a guest who is away.
  expect(guests.map(colourOfId)).toEqual(alone);
  expect(colourOf([], undefined)).toBe(0);
  for (const [index, guest] of guests.entries()) {
    const taken = colours.filter((colour) => colour !== alone[index]);
    const others = taken.map((colour) => client(`other-${colour}`, colour));
    expect(colourOf(others, guest)).toBe(alone[index]);
  }
});

test("where two would have one colour, the later gets the next that the fewest have, the same in all tabs", () => {
  const own = colourOf([], "guest-1");
  const [second, third] = [(own + 1) % PERSON_COLOURS, (own + 2) % PERSON_COLOURS];
  const taken = [client("other-1", own), client("other-2", second)];
  expect(colourOf(taken, "guest-1")).toBe(third);
  expect(colourOf([...taken, client("guest-1", 5)], "guest-1")).toBe(5);
  const all = colours.map((colour) => client(`other-${colour}`, colour));
  expect(colourOf(all, "guest-1")).toBe(own);
});
