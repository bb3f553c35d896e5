/** The longest text that a program may offer to the clipboard. */
const LONGEST = 1_000_000;

/**
 * What an OSC 52 sequence wants on the clipboard; undefined for a question (`?`), which is never answered because it
 * would hand the clipboard to whatever runs in the terminal, and for what is not base64 of UTF-8.
 */
export function clipboardText(data: string): string | undefined {
  const separator = data.indexOf(";");
  const payload = data.slice(separator + 1);
  if (separator === -1 || payload === "" || payload === "?" || payload.length > (LONGEST * 4) / 3) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
