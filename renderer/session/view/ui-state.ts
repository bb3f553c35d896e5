import type { MethodName } from "../../../core/commands/specs.ts";
import type { Workspace } from "../../../core/layout/layout.ts";
import type { HitPlace, SearchHit } from "../../../core/protocol/history-search.ts";
import type { ShellId, TileKey } from "../../../core/protocol/ids.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import type { OpenMenu } from "../../ui/menu.tsx";
import { persistedRecents, persistedValue } from "../../ui/persisted.ts";
import { createStore, type Store } from "../../ui/store.ts";
import { persistedSettings, type SettingsStore } from "../../ui/terminal-settings.ts";
import { persistedThemes, type TerminalPalette } from "../../ui/terminal-themes.ts";
import { type OwnChords, persistedChords } from "../keys/own-chords.ts";
import type { DrawerCall } from "./session-host.ts";
import type { ShownAnswers } from "./shown-answers.ts";
import { ToastStore } from "./toast-store.ts";

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

/** What the search over everything looks for, and where. */
export interface Searched {
  readonly text: string;
  readonly in: SearchHit["in"] | "everything";
  /** Whether the text is a regular expression. */
  readonly regex: boolean;
  /** Only in this shell; undefined: everywhere. */
  readonly shell: ShellId | undefined;
  /** Key of the selected result, at which a walk through the results goes on; absent: the first. */
  readonly chosen?: string | undefined;
}

/** The tile or workspace whose name is being typed in its place: a workspace as it was when that began. */
type Renaming =
  | { readonly kind: "tile"; readonly key: TileKey }
  | { readonly kind: "workspace"; readonly workspace: Workspace };

const keptDrawers = ["loose", "pinned", "pinned, closed"] as const;
/** What this device keeps of the drawer: pages open with one that is pinned and was not closed. */
type KeptDrawer = (typeof keptDrawers)[number];

/** All of a screen, however small, or a part of it that can be read. */
type ScreenView = "fit" | "readable";

/** A tile that can be reopened. */
export interface ClosedTile {
  readonly tile: TileContent;
  /** The tile that it was next to, and its side of it; undefined where it was alone. */
  readonly beside:
    | {
        readonly tile: TileKey;
        readonly place: "left" | "right" | "up" | "down" | "tab";
        /** Share of the first of the two. */
        readonly ratio: number | undefined;
      }
    | undefined;
}

/** State of the user interface that no other client sees: open panels, messages, preferences. */
export class UiState {
  readonly toasts = new ToastStore();
  readonly question = createStore<OpenQuestion | undefined>(undefined);
  readonly palette = createStore<PaletteRequest | undefined>(undefined);
  /** Whether the search over everything is open. */
  readonly searchOpen = createStore(false);
  /** The result whose place in the history is on show there; undefined: the results are. */
  readonly searchPlace = createStore<HitPlace | undefined>(undefined);
  /** What was searched for last, which the next search begins with. */
  readonly searched = createStore<Searched>({ text: "", in: "everything", regex: false, shell: undefined });
  readonly renaming = createStore<Renaming | undefined>(undefined);
  /** Ids of the palette's entries that were used last. */
  readonly recentCommands: Store<readonly string[]>;
  readonly menu = createStore<OpenMenu | undefined>(undefined);
  /** The tiles that were closed here, the last one first. */
  readonly closedTiles = createStore<readonly ClosedTile[]>([]);
  /** The workspace that a dragged tile would go to: its index, or a new one. */
  readonly dropWorkspace = createStore<number | "new" | undefined>(undefined);
  readonly chatOpen = createStore(false);
  readonly drawerOpen: Store<boolean>;
  /** Whether the drawer stands beside the tiles, where there is room for that, and was open last. */
  readonly drawer: Store<KeptDrawer>;
  /** The last call of the drawer, each of which is an object of its own; undefined: it was not called yet. */
  readonly drawerCall = createStore<DrawerCall | undefined>(undefined);
  /** Number of requests that the open drawer shows; undefined while it is closed. */
  readonly drawerWaiting = createStore<number | undefined>(undefined);
  /** Id of the chat message that the user went to. */
  readonly chatMessage = createStore<number | undefined>(undefined);
  readonly shellListOpen = createStore(false);
  /** Whether all workspaces are on show. */
  readonly overviewOpen = createStore(false);
  /** Id of the last chat message that was visible. */
  readonly lastRead: Store<number>;
  /** The user's settings of terminals. */
  readonly settings: SettingsStore;
  /** The themes of terminals that the user has imported. */
  readonly themes: Store<readonly TerminalPalette[]>;
  readonly settingsOpen = createStore(false);
  /** The user's own keyboard shortcuts. */
  readonly chords: Store<OwnChords>;
  readonly shortcutsOpen = createStore(false);
  /** Whether what is typed in one terminal goes to every shell on show. */
  readonly typesIntoAll = createStore(false);

  /** How tiles show screens that are too small to read in them, by the tile's key. */
  readonly screenViews = createStore<ReadonlyMap<number, ScreenView>>(new Map());
  /** The newest answer that was shown of each shell, to a question of its agent. */
  readonly shownAnswers = createStore<ShownAnswers>(new Map());

  constructor(window: Window, lastRead: number) {
    this.lastRead = createStore(lastRead);
    this.drawer = persistedValue<KeptDrawer>(window, {
      key: "patchbay.drawer",
      parse: (text) => keptDrawers.find((kept) => kept === text),
      format: (kept) => kept,
      fallback: "loose",
    });
    this.drawerOpen = createStore(this.drawer.get() === "pinned");
    // Both share one place.
    this.chatOpen.subscribe(() => this.chatOpen.get() && this.drawerOpen.set(false));
    this.drawerOpen.subscribe(() => {
      if (this.drawerOpen.get()) this.chatOpen.set(false);
      if (this.drawer.get() !== "loose") this.drawer.set(this.drawerOpen.get() ? "pinned" : "pinned, closed");
    });
    this.recentCommands = persistedRecents(window, "patchbay.recent-commands");
    this.settings = persistedSettings(window);
    this.themes = persistedThemes(window);
    this.chords = persistedChords(window);
  }

  /** Records whether all of a tile's screen is too small to read: at first, a part is shown that is not. */
  setTooSmall(tile: TileKey, small: boolean): void {
    const now = this.screenViews.get();
    if (now.has(tile) === small) return;
    const next = new Map(now);
    if (small) next.set(tile, "readable");
    else next.delete(tile);
    this.screenViews.set(next);
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
