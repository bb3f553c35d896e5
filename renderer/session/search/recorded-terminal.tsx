import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import type { TileKey } from "../../../core/protocol/ids.ts";
import type { OpResult } from "../../../core/protocol/relay-ops.ts";
import { Undo } from "../../../core/undo.ts";
import { search as words } from "../../search/words.ts";
import { useStore } from "../../ui/store.ts";
import { type Cell, cellSize } from "../terminal/cell-size.ts";
import { isTooSmall, letterboxFont, readableFont } from "../terminal/letterbox.ts";
import { inertPorts, type OpenTerminal, openTerminal, type TerminalLook } from "../terminal/open-terminal.ts";
import { screenRows } from "../terminal/screen-rows.ts";
import { useTerminalTheme } from "../terminal/terminal-theme.ts";
import type { TerminalActions } from "../terminal/terminals.ts";
import { copyOnSelect } from "../tiles/copy-on-select.ts";
import { SearchBar } from "../tiles/search-bar.tsx";
import { useView } from "../view/view.ts";

/** Lines that are kept of what is read: more than it can hold. */
const SCROLLBACK = 20_000;
/** Of what a program drew on a screen of its own, so much after the place is drawn: the screen as it was then. */
const SCREEN_CHARACTERS = 2_048;
/** Empties the terminal, as a new one. */
const RESET = "\x1bc";
const INSET = { width: 28, height: 12 };

type Recorded = OpResult<"readAround">;

interface RecordedProps {
  readonly recorded: Recorded;
  /** Cells that are selected from the place on. */
  readonly selects: number;
  /** Characters that a replay shows, as the terminal showed them then; undefined: all, scrolled to the place. */
  readonly shown: number | undefined;
  /** The tile that it is in, whose commands are for it; undefined: a dialog, where it has the keys. */
  readonly tile: TileKey | undefined;
}

/** A terminal with recorded output. */
export function RecordedTerminal({ recorded, selects, shown, tile }: RecordedProps) {
  const view = useView();
  const settings = useStore(view.ui.settings);
  const theme = useTerminalTheme();
  const element = useRef<HTMLDivElement>(null);
  const open = useRef<OpenTerminal>(undefined);
  const replayed = useRef<Replayed>(undefined);
  const [searched, setSearched] = useState<OpenTerminal>();
  const lookNow = useCallback((): TerminalLook => {
    const then = replayed.current?.size;
    const size =
      then ??
      sizeIn(element.current, recorded.cols, settings.fontSize, (fontSize) =>
        cellSize({ ...settings, fontSize }, window.devicePixelRatio),
      );
    return { theme, settings, writable: false, size: { cols: recorded.cols, ...size, readable: true } };
  }, [recorded, settings, theme]);
  const first = useRef(lookNow);
  first.current = lookNow;
  useEffect(() => {
    if (element.current === null) return;
    const { webgl: slots, typing } = view.terminals;
    const opened = openTerminal(element.current, {
      look: first.current(),
      ports: inertPorts,
      slots,
      typing,
      shell: undefined,
    });
    open.current = opened;
    draw(opened, recorded, selects);
    const undo = new Undo();
    undo.add(() => opened.dispose());
    undo.add(copyOnSelect(view, opened.terminal, element.current));
    opened.terminal.textarea?.setAttribute("aria-label", words.place.terminal);
    if (tile === undefined) opened.terminal.focus();
    else {
      view.terminals.byTile.set(
        tile,
        actionsOf(opened, () => setSearched(opened)),
      );
      undo.add(() => view.terminals.byTile.delete(tile));
      // The tile itself has the keys until it has a terminal.
      if (element.current.closest("[data-tile]") === document.activeElement) opened.terminal.focus();
      else view.keyboard.settle();
    }
    return () => {
      open.current = undefined;
      replayed.current = undefined;
      setSearched(undefined);
      undo.dispose();
    };
  }, [view, recorded, selects, tile]);
  useEffect(() => {
    if (shown === undefined || open.current === undefined) return;
    const opened = open.current;
    replayed.current = replay(opened, recorded, { from: replayed.current, to: shown }, (size) => {
      if (replayed.current === undefined) return;
      replayed.current = { ...replayed.current, size };
      opened.look(first.current());
    });
  }, [recorded, shown]);
  useEffect(() => {
    if (element.current === null) return;
    // A tile behind another one has no size.
    const layOut = () => element.current?.offsetWidth !== 0 && open.current?.look(lookNow());
    const observer = new ResizeObserver(layOut);
    observer.observe(element.current);
    layOut();
    return () => observer.disconnect();
  }, [lookNow]);
  const endSearch = () => {
    setSearched(undefined);
    searched?.terminal.focus();
  };
  return (
    <>
      {searched !== undefined && <SearchBar terminal={searched} close={endSearch} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the terminal in it has the focus, and takes no keys */}
      <div
        ref={element}
        className="terminal history-terminal"
        style={{ backgroundColor: theme.background }}
        onKeyDown={(event) => scrollByKey(event, open.current)}
      />
    </>
  );
}

/** Returns what the commands of the view do with a terminal that takes no input. */
function actionsOf({ terminal, commands }: OpenTerminal, search: () => void): TerminalActions {
  const nothing = () => undefined;
  return {
    focus: () => terminal.focus(),
    selection: () => terminal.getSelection(),
    selectAll: () => terminal.selectAll(),
    search,
    screen: () => screenRows(terminal),
    commands,
    reveal: () => false,
    takesPointer: () => false,
    paste: async () => undefined,
    key: nothing,
    take: nothing,
  };
}

/** Draws what came before the place, then the rest, and shows the place. */
function draw({ terminal }: OpenTerminal, { before, after }: Recorded, selects: number): void {
  terminal.options.scrollback = SCROLLBACK;
  terminal.write(before, () => {
    const marker = terminal.registerMarker(0);
    const { cursorX: column, type } = terminal.buffer.active;
    terminal.write(type === "alternate" ? after.slice(0, SCREEN_CHARACTERS) : after, () => {
      const row = marker?.line ?? -1;
      marker?.dispose();
      if (row < 0) return;
      terminal.scrollToLine(Math.max(0, row - Math.floor(terminal.rows / 3)));
      if (selects > 0) terminal.select(column, row, Math.min(selects, after.length));
    });
  });
}

/** What a replay has drawn. */
interface Replayed {
  readonly characters: number;
  readonly size?: { readonly cols: number; readonly rows: number };
}

/** Draws what was printed up to a place, in the sizes that the terminal had; from the beginning if that is not drawn yet. */
function replay(
  { terminal }: OpenTerminal,
  { before, after, sizes }: Recorded,
  { from, to }: { readonly from: Replayed | undefined; readonly to: number },
  resize: (size: { readonly cols: number; readonly rows: number }) => void,
): Replayed {
  const text = before + after;
  const goesOn = from !== undefined && from.characters <= to;
  let at = goesOn ? from.characters : 0;
  if (!goesOn) terminal.write(RESET);
  for (const [characters, cols, rows] of sizes) {
    if (characters > to || (goesOn && characters <= from.characters)) continue;
    terminal.write(text.slice(at, characters), () => resize({ cols, rows }));
    at = characters;
  }
  terminal.write(text.slice(at, to));
  return { ...from, characters: to };
}

const lines: Readonly<Record<string, (rows: number) => number>> = {
  ArrowUp: () => -1,
  ArrowDown: () => 1,
  PageUp: (rows) => 1 - rows,
  PageDown: (rows) => rows - 1,
};

function scrollByKey(event: KeyboardEvent, open: OpenTerminal | undefined): void {
  if (open === undefined) return;
  const { terminal } = open;
  const step = lines[event.key];
  if (step !== undefined) terminal.scrollLines(step(terminal.rows));
  else if (event.key === "Home") terminal.scrollToTop();
  else if (event.key === "End") terminal.scrollToBottom();
  else return;
  event.preventDefault();
}

/** As many rows as there is room for, in the font in which the columns fit. */
function sizeIn(element: HTMLElement | null, cols: number, fontSize: number, cellAt: (font: number) => Cell) {
  const width = (element?.offsetWidth ?? 0) - INSET.width;
  const height = (element?.offsetHeight ?? 0) - INSET.height;
  const fitting = letterboxFont({ cols, rows: 1 }, { width, height: Number.POSITIVE_INFINITY }, fontSize, cellAt);
  const font = isTooSmall(fitting, fontSize) ? readableFont(fontSize) : fitting;
  return { rows: Math.max(2, Math.floor(height / cellAt(font).height)) };
}
