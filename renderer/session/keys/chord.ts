/** The part of a keyboard event that names a combination. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Returns the name of a key combination: `Ctrl+Shift+P`, `Alt+Shift+ArrowLeft`, `Meta+C`. A letter is the character that
 * the key types in the user's layout; if that is not a Latin letter (Option on a Mac, a Cyrillic layout), the key's
 * position decides. Undefined for a bare modifier.
 */
export function chordOf(press: KeyPress): string | undefined {
  const key = keyName(press);
  if (key === undefined) return undefined;
  // Shift may be needed to type + or =, so it does not count.
  const shift = press.shiftKey && !(press.ctrlKey || press.metaKey ? key === "=" : false);
  return [press.ctrlKey && "Ctrl", press.metaKey && "Meta", press.altKey && "Alt", shift && "Shift", key]
    .filter((part) => part !== false)
    .join("+");
}

/** Formats a combination as printed on keyboards, for example `Ctrl ⇧ P`, on a Mac `⌘ ⇧ P`. */
export function chordLabel(chord: string, mac: boolean): string {
  const symbols: Readonly<Record<string, string>> = mac
    ? { Ctrl: "⌃", Meta: "⌘", Alt: "⌥", Shift: "⇧" }
    : { Shift: "⇧" };
  const names: Readonly<Record<string, string>> = {
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    PageUp: "Page ↑",
    PageDown: "Page ↓",
    Enter: "⏎",
    "=": "+",
    "-": "−",
  };
  return chord
    .split("+")
    .map((part) => symbols[part] ?? names[part] ?? part)
    .join(" ");
}

function keyName({ key, code, ctrlKey, metaKey }: KeyPress): string | undefined {
  if (
    ["Control", "Shift", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Process"].includes(key) &&
    !/^(Key|Digit)/.test(code)
  ) {
    return undefined;
  }
  // Option types a space of another width.
  if (code === "Space" || key === " ") return "Space";
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (/^Digit\d$/.test(code) && !(ctrlKey || metaKey)) return code.slice(5);
  if (/^Numpad\d$/.test(code)) return code.slice(6);
  if (code === "Equal" || key === "+" || key === "=") return "=";
  if (key === "-" || (code === "Minus" && !(ctrlKey || metaKey))) return "-";
  if (/^Key[A-Z]$/.test(code)) return code.slice(3);
  if (key.length === 1 && /^Digit\d$/.test(code) && /\d/.test(key)) return key;
  return key;
}
