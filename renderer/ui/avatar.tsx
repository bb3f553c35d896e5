import { initialsOf } from "./initials.ts";

/** A client's initials on a stable colour. The tooltip shows the full name. */
export function Avatar({ name, id }: { name: string; id: number }) {
  return (
    <span className="avatar" data-hue={id % 6} title={name} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
