import { createContext, useContext, useSyncExternalStore } from "react";
import type { MethodName } from "../../../core/commands/specs.ts";
import { errorText } from "../../../core/protocol/error-text.ts";
import { speech } from "../../ui/language.ts";
import { useStore } from "../../ui/store.ts";
import { createShortcuts, type Shortcuts } from "../keys/keymap.ts";
import { withOwnChords } from "../keys/own-chords.ts";
import { Terminals } from "../terminal/terminals.ts";
import { KeyboardFocus } from "./keyboard-focus.ts";
import type { SessionHost, SessionSnapshot } from "./session-host.ts";
import { UiState } from "./ui-state.ts";

/** The shared parts of one mounted session view. */
export interface View {
  readonly host: SessionHost;
  readonly ui: UiState;
  readonly terminals: Terminals;
  readonly shortcuts: Shortcuts;
  readonly keyboard: KeyboardFocus;
  /** Executes a command. On failure, shows an error toast and resolves with undefined. */
  run(method: MethodName, params: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** What messages about the lost connection are about; they go when it is back. */
export const CONNECTION = "connection";

export function createView(host: SessionHost, window: Window): View {
  const ui = new UiState(window, host.snapshot().mirror?.chat.at(-1)?.id ?? 0);
  const terminals = new Terminals(
    (shell, subscriber) => host.subscribeOutput(shell, subscriber),
    (callback) => void window.requestAnimationFrame(callback),
  );
  host.subscribe(() => host.snapshot().connected && ui.toasts.dismissAbout(CONNECTION));
  // The shells of another workspace are others than those that were meant.
  let shown = host.snapshot().state.active;
  host.subscribe(() => {
    const { active } = host.snapshot().state;
    if (active !== shown) ui.typesIntoAll.set(false);
    shown = active;
  });
  const own = (): Shortcuts => {
    const initial = createShortcuts(/mac/i.test(window.navigator.platform), {
      browser: host.platform === "browser",
      drawer: host.drawer !== undefined,
    });
    return { ...initial, bindings: withOwnChords(initial.bindings, ui.chords.get()) };
  };
  let shortcuts = own();
  const renew = () => {
    shortcuts = own();
  };
  ui.chords.subscribe(renew);
  // Their titles are words.
  speech.subscribe(renew);
  const keyboard = new KeyboardFocus({ host, ui, terminals });
  return {
    host,
    ui,
    terminals,
    keyboard,
    get shortcuts() {
      return shortcuts;
    },
    async run(method, params) {
      try {
        return await keyboard.during(host.execute(method, params));
      } catch (error) {
        const about = host.snapshot().connected ? undefined : CONNECTION;
        ui.toasts.show("error", errorText(error), [], about);
        return undefined;
      }
    },
  };
}

export const ViewContext = createContext<View | undefined>(undefined);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === undefined) throw new Error("useView was called outside of the session view.");
  return view;
}

/** Returns the keyboard shortcuts, with the user's own. */
export function useKeys(): Shortcuts {
  const view = useView();
  useStore(view.ui.chords);
  return view.shortcuts;
}

export function useSnapshot(): SessionSnapshot {
  const { host } = useView();
  return useSyncExternalStore(host.subscribe, host.snapshot);
}
