export const MONO_FONT = "JetBrains Mono Variable";
/** Symbols of Nerd Fonts, as terminal.css finds them on this device. */
const SYMBOLS = "Symbols";

/**
 * Returns the fonts of terminals, as CSS names them: those that the user wants, then those that come with Patchbay,
 * then symbols that none of them has.
 *
 * @param wanted names with commas between them, with or without quotes; may be empty
 */
export function terminalFonts(wanted: string): string {
  const names = wanted
    .split(",")
    .map((name) => name.trim().replaceAll(/["']/g, ""))
    .filter((name) => name !== "");
  return [...[...names, MONO_FONT, SYMBOLS].map((name) => `"${name}"`), "ui-monospace", "monospace"].join(", ");
}

/** Fixed-width fonts that many people have; those with Nerd Font have the icons of prompts and file managers. */
const KNOWN_FONTS = [
  "Cascadia Code",
  "CaskaydiaCove Nerd Font",
  "Consolas",
  "DejaVu Sans Mono",
  "Fira Code",
  "FiraCode Nerd Font",
  "Hack",
  "Hack Nerd Font",
  "IBM Plex Mono",
  "Inconsolata",
  "Iosevka",
  "JetBrainsMono Nerd Font",
  "Liberation Mono",
  "Menlo",
  "MesloLGS NF",
  "Monaco",
  "Noto Sans Mono",
  "SF Mono",
  "Source Code Pro",
  "Ubuntu Mono",
];

/** Returns those of the known fonts that this device has. */
export function installedFonts(document: Document): readonly string[] {
  return KNOWN_FONTS.filter((font) => isInstalled(document, font));
}

/** Reports whether this device has a font: text in it is as wide whatever stands in for a font that is missing. */
export function isInstalled(document: Document, font: string): boolean {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return true;
  const widthIn = (fonts: string) => {
    context.font = `72px ${fonts}`;
    return context.measureText("mmmmmmmmmmlli.WW@").width;
  };
  const [first = ""] = font.split(",");
  const name = `"${first.trim().replaceAll(/["']/g, "")}"`;
  return new Set(["serif", "sans-serif", "monospace"].map((other) => widthIn(`${name}, ${other}`))).size === 1;
}
