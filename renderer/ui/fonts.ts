import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";

export const MONO_FONT = "JetBrains Mono Variable";

/** Fonts of terminals, as CSS names them. */
export const TERMINAL_FONTS = `"${MONO_FONT}", ui-monospace, monospace`;

/** Resolves when the terminal's font has loaded: xterm measures its cells only once. */
export async function monoFontReady(document: Document): Promise<void> {
  const faces = [`400 13px "${MONO_FONT}"`, `700 13px "${MONO_FONT}"`];
  await Promise.allSettled(faces.map((face) => document.fonts.load(face)));
}
