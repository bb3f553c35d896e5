import "./session-view.css";
import { Suspense, useEffect } from "react";
import { waitingFor } from "../../core/protocol/waiting.ts";
import { focusOf } from "../../core/state/client-state.ts";
import { useLanguage } from "../ui/language.ts";
import { LoadGuard, lazyPart } from "../ui/load-guard.tsx";
import { useStore } from "../ui/store.ts";
import { words as shared } from "../ui/words.ts";
import { mayRun } from "./actions/may-run.ts";
import { runBinding } from "./actions/run-binding.ts";
import { ChatPanel } from "./chat/chat-panel.tsx";
import { Drawer } from "./frame/drawer.tsx";
import { Footer } from "./frame/footer.tsx";
import { Header } from "./frame/header.tsx";
import { KeyRow } from "./frame/key-row.tsx";
import { QuestionDialog } from "./frame/question-dialog.tsx";
import { chordOf } from "./keys/chord.ts";
import { bindingFor } from "./keys/keymap.ts";
import { closeDialogs, LoadingDialog } from "./loading-dialog.tsx";
import { ContextMenu } from "./menu/context-menu.tsx";
import { Palette } from "./palette/palette.tsx";
import { RestoreNotice } from "./restore/restore-notice.tsx";
import { Stage } from "./stage/stage.tsx";
import { TileSwitcher } from "./stage/tile-switcher.tsx";
import { TerminalThemeContext, useThemeOf } from "./terminal/terminal-theme.ts";
import { Toasts } from "./toasts/toasts.tsx";
import { takesEveryKey } from "./view/keyboard-focus.ts";
import { tileInfo } from "./view/tile-info.ts";
import { useMedia } from "./view/use-media.ts";
import { useSnapshot, useView, type View } from "./view/view.ts";
import { useKeyboardFocus } from "./view/watch-keyboard.ts";
import { words } from "./words/index.ts";

// Search and the forms of settings are loaded on demand: the first load of the page stays small.
const SettingsDialog = lazyPart(
  () => import("./settings/settings-dialog.tsx"),
  ({ SettingsDialog }) => SettingsDialog,
);
const ShortcutsDialog = lazyPart(
  () => import("./settings/shortcuts-dialog.tsx"),
  ({ ShortcutsDialog }) => ShortcutsDialog,
);
// Only the app has a welcome.
const Welcome = lazyPart(
  () => import("./welcome/welcome.tsx"),
  ({ Welcome }) => Welcome,
);
const Overview = lazyPart(
  () => import("./overview/overview.tsx"),
  ({ Overview }) => Overview,
);
const Search = lazyPart(
  () => import("./search/search.tsx"),
  ({ Search }) => Search,
);

/** The session page: header, tiles, footer, toasts and dialogs. */
export function SessionView({ root }: { root: HTMLElement }) {
  const language = useLanguage();
  const view = useView();
  const { connected, mirror, away } = useSnapshot();
  const isMain = view.host.windows?.own === undefined;
  const chatOpen = useStore(view.ui.chatOpen);
  const searchOpen = useStore(view.ui.searchOpen);
  const overviewOpen = useStore(view.ui.overviewOpen);
  const settingsOpen = useStore(view.ui.settingsOpen);
  const shortcutsOpen = useStore(view.ui.shortcutsOpen);
  const narrow = useMedia("(max-width: 599px)");
  const theme = useThemeOf(root, view.ui);
  useShortcuts(view);
  usePageTitle();
  useKeyboardFocus(root);
  return (
    <TerminalThemeContext value={theme}>
      <div className="session">
        <Header />
        {!connected && mirror !== undefined && (
          <p className="cut-notice" role="alert">
            {away === undefined ? words.view.offline : words.view.offlineBecause(away)}
          </p>
        )}
        {isMain && <RestoreNotice />}
        {narrow && <TileSwitcher />}
        <div className="session-middle">
          <Stage narrow={narrow} />
          {isMain && view.host.app !== undefined && (
            <LoadGuard fallback={null}>
              <Suspense fallback={null}>
                <Welcome />
              </Suspense>
            </LoadGuard>
          )}
          {chatOpen && <ChatPanel />}
          <Drawer />
        </div>
        <KeyRow />
        <Footer />
      </div>
      <Toasts />
      <Palette key={language} />
      <LoadGuard
        key={`dialog ${overviewOpen || searchOpen || settingsOpen || shortcutsOpen}`}
        fallback={null}
        onFailure={() => {
          closeDialogs(view.ui);
          view.ui.toasts.show("error", shared.notLoaded);
        }}
      >
        <Suspense fallback={<LoadingDialog />}>
          {overviewOpen && <Overview />}
          {searchOpen && <Search key={language} />}
          {settingsOpen && <SettingsDialog />}
          {shortcutsOpen && <ShortcutsDialog />}
        </Suspense>
      </LoadGuard>
      <ContextMenu />
      <QuestionDialog />
    </TerminalThemeContext>
  );
}

/**
 * Names the session in the title of the page, after the number of requests that wait for the user; in a window of its own
 * the focused tile too.
 */
function usePageTitle(): void {
  const snapshot = useSnapshot();
  const { state, mirror, self } = snapshot;
  const waiting = mirror === undefined ? 0 : waitingFor(mirror, self).length;
  const { machine, windows } = useView().host;
  const tile = windows?.own === undefined ? undefined : state.tiles[focusOf(state) ?? 0];
  const inWindow = tile === undefined ? undefined : tileInfo(tile, snapshot).title;
  const session = mirror?.session.name;
  const name = session === undefined || machine === undefined ? session : words.view.onMachine(session, machine);
  useEffect(() => {
    const session = name === undefined ? "Patchbay" : words.view.title(name);
    const title = inWindow === undefined ? session : words.view.titleOfTile(inWindow, session);
    document.title = waiting === 0 ? title : `(${waiting}) ${title}`;
  }, [name, inWindow, waiting]);
}

/** Handles shortcuts regardless of the focus, except while a question is open. */
function useShortcuts(view: View): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      // A shell's history has Ctrl+P; it opens the palette's places where no shell has the keys.
      if (chordOf(event) === "Ctrl+P" && !takesEveryKey(event.target) && mayRun(view, "switcher")) {
        event.preventDefault();
        view.ui.palette.set({ kind: "places" });
        return;
      }
      const binding = bindingFor(view.shortcuts, event);
      if (binding === undefined) return;
      const action = binding.action.kind === "view" ? binding.action.viewAction : undefined;
      if (!mayRun(view, action)) return;
      const editing = action === "copy" || action === "paste" || action === "select-all";
      // The browser handles these outside terminals, and every paste: its own paste event needs no permission.
      if (editing && !isInTerminal(event)) return;
      if (action === "paste") return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat || binding.action.kind === "command") runBinding(view, binding);
    };
    window.addEventListener("keydown", pressed, true);
    return () => window.removeEventListener("keydown", pressed, true);
  }, [view]);
}

function isInTerminal({ target }: Event): boolean {
  return target instanceof Element && target.closest(".xterm") !== null;
}
