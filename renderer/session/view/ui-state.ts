import { z } from "zod";
import type { MethodName } from "../../../core/commands/specs.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { persistedNumber, persistedRecents } from "../../ui/persisted.ts";
import { persistedScrollback } from "../../ui/scrollback.ts";
import { createStore, type Store } from "../../ui/store.ts";
import { persistedFontSize } from "./font-size.ts";
import { ToastStore } from "./toast-store.ts";

const Switch = z.coerce.number().int().min(0).max(1);

/** A question to the user. */
export interface Question {
  readonly title: string;
  readonly body: string;
  /** Lines shown unchanged, in the terminal's font. */
  readonly quote?: readonly string[];
  /** Buttons after Cancel, the default one last. */
  readonly answers: readonly { readonly id: string; readonly label: string; readonly danger?: true }[];
}

export interface OpenQuestion extends Question {
  /** Closes the question with the id of an answer; undefined cancels it. */
  settle(answer: string | undefined): void;
}

/** What the palette shows: commands, places to go to, or the forms of one command. */
export type PaletteRequest =
  | { readonly kind: "commands" | "places" }
  | { readonly kind: "forms"; readonly method: MethodName };

/** The tile or workspace whose name is being typed in its place. */
export type Renaming =
  | { readonly kind: "tile"; readonly key: TileKey }
  | { readonly kind: "workspace"; readonly index: number };

/** State of the user interface that no other client sees: open panels, messages, preferences. */
export class UiState {
  readonly toasts = new ToastStore();
  readonly question = createStore<OpenQuestion | undefined>(undefined);
  readonly palette = createStore<PaletteRequest | undefined>(undefined);
  readonly renaming = createStore<Renaming | undefined>(undefined);
  /** Ids of the palette's entries that were used last. */
  readonly recentCommands: Store<readonly string[]>;
  readonly chatOpen = createStore(false);
  readonly shellListOpen = createStore(false);
  /** Id of the last chat message that was visible. */
  readonly lastRead: Store<number>;
  /** Font size of terminals, in CSS pixels. */
  readonly fontSize: Store<number>;
  /** Number of lines that terminals keep above their screen. */
  readonly scrollback: Store<number>;
  /** 1: terminals keep their text in the page for screen readers. */
  readonly screenReader: Store<number>;
  /** 1: the tile of a shell that exits with code 0 closes. */
  readonly closeEnded: Store<number>;

  constructor(window: Window, lastRead: number) {
    this.lastRead = createStore(lastRead);
    this.recentCommands = persistedRecents(window, "patchbay.recent-commands");
    this.fontSize = persistedFontSize(window);
    this.scrollback = persistedScrollback(window);
    this.screenReader = persistedNumber(window, { key: "patchbay.screen-reader", schema: Switch, fallback: 0 });
    this.closeEnded = persistedNumber(window, { key: "patchbay.close-ended", schema: Switch, fallback: 0 });
  }

  /** Asks the user. Resolves with the id of the answer; undefined if canceled. Cancels a question that is still open. */
  ask(question: Question): Promise<string | undefined> {
    this.question.get()?.settle(undefined);
    return new Promise((resolve) => {
      const settle = (answer: string | undefined) => {
        this.question.set(undefined);
        resolve(answer);
      };
      this.question.set({ ...question, settle });
    });
  }
}
