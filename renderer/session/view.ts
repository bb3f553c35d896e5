import { createContext, useContext, useSyncExternalStore } from "react";
import type { MethodName } from "../../core/commands/specs.ts";
import type { ShellId, TileKey } from "../../core/protocol/ids.ts";
import type { Store } from "../ui/store.ts";
import type { OpenQuestion, Question } from "./frame/question.ts";
import type { Binding } from "./keys/keymap.ts";
import type { SessionHost, SessionSnapshot } from "./session-host.ts";
import type { ShellFeeds } from "./terminal/shell-feeds.ts";
import type { WebglSlots } from "./terminal/webgl-slots.ts";
import type { ToastStore } from "./toasts/toast-store.ts";

/** What the palette opens at: its list, or one command's form. */
export interface PaletteRequest {
  readonly method: MethodName | undefined;
}

/** What a terminal on the screen offers to shortcuts and menus. */
export interface TerminalActions {
  focus(): void;
  selection(): string;
  selectAll(): void;
  /** Pastes, after the question that a paste of several lines may need. */
  paste(text: string): Promise<void>;
  search(): void;
  /** Sends a key that a touch screen has not, as the terminal's mode wants it. */
  key(name: string): void;
}

/** The parts of one mounted view, made once by `mount.tsx`. */
export interface View {
  readonly host: SessionHost;
  readonly mac: boolean;
  readonly bindings: readonly Binding[];
  readonly toasts: ToastStore;
  readonly question: Store<OpenQuestion | undefined>;
  readonly palette: Store<PaletteRequest | undefined>;
  readonly chatOpen: Store<boolean>;
  /** Id of the last chat message that was on the screen. */
  readonly lastRead: Store<number>;
  readonly shellsOpen: Store<boolean>;
  readonly fontSize: Store<number>;
  /** Lines that terminals keep above their screen. */
  readonly scrollback: Store<number>;
  readonly feeds: ShellFeeds;
  readonly slots: WebglSlots;
  readonly terminals: Map<TileKey, TerminalActions>;
  /** Shells whose programs may write the clipboard without asking again. */
  readonly clipboardAllowed: Set<ShellId>;
  /** Executes a command; a refusal becomes an error toast and `undefined`. */
  run(method: MethodName, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Asks the user; undefined when they leave it. */
  ask(question: Question): Promise<string | undefined>;
  /** Presses a shortcut's deed. */
  perform(binding: Binding): void;
}

export const ViewContext = createContext<View | undefined>(undefined);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === undefined) throw new Error("a part of the session view was drawn outside of it");
  return view;
}

export function useSnapshot(): SessionSnapshot {
  const { host } = useView();
  return useSyncExternalStore(host.subscribe, host.snapshot);
}
