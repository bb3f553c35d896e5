import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import { MONO_FONT } from "./terminal-fonts.ts";

/** Resolves when the terminal's font has loaded: xterm measures its cells only once. */
export async function monoFontReady(document: Document): Promise<void> {
  const faces = [`400 13px "${MONO_FONT}"`, `700 13px "${MONO_FONT}"`];
  await Promise.allSettled(faces.map((face) => document.fonts.load(face)));
}
