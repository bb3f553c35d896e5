import type { Terminal } from "@xterm/xterm";
import type { TerminalSettings } from "../../../core/protocol/settings.ts";
import { Undo } from "../../../core/undo.ts";
import { cellSize } from "./cell-size.ts";
import { isTooSmall, letterboxFont, readableFont, scrollToCursor } from "./letterbox.ts";
import { trackPan } from "./pan.ts";

/** Pixels of a tile that terminal.css and the scroll bar occupy. */
const INSET = { width: 28, height: 12 };

/** A shell's size that another client controls. */
export interface FixedSize {
  readonly cols: number;
  readonly rows: number;
  /** Draws a part of the screen at a readable size where all of it would be too small; else all of it. */
  readonly readable: boolean;
}

/** Draws a screen of fixed size in its tile. */
interface FixedScreen {
  /** Sets size and font. Returns whether all of the screen is too small to read. */
  layOut(size: FixedSize, settings: TerminalSettings): boolean;
  dispose(): void;
}

/**
 * Draws at the shell's own size, so that the output is not garbled: with a smaller font, or, where that would be too small
 * to read, in part. The part follows the cursor until the user moves it away from there.
 */
export function createFixedScreen(terminal: Terminal, element: HTMLElement): FixedScreen {
  const undo = new Undo();
  let follows = true;
  let asked: number | undefined;
  let placed = { left: 0, top: 0 };

  const follow = () => {
    asked = undefined;
    const cursor = cursorBox(terminal, element);
    if (!follows || cursor === undefined) return;
    element.scrollLeft = scrollToCursor(element.scrollLeft, element.clientWidth, cursor.left, cursor.right);
    element.scrollTop = scrollToCursor(element.scrollTop, element.clientHeight, cursor.top, cursor.bottom);
    placed = { left: element.scrollLeft, top: element.scrollTop };
  };
  // Once a frame: a measurement after each write would lay out the page for each.
  const followSoon = () => {
    asked ??= requestAnimationFrame(follow);
  };
  const moved = () => {
    const { scrollLeft, scrollTop } = element;
    if (scrollLeft === placed.left && scrollTop === placed.top) return;
    placed = { left: scrollLeft, top: scrollTop };
    const cursor = cursorBox(terminal, element);
    follows = cursor !== undefined && isInSight(cursor, element);
  };
  element.addEventListener("scroll", moved, { passive: true });
  undo.add(() => element.removeEventListener("scroll", moved));
  undo.add(() => asked !== undefined && cancelAnimationFrame(asked));
  const moves = terminal.onCursorMove(followSoon);
  undo.add(() => moves.dispose());
  undo.add(trackPan(element));

  return {
    layOut({ cols, rows, readable }, settings) {
      terminal.resize(cols, rows);
      // With the scroll bars: a screen that has them because it is too large must not be too large because of them.
      const tile = { width: element.offsetWidth - INSET.width, height: element.offsetHeight - INSET.height };
      const font = letterboxFont({ cols, rows }, tile, settings.fontSize, (fontSize) =>
        cellSize({ ...settings, fontSize }, window.devicePixelRatio),
      );
      const tooSmall = isTooSmall(font, settings.fontSize);
      terminal.options.fontSize = tooSmall && readable ? readableFont(settings.fontSize) : font;
      followSoon();
      return tooSmall;
    },
    dispose: () => undo.dispose(),
  };
}

type Edges = Pick<DOMRect, "left" | "right" | "top" | "bottom">;

/** Returns the edges of the cursor's cell in what the element scrolls; undefined while the scrollback is on show. */
function cursorBox(terminal: Terminal, element: HTMLElement): Edges | undefined {
  const screen = element.querySelector(".xterm-screen")?.getBoundingClientRect();
  const { active } = terminal.buffer;
  if (screen === undefined || active.viewportY !== active.baseY) return undefined;
  const around = element.getBoundingClientRect();
  const [width, height] = [screen.width / terminal.cols, screen.height / terminal.rows];
  const left = screen.left - around.left + element.scrollLeft + active.cursorX * width;
  const top = screen.top - around.top + element.scrollTop + active.cursorY * height;
  return { left, top, right: left + width, bottom: top + height };
}

function isInSight({ left, right, top, bottom }: Edges, element: HTMLElement): boolean {
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = element;
  return (
    left >= scrollLeft && right <= scrollLeft + clientWidth && top >= scrollTop && bottom <= scrollTop + clientHeight
  );
}
