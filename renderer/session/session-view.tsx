import "./session-view.css";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useStore } from "../ui/store.ts";
import { ChatPanel } from "./chat/chat-panel.tsx";
import { Footer } from "./frame/footer.tsx";
import { Header } from "./frame/header.tsx";
import { KeyRow } from "./frame/key-row.tsx";
import { QuestionDialog } from "./frame/question-dialog.tsx";
import { TileSwitcher } from "./frame/tile-switcher.tsx";
import { bindingFor } from "./keys/binding-for.ts";
import { Palette } from "./palette/palette.tsx";
import { Stage } from "./stage/stage.tsx";
import { onThemeChange, terminalTheme } from "./terminal/terminal-theme.ts";
import { TerminalThemeContext } from "./terminal/use-terminal-theme.ts";
import { Toasts } from "./toasts/toasts.tsx";
import { useSnapshot, useView, type View } from "./view.ts";

/** The whole session: header, tiles, footer, and what floats above them. */
export function SessionView({ root }: { root: HTMLElement }) {
  const view = useView();
  const { connected, mirror } = useSnapshot();
  const chatOpen = useStore(view.chatOpen);
  const narrow = useMedia("(max-width: 599px)");
  const theme = useTheme(root);
  useShortcuts(view);
  return (
    <TerminalThemeContext value={theme}>
      <div className="session">
        <Header />
        {narrow && <TileSwitcher />}
        {!connected && mirror !== undefined && (
          <p className="cut-notice" role="alert">
            The connection is lost. What you see stays; typing works again as soon as it is back.
          </p>
        )}
        <div className="session-middle">
          <Stage narrow={narrow} />
          {chatOpen && <ChatPanel />}
        </div>
        {narrow && <KeyRow />}
        <Footer />
      </div>
      <Toasts />
      <Palette />
      <QuestionDialog />
    </TerminalThemeContext>
  );
}

/** Shortcuts work wherever the focus is, but not while the user is asked something. */
function useShortcuts(view: View): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const binding = bindingFor(view, event);
      if (binding === undefined || view.question.get() !== undefined) return;
      const action = binding.does.kind === "view" ? binding.does.action : undefined;
      const inTerminal = event.target instanceof Element && event.target.closest(".xterm") !== null;
      const editing = action === "copy" || action === "paste" || action === "select-all";
      // Outside a terminal these are the browser's; in one, its own paste event needs no permission.
      if (editing && !inTerminal) return;
      if (action === "paste") return;
      if (view.palette.get() !== undefined && action !== "palette") return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat || binding.does.kind === "command") view.perform(binding);
    };
    window.addEventListener("keydown", pressed, true);
    return () => window.removeEventListener("keydown", pressed, true);
  }, [view]);
}

function useTheme(root: HTMLElement) {
  const [theme, setTheme] = useState(() => terminalTheme(root));
  useEffect(() => onThemeChange(document, () => setTheme(terminalTheme(root))), [root]);
  return theme;
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}
