import type { View } from "../view.ts";
import { chordOf, type KeyPress } from "./chord.ts";
import type { Binding } from "./keymap.ts";

/** The shortcut that this key press is, if it is one. */
export function bindingFor({ bindings }: Pick<View, "bindings">, press: KeyPress): Binding | undefined {
  const chord = chordOf(press);
  return chord === undefined ? undefined : bindings.find((binding) => binding.chord === chord);
}
