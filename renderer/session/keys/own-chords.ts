import { z } from "zod";
import { persistedValue } from "../../ui/persisted.ts";
import type { Store } from "../../ui/store.ts";
import type { Binding } from "./keymap.ts";

/** The user's own combinations by the name of the action; an empty text: none. */
export type OwnChords = Readonly<Record<string, string>>;

const MAX_CHORDS = 200;

const Chord = z
  .string()
  .max(40)
  .regex(/^$|^(?:Ctrl\+|Meta\+|Alt\+|Shift\+)*[^\s+]{1,20}$/);
const Chords = z
  .record(z.string().min(1).max(80), Chord)
  .refine((chords) => Object.keys(chords).length <= MAX_CHORDS && Object.values(chords).every(isUsable));

/** Opens what this device keeps of the user's combinations: once in a page, because a store hears of other pages only. */
export function persistedChords(window: Window): Store<OwnChords> {
  return persistedValue<OwnChords>(window, {
    key: "patchbay.shortcuts",
    parse: parseChords,
    format: formatChords,
    fallback: {},
  });
}

/** Returns the name of an action in files of shortcuts: `chat`, `splitShell horizontal`, `moveTile…`. */
export function bindingName({ action }: Binding): string {
  if (action.kind === "view") return action.viewAction;
  if (action.kind === "form") return `${action.method}…`;
  return [action.method, ...Object.values(action.preset)].join(" ");
}

/** Reports whether a combination can be a shortcut: plain keys, with Shift or without, type text. */
export function isUsable(chord: string): boolean {
  return chord === "" || /Ctrl\+|Meta\+|Alt\+/.test(chord) || /^(?:Shift\+)?F\d{1,2}$/.test(chord);
}

/** Returns the bindings with the user's own combinations. An action loses what another one was given. */
export function withOwnChords(bindings: readonly Binding[], own: OwnChords): readonly Binding[] {
  const taken = new Set(Object.values(own));
  return bindings.map((binding) => {
    const chosen = own[bindingName(binding)];
    if (chosen !== undefined) return { ...binding, chord: chosen === "" ? undefined : chosen };
    return binding.chord !== undefined && taken.has(binding.chord) ? { ...binding, chord: undefined } : binding;
  });
}

/** Returns the combinations with another one for an action; an action that was given it before has its own again. */
export function chooseChord(own: OwnChords, binding: Binding, chord: string): OwnChords {
  const name = bindingName(binding);
  const others = Object.entries(own).filter(([other, theirs]) => other !== name && (chord === "" || theirs !== chord));
  return { ...Object.fromEntries(others), [name]: chord };
}

/** Returns the combinations with that of an action as it is at first. */
export function resetChord(own: OwnChords, binding: Binding): OwnChords {
  const name = bindingName(binding);
  return Object.fromEntries(Object.entries(own).filter(([other]) => other !== name));
}

/** Parses the text of a file of shortcuts; undefined if it is none. */
export function parseChords(text: string | undefined): OwnChords | undefined {
  try {
    return Chords.safeParse(JSON.parse(text ?? "")).data;
  } catch {
    return undefined;
  }
}

/** Returns the text of a file of shortcuts. */
export function formatChords(own: OwnChords): string {
  return JSON.stringify(own, undefined, 2);
}
