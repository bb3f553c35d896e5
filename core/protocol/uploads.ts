import { utf8Length } from "./utf8-length.ts";

/** What a client may upload at a time. */
export const uploadLimits = {
  files: 20,
  fileBytes: 100 * 1024 * 1024,
  /** All files of one upload together. */
  bytes: 200 * 1024 * 1024,
  /** A piece of a file, as base64: a frame holds 1 MiB. */
  pieceLength: 512 * 1024,
  /** Length of a file's name as it is given. */
  nameLength: 1000,
} as const;

/** File systems allow 255 bytes; the rest is for the number that a name in use gets. */
const NAME_BYTES = 200;
const MAX_EXTENSION = 20;

/** Control and format characters, lone surrogates, line separators, and what some file systems do not allow. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}<>:"|?*]/gu;
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Returns the name under which an uploaded file is kept: the last part of the given path, without characters that act on a
 * terminal, look like others or are not allowed everywhere, and never one that a program takes for an option or a device.
 */
export function safeFileName(given: string): string {
  const base = given.split(/[\\/]/).at(-1) ?? "";
  const clean = trimmed(base.replace(UNSAFE, "_").normalize("NFC")).replace(/^-/, "_");
  const name = shortened(WINDOWS_DEVICE.test(clean) ? `_${clean}` : clean);
  return name === "" ? "file" : name;
}

/** Returns the name with a number before its extension: `photo (2).png`. */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const { stem, extension } = split(name);
  return `${stem} (${number})${extension}`;
}

function trimmed(name: string): string {
  return name.replace(/^\s+|(?<![\s.])[\s.]+$/gu, "");
}

function shortened(name: string): string {
  if (utf8Length(name) <= NAME_BYTES) return name;
  const { stem, extension } = split(name);
  let left = NAME_BYTES - utf8Length(extension);
  let kept = "";
  for (const character of stem) {
    left -= utf8Length(character);
    if (left < 0) break;
    kept += character;
  }
  return trimmed(kept + extension);
}

function split(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf(".");
  const cut = dot > 0 && name.length - dot <= MAX_EXTENSION ? dot : name.length;
  return { stem: name.slice(0, cut), extension: name.slice(cut) };
}
