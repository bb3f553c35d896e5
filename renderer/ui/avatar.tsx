import { PERSON_COLOURS } from "../../core/protocol/records.ts";
import { initialsOf } from "./initials.ts";

interface Person {
  readonly id: number;
  readonly name: string;
  /** From the relay; of those who are gone only the id is known. */
  readonly colour?: number | undefined;
}

/** Returns the number of a person's colour. */
export function colourOf({ id, colour }: Omit<Person, "name">): number {
  return colour ?? id % PERSON_COLOURS;
}

/** A client's initials on the colour of its person. The tooltip shows the full name. */
export function Avatar({ name, ...person }: Person) {
  return (
    <span className="avatar" data-hue={colourOf(person)} title={name} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
