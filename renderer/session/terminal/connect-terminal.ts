import type { ShellId, TileKey } from "../../../core/protocol/ids.ts";
import { Undo } from "../../../core/undo.ts";
import { bindingFor } from "../keys/binding-for.ts";
import { keySequence } from "../keys/key-sequence.ts";
import type { View } from "../view.ts";
import { type OpenTerminal, openTerminal, type TerminalLook } from "./open-terminal.ts";
import { pasteNeedsConsent, pastePreview } from "./paste.ts";

export interface Connection {
  readonly tile: TileKey;
  readonly shell: ShellId;
  readonly look: TerminalLook;
  /** Why nothing may be typed here, for the moment in which somebody does. */
  refusal(): string;
  onSearch(): void;
  onMissed(bytes: number): void;
}

/** Opens a terminal for a shell and joins it to the host, the shortcuts and the clipboard. */
export function connectTerminal(
  view: View,
  element: HTMLElement,
  connection: Connection,
): { readonly open: OpenTerminal; stop(): void } {
  const { tile, shell, look } = connection;
  const undo = new Undo();
  let refused = false;
  let hush: (() => void) | undefined;
  undo.add(() => hush?.());
  const open = openTerminal(element, {
    look,
    slots: view.slots,
    ports: {
      write: (data) => view.host.write(shell, data),
      refusedInput() {
        // Said once; whoever types on sees it still standing there, or has dismissed it.
        if (!refused) view.toasts.show("info", connection.refusal());
        refused = true;
      },
      openLink: (url) => openWeb(view, url),
      bell() {
        hush?.();
        hush = ring(element);
      },
      clipboard: (text) => offerClipboard(view, shell, text),
      missed: connection.onMissed,
      takesKey: (event) => takesKey(view, event),
    },
  });
  undo.add(() => open.dispose());
  undo.add(view.feeds.attach(shell, open.screen));

  const paste = async (text: string) => {
    const { terminal } = open;
    if (terminal.options.disableStdin === true) view.toasts.show("info", connection.refusal());
    else if (!pasteNeedsConsent(text, terminal.modes.bracketedPasteMode) || (await consents(view, text))) {
      terminal.paste(text);
      terminal.focus();
    }
  };
  const pasted = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void paste(event.clipboardData?.getData("text/plain") ?? "");
  };
  element.addEventListener("paste", pasted, true);
  undo.add(() => element.removeEventListener("paste", pasted, true));

  view.terminals.set(tile, {
    focus: () => open.terminal.focus(),
    selection: () => open.terminal.getSelection(),
    selectAll: () => open.terminal.selectAll(),
    paste,
    search: connection.onSearch,
    key: (name) => open.terminal.input(keySequence(name, open.terminal.modes.applicationCursorKeysMode)),
  });
  undo.add(() => view.terminals.delete(tile));
  return { open, stop: () => undo.dispose() };
}

/** Keys of the view go up to its own listener; a paste is left to the browser, which asks for no permission then. */
function takesKey(view: View, event: KeyboardEvent): boolean {
  return bindingFor(view, event) !== undefined;
}

function openWeb(view: View, url: string): void {
  if (/^https?:\/\//i.test(url)) view.host.openOutside(url);
  else view.toasts.show("info", `Only web addresses are opened from a terminal, and this is ${url}`);
}

async function consents(view: View, text: string): Promise<boolean> {
  const { count, lines, more } = pastePreview(text);
  const answer = await view.ask({
    title: `Paste ${count} lines?`,
    body: "The program in this terminal may run each line as soon as it arrives.",
    quote: more === 0 ? lines : [...lines, `… and ${more} more`],
    answers: [{ id: "paste", label: "Paste" }],
  });
  return answer === "paste";
}

/** OSC 52: a program may put something on the clipboard only when the user says so, with a click that browsers need. */
function offerClipboard(view: View, shell: ShellId, text: string): void {
  const copy = () =>
    void navigator.clipboard.writeText(text).catch(() => {
      view.toasts.show(
        "error",
        "The browser did not let the text onto the clipboard. Click in the page and try again.",
      );
    });
  if (view.clipboardAllowed.has(shell)) {
    copy();
    return;
  }
  const preview = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  view.toasts.show("info", `A program in shell ${shell} offers this for the clipboard: ${preview}`, [
    { label: "Copy", run: copy },
    {
      label: "Always for this shell",
      run() {
        view.clipboardAllowed.add(shell);
        copy();
      },
    },
  ]);
}

/** A visual bell: the tile's border lights up for a moment. Answers how to end it early. */
function ring(element: HTMLElement): () => void {
  const tile = element.closest("[data-tile]");
  tile?.setAttribute("data-bell", "");
  const timer = setTimeout(() => tile?.removeAttribute("data-bell"), 400);
  return () => clearTimeout(timer);
}
