import { type MethodName, methodNames, specs } from "../../../core/commands/specs.ts";
import type { Role } from "../../../core/protocol/records.ts";
import type { Binding } from "../keys/keymap.ts";

/** A line of the palette: something the view does by itself, or a command with its form. */
export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  /** The method's name, or where the entry comes from. */
  readonly detail: string;
  readonly chord: string | undefined;
  readonly does:
    | { readonly kind: "binding"; readonly binding: Binding }
    | { readonly kind: "method"; readonly method: MethodName };
  /** Everything a search looks at, in lower case. */
  readonly words: string;
}

/** The shortcuts first, then every command of the declarations that this role may execute. */
export function paletteEntries(bindings: readonly Binding[], role: Role): readonly PaletteEntry[] {
  const shortcuts = bindings
    // What opens a form is the command's own line below.
    .filter(({ does }) => does.kind !== "form" && !(does.kind === "view" && does.action === "palette"))
    .filter(({ does }) => allowed(methodOf(does), role))
    .map((binding): PaletteEntry => {
      const method = methodOf(binding.does);
      return entry(binding.title, method ?? "view", binding.chord, { kind: "binding", binding });
    });
  const commands = methodNames
    .filter((method) => allowed(method, role))
    .map((method): PaletteEntry => {
      const form = bindings.find(({ does }) => does.kind === "form" && does.method === method);
      return entry(specs[method].summary, method, form?.chord, { kind: "method", method });
    });
  return [...shortcuts, ...commands];
}

/**
 * The entries that have every typed word, the better ones first: at the start of the title, at the start of a word,
 * anywhere. Among equals the given order stays.
 */
export function matching(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
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

function entry(title: string, detail: string, chord: string | undefined, does: PaletteEntry["does"]): PaletteEntry {
  return {
    id: `${does.kind}:${detail}:${title}`,
    title,
    detail,
    chord,
    does,
    words: `${title} ${spaced(detail)} ${detail}`.toLowerCase(),
  };
}

function scoreOf({ words: text }: PaletteEntry, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at === -1) return 0;
    score += at === 0 ? 4 : text.includes(` ${word}`) ? 2 : 1;
  }
  return score;
}

function methodOf(does: Binding["does"]): MethodName | undefined {
  return does.kind === "view" ? does.for : does.method;
}

function allowed(method: MethodName | undefined, role: Role): boolean {
  return method === undefined || role !== "reader" || specs[method].role === "reader";
}

/** `splitShell` is found by `split shell` too. */
function spaced(method: string): string {
  return method.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
