import { RemoteError } from "./errors.ts";

/** Terminal modes that change what keys send. */
interface KeyModes {
  /** Application cursor keys (DECCKM): arrows, Home and End send SS3 instead of CSI. */
  readonly applicationCursor: boolean;
}

interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

type Key =
  /** Ends in this letter: `CSI A`, with modifiers `CSI 1;5A`. `SS3` if the mode or the key requires it. */
  | { readonly kind: "letter"; readonly final: string; readonly ss3: "never" | "always" | "in application mode" }
  /** `CSI 5~`, with modifiers `CSI 5;5~`. */
  | { readonly kind: "number"; readonly code: number }
  | { readonly kind: "character"; readonly character: string };

const ESC = "\u001b";
const cursor = (final: string): Key => ({ kind: "letter", final, ss3: "in application mode" });
const numbered = (code: number): Key => ({ kind: "number", code });
const character = (text: string): Key => ({ kind: "character", character: text });
const FUNCTION_KEYS = [15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34];

/** Key names of tmux and kitty, in lower case. */
const keys: ReadonlyMap<string, Key> = new Map<string, Key>([
  ["up", cursor("A")],
  ["down", cursor("B")],
  ["right", cursor("C")],
  ["left", cursor("D")],
  ["home", cursor("H")],
  ["end", cursor("F")],
  ...["insert", "ic"].map((name): [string, Key] => [name, numbered(2)]),
  ...["delete", "del", "dc"].map((name): [string, Key] => [name, numbered(3)]),
  ...["pageup", "page_up", "pgup", "ppage"].map((name): [string, Key] => [name, numbered(5)]),
  ...["pagedown", "page_down", "pgdn", "npage"].map((name): [string, Key] => [name, numbered(6)]),
  ...["P", "Q", "R", "S"].map((final, index): [string, Key] => [
    `f${index + 1}`,
    { kind: "letter", final, ss3: "always" },
  ]),
  ...FUNCTION_KEYS.map((code, index): [string, Key] => [`f${index + 5}`, numbered(code)]),
  ...["enter", "return"].map((name): [string, Key] => [name, character("\r")]),
  ["tab", character("\t")],
  ["btab", { kind: "letter", final: "Z", ss3: "never" }],
  ...["escape", "esc"].map((name): [string, Key] => [name, character(ESC)]),
  ["space", character(" ")],
  ...["backspace", "bspace"].map((name): [string, Key] => [name, character("\u007f")]),
]);

const MODIFIER = /^(?:([CMS])[-+]|(ctrl|control|alt|meta|opt|option|shift)[-+])(?=.)/i;
/** Control characters of keys that are not letters, as in xterm. */
const CONTROLS: Readonly<Record<string, string>> = {
  " ": "\0",
  "@": "\0",
  "2": "\0",
  "[": ESC,
  "3": ESC,
  "\\": "\u001c",
  "4": "\u001c",
  "]": "\u001d",
  "5": "\u001d",
  "^": "\u001e",
  "6": "\u001e",
  _: "\u001f",
  "/": "\u001f",
  "7": "\u001f",
  "?": "\u007f",
  "8": "\u007f",
  "\u007f": "\b",
  "\r": "\r",
  "\t": "\t",
  [ESC]: ESC,
};

/**
 * Encodes words as terminal input. A word is a key name with optional modifiers (`C-c`, `M-x`, `S-Tab`,
 * `ctrl+shift+left`, `^D`, `F5`, `Up`) or text, which is typed unchanged. With `literal` every word is text.
 * @throws RemoteError `invalid_params` for a key that does not exist or that a terminal cannot send
 */
export function keyInput(words: readonly string[], literal: boolean, modes: KeyModes): string {
  return words.map((word) => (literal ? typed(word) : inputOf(word, modes))).join("");
}

function inputOf(word: string, modes: KeyModes): string {
  const { base, modifiers } = withoutModifiers(word);
  const named = keys.get(base.toLowerCase());
  if (named !== undefined) return encoded(named, modifiers, modes) ?? rejectKey(word);
  if (base === word) return typed(word);
  if ([...base].length !== 1) rejectKey(word);
  return encoded(character(base), modifiers, modes) ?? rejectKey(word);
}

function withoutModifiers(word: string): { base: string; modifiers: Modifiers } {
  const found = new Set<string>();
  let base = /^\^.$/su.test(word) ? `C-${word.slice(1)}` : word;
  for (let match = MODIFIER.exec(base); match !== null; match = MODIFIER.exec(base)) {
    const [whole, letter, name = ""] = match;
    // A lower-case letter before a dash is text, such as `c-3` in a file name.
    if (letter !== undefined && letter !== letter.toUpperCase()) break;
    found.add(letter ?? name.toLowerCase());
    base = base.slice(whole.length);
  }
  const has = (...names: string[]) => names.some((name) => found.has(name));
  return {
    base,
    modifiers: {
      shift: has("S", "shift"),
      alt: has("M", "alt", "meta", "opt", "option"),
      ctrl: has("C", "ctrl", "control"),
    },
  };
}

/** Returns the bytes of a key; undefined if a terminal cannot send it. */
function encoded(key: Key, modifiers: Modifiers, { applicationCursor }: KeyModes): string | undefined {
  const { shift, alt, ctrl } = modifiers;
  const number = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
  switch (key.kind) {
    case "number":
      return number === 1 ? `${ESC}[${key.code}~` : `${ESC}[${key.code};${number}~`;
    case "letter": {
      if (number > 1 && key.ss3 !== "never") return `${ESC}[1;${number}${key.final}`;
      const ss3 = key.ss3 === "always" || (key.ss3 === "in application mode" && applicationCursor);
      return `${ESC}${ss3 ? "O" : "["}${key.final}`;
    }
    case "character": {
      if (shift && key.character === "\t") return `${alt ? ESC : ""}${ESC}[Z`;
      const plain = shift ? key.character.toUpperCase() : key.character;
      const sent = ctrl ? controlOf(plain) : plain;
      return sent === undefined ? undefined : (alt ? ESC : "") + sent;
    }
  }
}

function controlOf(key: string): string | undefined {
  if (Object.hasOwn(CONTROLS, key)) return CONTROLS[key];
  return /^[a-z]$/i.test(key) ? String.fromCharCode(key.toUpperCase().charCodeAt(0) - 0x40) : undefined;
}

/** Encodes text as typed input: a newline becomes the Enter key. */
function typed(text: string): string {
  return text.replace(/\r?\n/g, "\r");
}

function rejectKey(word: string): never {
  throw new RemoteError(
    "invalid_params",
    `params.keys: ${JSON.stringify(word.slice(0, 60))} is no key that a terminal can send; use names such as C-c, M-x, S-Tab, F5, Up or Enter, or literal for text.`,
  );
}
