import type { TerminalSubscriber } from "../../../core/client/terminal-subscriptions.ts";
import type { ShellId, TileKey } from "../../../core/protocol/ids.ts";
import { createStore } from "../../ui/store.ts";
import type { CommandMarks } from "./command-marks.ts";
import { OutputFanOut } from "./output-fan-out.ts";
import type { PrintedLine } from "./reveal-line.ts";
import { WebglSlots } from "./webgl.ts";
import { TypingPriority } from "./write-queue.ts";

/** Actions of a visible terminal, for shortcuts and menus. */
export interface TerminalActions {
  focus(): void;
  selection(): string;
  selectAll(): void;
  /** Pastes, after a confirmation if the text has several lines. */
  paste(text: string): Promise<void>;
  search(): void;
  /** Looks for a line that was printed. Returns whether it is kept; `show`: scrolls to it and selects the text in it. */
  reveal(line: PrintedLine, show: boolean): boolean;
  readonly commands: CommandMarks;
  /** Returns the text of the rows on show. */
  screen(): readonly string[];
  /** Whether the program takes presses of the pointer. */
  takesPointer(): boolean;
  /** Sends a key that touch keyboards lack, encoded for the terminal's mode. */
  key(name: string): void;
  /** Takes what was typed in another terminal, if this one is on show and takes input. */
  take(from: ShellId, data: string): void;
}

/** A modifier that touch keyboards lack: pressed once, it applies to the next key. */
export type StickyKey = "ctrl" | "alt";

/** Returns what a terminal sends for typed text while sticky modifiers are on: of the first character only. */
export function withModifiers(data: string, keys: ReadonlySet<StickyKey>): string {
  const [first = "", ...rest] = [...data];
  const controlled =
    keys.has("ctrl") && /^[@-_a-z]$/.test(first)
      ? String.fromCharCode(first.toUpperCase().charCodeAt(0) & 0x1f)
      : first;
  return `${keys.has("alt") ? "\x1b" : ""}${controlled}${rest.join("")}`;
}

/** The terminals of one session view, and the resources that they share. */
export class Terminals {
  readonly output: OutputFanOut;
  readonly webgl = new WebglSlots();
  readonly typing: TypingPriority;
  readonly byTile = new Map<TileKey, TerminalActions>();
  /** The modifiers of the key row that are on. */
  readonly sticky = createStore<ReadonlySet<StickyKey>>(new Set());
  /** Shells whose programs may write to the clipboard without asking again. */
  readonly clipboardAllowed = new Set<ShellId>();

  #isDrawn = false;

  constructor(
    subscribe: (shell: ShellId, subscriber: TerminalSubscriber) => () => void,
    frame: (callback: () => void) => void,
  ) {
    this.typing = new TypingPriority(frame);
    this.output = new OutputFanOut(subscribe);
  }

  /** The tiles of the page have been drawn for the first time. */
  drawn(): void {
    this.#isDrawn = true;
  }

  /**
   * Opens a terminal: at once, because keys may follow, but each of those that the page starts with in a task of its own: the
   * page answers nothing while one is opened. Returns a function that prevents what has not happened.
   */
  start(open: () => void): () => void {
    if (this.#isDrawn) {
      open();
      return () => undefined;
    }
    const timer = setTimeout(open);
    return () => clearTimeout(timer);
  }

  /** Applies the sticky modifiers to typed text, and releases them. */
  modified(data: string): string {
    const keys = this.sticky.get();
    // Escape sequences are also answers of the terminal to its program.
    if (keys.size === 0 || data.startsWith("\x1b")) return data;
    this.sticky.set(new Set());
    return withModifiers(data, keys);
  }
}
