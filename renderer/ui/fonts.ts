import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";

export const MONO_FONT = "JetBrains Mono Variable";

/** Resolves when the terminal's font is there: xterm measures its cells once, with whatever font it finds. */
export async function monoFontReady(document: Document): Promise<void> {
  const faces = [`400 13px "${MONO_FONT}"`, `700 13px "${MONO_FONT}"`];
  await Promise.allSettled(faces.map((face) => document.fonts.load(face)));
}
