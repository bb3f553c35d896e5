import { type MethodName, methodNames, specs } from "../../../core/commands/specs.ts";
import type { Role } from "../../../core/protocol/records.ts";
import type { Binding } from "../keys/keymap.ts";

/** An entry of the palette: an action of the view, or a command with its form. */
export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  /** The method's name, or `view`. */
  readonly detail: string;
  readonly chord: string | undefined;
  readonly action:
    | { readonly kind: "binding"; readonly binding: Binding }
    | { readonly kind: "method"; readonly method: MethodName };
  /** The text that a search matches, in lower case. */
  readonly searchText: string;
}

/** Returns the shortcuts, then the commands, as far as the role may execute them. */
export function paletteEntries(bindings: readonly Binding[], role: Role): readonly PaletteEntry[] {
  const shortcuts = bindings
    // Bindings that open a form are covered by the commands below.
    .filter(({ action }) => action.kind !== "form" && !(action.kind === "view" && action.viewAction === "palette"))
    .filter(({ action }) => isAllowed(methodOf(action), role))
    .map((binding): PaletteEntry => {
      const method = methodOf(binding.action);
      return entry(binding.title, method ?? "view", binding.chord, { kind: "binding", binding });
    });
  const commands = methodNames
    .filter((method) => isAllowed(method, role))
    .map((method): PaletteEntry => {
      const form = bindings.find(({ action }) => action.kind === "form" && action.method === method);
      return entry(specs[method].summary, method, form?.chord, { kind: "method", method });
    });
  return [...shortcuts, ...commands];
}

/**
 * Returns the entries that contain every typed word, best matches first: at the start of the title, at the start of a
 * word, anywhere. Equal matches keep their order.
 */
export function searchEntries(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return entries;
  return entries
    .map((candidate) => ({ candidate, score: scoreOf(candidate, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ candidate }) => candidate);
}

function entry(title: string, detail: string, chord: string | undefined, action: PaletteEntry["action"]): PaletteEntry {
  return {
    id: `${action.kind}:${detail}:${title}`,
    title,
    detail,
    chord,
    action: action,
    searchText: `${title} ${splitCamelCase(detail)} ${detail}`.toLowerCase(),
  };
}

function scoreOf({ searchText: text }: PaletteEntry, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at === -1) return 0;
    score += at === 0 ? 4 : text.includes(` ${word}`) ? 2 : 1;
  }
  return score;
}

function methodOf(action: Binding["action"]): MethodName | undefined {
  return action.kind === "view" ? action.for : action.method;
}

function isAllowed(method: MethodName | undefined, role: Role): boolean {
  return method === undefined || role !== "reader" || specs[method].role === "reader";
}

/** Splits camelCase, so that `split shell` finds `splitShell`. */
function splitCamelCase(method: string): string {
  return method.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
