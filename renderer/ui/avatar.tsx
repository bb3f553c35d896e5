import { initialsOf } from "./initials.ts";

/** A person's initials on a colour that stays theirs. `title` says the whole name. */
export function Avatar({ name, id }: { name: string; id: number }) {
  return (
    <span className="avatar" data-hue={id % 6} title={name} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
