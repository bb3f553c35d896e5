import type { SessionSnapshot } from "../view/session-host.ts";
import { type Entry, type FoundEntry, searchEntries } from "./entry.ts";
import { type Folded, fold, matchTitle, type Quality } from "./match.ts";
import { type Field, fieldsOf, type MethodForm } from "./param-form.ts";
import { optionsOf } from "./param-options.ts";

/** How a choice has to match what is typed behind a name: letters in the middle may be meant for another command. */
const STRONG: ReadonlySet<Quality | undefined> = new Set<Quality>(["exact", "prefix", "words"]);

/**
 * Returns the commands that the beginning of the typed text finds, with the rest as their first value: `open web page
 * localhost:3000` finds "Open a web page…" with that address, and `move tile workspace rel` the command with each
 * workspace whose name has a word that starts with `rel`. The longest beginning that finds any decides.
 */
export function entriesWithValues(
  entries: readonly Entry[],
  typed: string,
  snapshot: SessionSnapshot,
): readonly FoundEntry[] {
  const taking = entries.filter(({ form }) => form !== undefined);
  const whole = typed.trim();
  const ends = [...whole.matchAll(/\s+/g)].toReversed();
  for (const { index, 0: space } of ends) {
    const text = whole.slice(index + space.length);
    const needle = fold(text);
    const found = searchEntries(taking, whole.slice(0, index)).flatMap((entry) =>
      withValue(entry, { text, needle }, snapshot),
    );
    if (found.length > 0) return found;
  }
  return [];
}

function withValue(
  entry: FoundEntry,
  { text, needle }: { readonly text: string; readonly needle: Folded },
  snapshot: SessionSnapshot,
): readonly FoundEntry[] {
  const first = entry.form === undefined ? undefined : firstField(entry.form);
  if (first === undefined) return [];
  if (first.kind === "text") return [lineWith(entry, { value: text, label: text })];
  return (optionsOf(first, snapshot) ?? [])
    .filter(({ label }) => STRONG.has(matchTitle(fold(label), needle)?.quality))
    .map((option) => lineWith(entry, option));
}

function lineWith(entry: FoundEntry, { value, label }: { readonly value: string; readonly label: string }): FoundEntry {
  const [{ label: action }] = entry.actions;
  return {
    ...entry,
    id: `${entry.id} ${value}`,
    command: entry.id,
    detail: label,
    actions: [{ label: action, stays: true, run: () => entry.takeValue?.(value) }],
  };
}

/** Fields are read from a schema, which takes long for each key. */
const firstFields = new Map<string, Field | undefined>();

function firstField(form: MethodForm): Field | undefined {
  const name = `${form.method} ${form.form.title}`;
  if (!firstFields.has(name)) firstFields.set(name, fieldsOf(form)[0]);
  return firstFields.get(name);
}
