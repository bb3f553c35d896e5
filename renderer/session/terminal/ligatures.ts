import type { Terminal } from "@xterm/xterm";

/** Signs of which fonts for programmers make ligatures. */
const SIGNS = /[-<>=!|:;/*+~&#.?_%^@$\\]{2,}|\bwww\b/g;
/** Longer runs are lines across the screen. */
const MAX_LENGTH = 8;

/**
 * Returns the parts of a text that are drawn in one piece, so that the font can make ligatures of them: start and end of
 * each. Whether it makes one is up to the font.
 */
export function ligatureRanges(text: string): [number, number][] {
  return [...text.matchAll(SIGNS)].flatMap(({ 0: signs, index }): [number, number][] =>
    signs.length > MAX_LENGTH ? [] : [[index, index + signs.length]],
  );
}

/** Returns a switch for ligatures in a terminal, with either renderer. Call it after `open`. */
export function createLigatureSwitch(terminal: Terminal): (on: boolean) => void {
  let joiner: number | undefined;
  return (on) => {
    // The DOM renderer draws neighbours of one colour in one piece anyway.
    const features = on ? '"calt" 1, "liga" 1' : '"calt" 0, "liga" 0';
    terminal.element?.style.setProperty("font-feature-settings", features);
    if (on) joiner ??= terminal.registerCharacterJoiner(ligatureRanges);
    else if (joiner !== undefined) {
      terminal.deregisterCharacterJoiner(joiner);
      joiner = undefined;
    }
  };
}
