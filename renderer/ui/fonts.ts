import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import { MONO_FONT } from "./terminal-fonts.ts";

/**
 * Resolves when the page can be drawn in its own fonts: xterm measures its cells only once, and text that changes its
 * font moves what stands beside it.
 */
export async function fontsReady(document: Document): Promise<void> {
  const faces = [`400 13px "${MONO_FONT}"`, `700 13px "${MONO_FONT}"`, '400 13px "Inter Variable"'];
  await Promise.allSettled(faces.map((face) => document.fonts.load(face)));
}
