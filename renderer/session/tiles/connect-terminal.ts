import type { ShellId, TileKey } from "../../../core/protocol/ids.ts";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import { Undo } from "../../../core/undo.ts";
import { bindingFor } from "../keys/keymap.ts";
import { ringBell } from "../terminal/bell.ts";
import { type OpenTerminal, openTerminal, type TerminalLook } from "../terminal/open-terminal.ts";
import { pasteNeedsConfirmation, pastePreview } from "../terminal/paste.ts";
import { revealLine } from "../terminal/reveal-line.ts";
import { screenRows } from "../terminal/screen-rows.ts";
import { encodeFor, isTyped } from "../terminal/typed-data.ts";
import { shellInfo } from "../view/tile-info.ts";
import type { ToastAction } from "../view/toast-store.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";
import { copyOnSelect } from "./copy-on-select.ts";
import { insertFiles, takeFileDrops } from "./drop-files.ts";
import { pathPorts } from "./shell-files.ts";

export interface Refusal {
  readonly message: string;
  readonly about?: string;
  readonly actions?: readonly ToastAction[];
}

interface TerminalConnection {
  readonly tile: TileKey;
  readonly shell: ShellId;
  readonly look: TerminalLook;
  /** The refusal that was told, for as long as input is refused. */
  readonly refused: { current: string | undefined };
  /** Returns why input is refused, what the message is about, and what the user can do. */
  refusal(): Refusal;
  onSearch(): void;
  onMissed(bytes: number): void;
  onNewOutputBelow(below: boolean): void;
  onTooSmall(small: boolean): void;
}

/** Opens a terminal for a shell and connects it to the host, the shortcuts and the clipboard. */
export function connectTerminal(
  view: View,
  element: HTMLElement,
  connection: TerminalConnection,
): { readonly open: OpenTerminal; stop(): void } {
  const { tile, shell, look, refused } = connection;
  const undo = new Undo();
  const refuse = () => {
    const { message, about, actions } = connection.refusal();
    // Shown once, not for every key.
    if (refused.current !== message) view.ui.toasts.show("info", message, actions, about);
    refused.current = message;
  };
  let endBell: (() => void) | undefined;
  undo.add(() => endBell?.());
  const open = openTerminal(element, {
    look,
    slots: view.terminals.webgl,
    shell,
    typing: view.terminals.typing,
    ports: {
      mac: view.shortcuts.mac,
      write(data) {
        view.terminals.typing.typed(shell);
        const typed = view.terminals.modified(data);
        view.host.write(shell, typed);
        if (view.ui.typesIntoAll.get() && isTyped(typed)) {
          for (const other of view.terminals.byTile.values()) other.take(shell, typed);
        }
      },
      refusedInput: refuse,
      openLink: (url) => openWebAddress(view, url),
      paths: pathPorts(view, shell),
      bell() {
        endBell?.();
        endBell = ringBell(view.ui.settings.get().bell, element);
      },
      clipboard: (text) => offerClipboard(view, shell, text),
      missed: connection.onMissed,
      newOutputBelow: connection.onNewOutputBelow,
      tooSmall: connection.onTooSmall,
      isShortcut: (event) => bindingFor(view.shortcuts, event) !== undefined,
    },
  });
  undo.add(() => open.dispose());
  undo.add(view.terminals.output.attach(shell, open.screen));

  const mayType = () => {
    if (open.terminal.options.disableStdin !== true) return true;
    refused.current = undefined;
    refuse();
    return false;
  };
  const take = (files: readonly File[], hasFolder: boolean) =>
    void insertFiles(view, files, { shell, hasFolder, mayType, insert: (text) => void paste(text) });
  const paste = async (text: string) => {
    const { terminal } = open;
    if (!mayType()) return;
    if (!pasteNeedsConfirmation(text, terminal.modes.bracketedPasteMode) || (await confirmPaste(view, text))) {
      terminal.paste(text);
      terminal.focus();
    }
  };
  const pasted = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const files = [...(event.clipboardData?.files ?? [])];
    if (text === "" && files.length > 0) take(files, false);
    else void paste(text);
  };
  element.addEventListener("paste", pasted, true);
  undo.add(() => element.removeEventListener("paste", pasted, true));
  undo.add(takeFileDrops(element, take));
  undo.add(copyOnSelect(view, open.terminal, element));

  view.terminals.byTile.set(tile, {
    take(from, data) {
      const takes = from !== shell && element.checkVisibility() && open.terminal.options.disableStdin !== true;
      if (takes) view.host.write(shell, encodeFor(data, open.terminal.modes));
    },
    focus: () => open.terminal.focus(),
    selection: () => open.terminal.getSelection(),
    selectAll: () => open.terminal.selectAll(),
    paste,
    search: connection.onSearch,
    reveal: (line, show) => revealLine(open.terminal, line, show),
    commands: open.commands,
    screen: () => screenRows(open.terminal),
    takesPointer: () => open.terminal.modes.mouseTrackingMode !== "none",
    key: (name) => open.terminal.input(keySequence(name, open.terminal.modes.applicationCursorKeysMode)),
  });
  undo.add(() => view.terminals.byTile.delete(tile));
  return { open, stop: () => undo.dispose() };
}

function openWebAddress(view: View, url: string): void {
  if (/^https?:\/\//i.test(url)) view.host.openInBrowser(url);
  else view.ui.toasts.show("info", words.terminal.onlyHttp(shownLine(url, 200)));
}

async function confirmPaste(view: View, text: string): Promise<boolean> {
  const { count, lines, more } = pastePreview(text);
  const answer = await view.ui.ask({
    title: words.terminal.pasteLines(count),
    body: words.terminal.pasteHint,
    quote: more === 0 ? lines : [...lines, words.terminal.more(more)],
    answers: [{ id: "paste", label: words.terminal.paste }],
  });
  return answer === "paste";
}

/** OSC 52: a program's text is copied only after the user's click, which browsers require too. */
function offerClipboard(view: View, shell: ShellId, text: string): void {
  const copy = () =>
    void navigator.clipboard.writeText(text).catch(() => {
      view.ui.toasts.show("error", words.terminal.noText);
    });
  if (view.terminals.clipboardAllowed.has(shell)) {
    copy();
    return;
  }
  const preview = shownLine(text, 60);
  view.ui.toasts.show(
    "info",
    words.terminal.offersClipboard(shellInfo(shell, view.host.snapshot()).name, preview),
    [
      { label: words.terminal.copy, run: copy },
      {
        label: words.terminal.always,
        run() {
          view.terminals.clipboardAllowed.add(shell);
          copy();
        },
      },
    ],
    `clipboard of ${shell}`,
  );
}

const cursorKeys: Readonly<Record<string, string>> = { up: "A", down: "B", right: "C", left: "D" };
const plainKeys: Readonly<Record<string, string>> = {
  escape: "\x1b",
  tab: "\t",
  enter: "\r",
  "ctrl-c": "\x03",
  "ctrl-d": "\x04",
  "page-up": "\x1b[5~",
  "page-down": "\x1b[6~",
};

/** Encodes a key of the touch key row; any other name is sent unchanged. */
function keySequence(name: string, applicationCursor: boolean): string {
  const arrow = cursorKeys[name];
  if (arrow !== undefined) return `\x1b${applicationCursor ? "O" : "["}${arrow}`;
  return plainKeys[name] ?? name;
}
