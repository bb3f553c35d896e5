import "@xterm/xterm/css/xterm.css";
import "./terminal.css";
import { FitAddon } from "@xterm/addon-fit";
import type { SearchAddon } from "@xterm/addon-search";
import { SerializeAddon } from "@xterm/addon-serialize";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { type ITerminalOptions, type ITheme, Terminal } from "@xterm/xterm";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { TerminalSettings } from "../../../core/protocol/settings.ts";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import { boundRepeats } from "../../../core/protocol/terminal-repeats.ts";
import { countGraphemes } from "../../../core/protocol/terminal-widths.ts";
import { Undo } from "../../../core/undo.ts";
import { terminalFonts } from "../../ui/terminal-fonts.ts";
import { words } from "../words/index.ts";
import { roundCellWidth } from "./cell-size.ts";
import { createCommandGutter } from "./command-gutter.ts";
import { CommandMarks } from "./command-marks.ts";
import { keepCompositions } from "./compositions.ts";
import { createFixedScreen, type FixedSize } from "./fixed-screen.ts";
import { createImageOutput } from "./images.ts";
import { createLigatureSwitch } from "./ligatures.ts";
import type { Screen } from "./output-fan-out.ts";
import { parseClipboardRequest } from "./paste.ts";
import { linkPaths, type PathPorts } from "./path-links.ts";
import { minimumContrast } from "./terminal-theme.ts";
import { isAnswer } from "./typed-data.ts";
import { createWebglSwitch, type WebglSlots } from "./webgl.ts";
import { type TypingPriority, WriteQueue } from "./write-queue.ts";

/** Characters of a link's address in its title. */
const LONGEST_HINT = 500;

interface TerminalCallbacks {
  /** Whether this is a Mac, where ⌘ takes the place of Ctrl. */
  readonly mac: boolean;
  /** Keys and pastes, encoded. */
  write(data: string): void;
  /** The user typed while input is disabled. */
  refusedInput(): void;
  openLink(url: string): void;
  /** What paths in the output do; absent: nothing. */
  readonly paths?: PathPorts;
  bell(): void;
  /** The program requests to copy this text to the clipboard. */
  clipboard(text: string): void;
  /** Output arrives below the part of the scrollback that is on show; or its end is on show again. */
  newOutputBelow(below: boolean): void;
  /** All of a screen of fixed size would be too small to read in its tile. */
  tooSmall(small: boolean): void;
  missed(bytes: number): void;
  /** Reports whether the key is a shortcut of the view, which the terminal ignores. */
  isShortcut(event: KeyboardEvent): boolean;
}

const nothing = () => undefined;

/** Of a terminal that only shows: it reports nothing, and its keys go to the view. */
export const inertPorts: TerminalCallbacks = {
  mac: false,
  write: nothing,
  refusedInput: nothing,
  openLink: nothing,
  bell: nothing,
  clipboard: nothing,
  newOutputBelow: nothing,
  tooSmall: nothing,
  missed: nothing,
  isShortcut: () => true,
};

export interface TerminalLook {
  readonly theme: ITheme;
  readonly settings: TerminalSettings;
  readonly writable: boolean;
  /** Fixed size of a shell that another client controls; undefined: the terminal fills its tile. */
  readonly size: FixedSize | undefined;
}

/** A terminal in a tile. */
export interface OpenTerminal {
  readonly terminal: Terminal;
  /** Loads what searches, at the first search: most pages never need it. Rejects where it cannot be loaded. */
  search(): Promise<SearchAddon>;
  readonly commands: CommandMarks;
  readonly screen: Screen;
  /** Changes the look. Returns the new size in cells, if it may have changed. */
  look(look: TerminalLook): { cols: number; rows: number } | undefined;
  /** Fits the terminal to its tile and returns its size; undefined while the tile has no size. */
  layOut(): { cols: number; rows: number } | undefined;
  /** Holds a WebGL context while visible. */
  show(shown: boolean): void;
  dispose(): void;
}

interface Shared {
  readonly slots: WebglSlots;
  /** Undefined for a sample. */
  readonly shell: ShellId | undefined;
  readonly typing: TypingPriority;
}

/** Opens a terminal in an element of the page. */
export function openTerminal(
  element: HTMLElement,
  { look: start, ports, slots, shell, typing }: Shared & { look: TerminalLook; ports: TerminalCallbacks },
): OpenTerminal {
  const undo = new Undo();
  const isMeant = (event: MouseEvent) => (ports.mac ? event.metaKey : event.ctrlKey);
  const openLink = (event: MouseEvent, url: string) => {
    if (isMeant(event)) ports.openLink(url);
  };
  const hint = (_event: MouseEvent, url: string, effect = words.terminal.opens) => {
    const shown = shownLine(url, LONGEST_HINT);
    element.title = ports.mac ? words.terminal.linkHintMac(shown, effect) : words.terminal.linkHint(shown, effect);
  };
  const unhint = () => element.removeAttribute("title");
  const terminal = new Terminal({
    allowProposedApi: true,
    ...optionsOf(start.settings),
    fontSize: start.settings.fontSize,
    fontWeightBold: 700,
    theme: start.theme,
    disableStdin: !start.writable,
    cursorInactiveStyle: "outline",
    // Marks of the search, on the scroll bar: as wide as it is.
    overviewRuler: { width: 14 },
    linkHandler: {
      activate: (event, url) => openLink(event, url),
      hover: (event, url) => hint(event, url),
      leave: unhint,
    },
  });
  undo.add(() => terminal.dispose());
  const fit = new FitAddon();
  const serialize = new SerializeAddon();
  const graphemes = new UnicodeGraphemesAddon();
  for (const addon of [fit, serialize, graphemes]) terminal.loadAddon(addon);
  countGraphemes(terminal, graphemes);
  boundRepeats(terminal);
  terminal.loadAddon(new WebLinksAddon(openLink, { hover: (event, url) => hint(event, url), leave: unhint }));
  const { paths } = ports;
  if (paths !== undefined) {
    const activate = (event: MouseEvent, path: string) => isMeant(event) && paths.open(path);
    const hover = (event: MouseEvent, path: string) => hint(event, path, paths.effect);
    undo.add(linkPaths(terminal, paths, { activate, hover, leave: unhint }));
  }
  terminal.open(element);
  roundCellWidth(terminal, window);
  keepCompositions(terminal);
  const ligatures = createLigatureSwitch(terminal);
  ligatures(start.settings.ligatures);
  const webgl = createWebglSwitch(terminal, slots);
  undo.add(() => webgl(false));
  const output = createImageOutput(terminal);
  undo.add(() => output.dispose());
  output.draw(start.settings.images);

  let quietWrites = 0;
  /** Draws output whose queries are not answered here. */
  const drawQuietly = (data: string | Uint8Array, done?: () => void) => {
    quietWrites += 1;
    output.write(data, () => {
      quietWrites -= 1;
      done?.();
    });
  };
  const writer = {
    write: (data: Uint8Array, done: () => void, quiet: boolean) =>
      quiet ? drawQuietly(data, done) : output.write(data, done),
  };
  const queue = new WriteQueue(writer, shell, typing);
  undo.add(() => queue.clear());
  let look = start;
  const commands = new CommandMarks(
    terminal,
    createCommandGutter(terminal, () => look.theme.red ?? ""),
  );
  undo.add(() => commands.dispose());
  const writing = {
    ...ports,
    write(data: string) {
      if (quietWrites === 0 || !isAnswer(data)) ports.write(data);
    },
  };
  undo.add(connectCallbacks(terminal, writing, () => look.writable));

  const fixed = createFixedScreen(terminal, element);
  undo.add(() => fixed.dispose());
  const layOut = () => {
    if (element.clientWidth < 20 || element.clientHeight < 20) return undefined;
    if (look.size === undefined) {
      terminal.options.fontSize = look.settings.fontSize;
      fit.fit();
    }
    ports.tooSmall(look.size !== undefined && fixed.layOut(look.size, look.settings));
    return { cols: terminal.cols, rows: terminal.rows };
  };
  // Before it is painted: at the size of xterm.js it would be seen to jump to its own.
  layOut();

  return {
    terminal,
    search: searchLoader(terminal),
    commands,
    screen: {
      bytes: (bytes, done, quiet) => queue.add(bytes, done, quiet),
      missed(bytes, snapshot) {
        queue.clear();
        output.drop();
        terminal.reset();
        commands.clear();
        drawQuietly(snapshot);
        ports.missed(bytes);
      },
      settled: (done) => queue.add(new Uint8Array(), done, true),
      serialize: () => serialize.serialize(),
      restore: (content) => drawQuietly(content),
    },
    look(next) {
      const before = look;
      look = next;
      if (next.theme !== before.theme) terminal.options.theme = next.theme;
      // Another theme may come with another preference of the system.
      terminal.options.minimumContrastRatio = minimumContrast(next.settings);
      terminal.options.disableStdin = !next.writable;
      const same =
        next.size?.cols === before.size?.cols &&
        next.size?.rows === before.size?.rows &&
        next.size?.readable === before.size?.readable;
      if (next.settings === before.settings && same) return undefined;
      Object.assign(terminal.options, optionsOf(next.settings));
      ligatures(next.settings.ligatures);
      output.draw(next.settings.images);
      return layOut();
    },
    layOut,
    show: webgl,
    dispose: () => undo.dispose(),
  };
}

/** Returns the options of xterm.js that follow from the settings; the font's size is that of the layout. */
function optionsOf(settings: TerminalSettings): ITerminalOptions {
  return {
    fontFamily: terminalFonts(settings.font),
    lineHeight: settings.lineHeight,
    minimumContrastRatio: minimumContrast(settings),
    cursorStyle: settings.cursorStyle,
    cursorBlink: settings.cursorBlink,
    scrollSensitivity: settings.scrollSpeed,
    scrollback: Number(settings.scrollback),
    macOptionIsMeta: settings.optionAsMeta,
    screenReaderMode: settings.screenReader,
  };
}

function connectCallbacks(terminal: Terminal, ports: TerminalCallbacks, writable: () => boolean): () => void {
  const undo = new Undo();
  const add = (registration: { dispose(): void }) => undo.add(() => registration.dispose());
  add(terminal.onData((data) => ports.write(data)));
  add(terminal.onBinary((data) => ports.write(data)));
  add(terminal.onBell(() => ports.bell()));
  add(
    terminal.parser.registerOscHandler(52, (data) => {
      const text = parseClipboardRequest(data);
      if (text !== undefined) ports.clipboard(text);
      return true;
    }),
  );
  let below = false;
  const tellBelow = (next: boolean) => {
    if (next !== below) ports.newOutputBelow(next);
    below = next;
  };
  const isScrolledUp = () => terminal.buffer.active.viewportY < terminal.buffer.active.baseY;
  add(terminal.onWriteParsed(() => isScrolledUp() && tellBelow(true)));
  add(terminal.onRender(() => !isScrolledUp() && tellBelow(false)));
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type === "keydown" && !writable() && typesText(event)) ports.refusedInput();
    return !ports.isShortcut(event);
  });
  return () => undo.dispose();
}

function typesText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (key.length === 1 || key === "Enter" || key === "Backspace") && !ctrlKey && !metaKey && !altKey;
}

function searchLoader(terminal: Terminal): () => Promise<SearchAddon> {
  const load = async () => {
    const { CurrentSearch } = await import("./search.ts");
    const addon = new CurrentSearch({ highlightLimit: 1000 });
    terminal.loadAddon(addon);
    return addon;
  };
  let loaded: Promise<SearchAddon> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      // The next search tries again.
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
