import type { TerminalSubscriber } from "../../../core/client/terminal-subscriptions.ts";
import type { ShellId, TileKey } from "../../../core/protocol/ids.ts";
import { OutputFanOut } from "./output-fan-out.ts";
import { WebglSlots } from "./webgl.ts";

/** Actions of a visible terminal, for shortcuts and menus. */
export interface TerminalActions {
  focus(): void;
  selection(): string;
  selectAll(): void;
  /** Pastes, after a confirmation if the text has several lines. */
  paste(text: string): Promise<void>;
  search(): void;
  /** Sends a key that touch keyboards lack, encoded for the terminal's mode. */
  key(name: string): void;
}

/** The terminals of one session view, and the resources that they share. */
export class Terminals {
  readonly output: OutputFanOut;
  readonly webgl = new WebglSlots();
  readonly byTile = new Map<TileKey, TerminalActions>();
  /** Shells whose programs may write to the clipboard without asking again. */
  readonly clipboardAllowed = new Set<ShellId>();

  constructor(subscribe: (shell: ShellId, subscriber: TerminalSubscriber) => () => void) {
    this.output = new OutputFanOut(subscribe);
  }
}
