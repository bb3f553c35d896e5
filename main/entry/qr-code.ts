import { renderUnicodeCompact } from "uqr";

/** White and black of any terminal's 256 colours: a code in the colours of a theme may be hard to scan. */
const COLOURED = "\u001b[38;5;231;48;5;16m";
const RESET = "\u001b[0m";

/** Returns a link as a code for a phone's camera, in lines. @param onTerminal whether colours can be printed */
export function qrCode(link: string, onTerminal: boolean): string {
  const lines = renderUnicodeCompact(link, { border: 2 }).split("\n");
  return lines.map((line) => (onTerminal ? `  ${COLOURED}${line}${RESET}` : `  ${line}`)).join("\n");
}
