import { parentOf } from "../../../core/layout/tree.ts";
import { unreachable } from "../../../core/protocol/errors.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { activeWorkspace, focusOf } from "../../../core/state/client-state.ts";
import { closeTile, closeWorkspace, endShell } from "../close.ts";
import { clampFontSize, fontSizes } from "../font-size.ts";
import { clampRatio } from "../stage/dividers.ts";
import type { TerminalActions, View } from "../view.ts";
import type { Binding, ViewAction } from "./keymap.ts";

/** Does what a shortcut, or its line in the palette, stands for. */
export function perform(view: View, { does }: Binding): void {
  switch (does.kind) {
    case "command":
      void view.run(does.method, does.preset);
      break;
    case "form":
      view.palette.set({ method: does.method });
      break;
    case "view":
      act(view, does.action);
      break;
    default:
      unreachable(does);
  }
}

function act(view: View, action: ViewAction): void {
  const { state } = view.host.snapshot();
  const focus = focusOf(state);
  const terminal = focus === null ? undefined : view.terminals.get(focus);
  switch (action) {
    case "palette":
      view.palette.set(view.palette.get() === undefined ? { method: undefined } : undefined);
      break;
    case "copy":
      void copy(view, terminal);
      break;
    case "paste":
      void paste(view, terminal);
      break;
    case "select-all":
      terminal?.selectAll();
      break;
    case "search":
      terminal?.search();
      break;
    case "font-larger":
      view.fontSize.set(clampFontSize(view.fontSize.get() + 1));
      break;
    case "font-smaller":
      view.fontSize.set(clampFontSize(view.fontSize.get() - 1));
      break;
    case "font-reset":
      view.fontSize.set(fontSizes.normal);
      break;
    case "close-tile":
      if (focus !== null) void closeTile(view, focus);
      break;
    case "end-shell":
      if (focus !== null) void endShell(view, focus);
      break;
    case "close-workspace":
      void closeWorkspace(view, state.active);
      break;
    case "grow":
      if (focus !== null) changeRatio(view, focus, (ratio) => ratio + 0.05);
      break;
    case "shrink":
      if (focus !== null) changeRatio(view, focus, (ratio) => ratio - 0.05);
      break;
    case "even":
      if (focus !== null) changeRatio(view, focus, () => 0.5);
      break;
    case "chat":
      view.chatOpen.set(!view.chatOpen.get());
      break;
    case "shells":
      view.shellsOpen.set(!view.shellsOpen.get());
      break;
    default:
      unreachable(action);
  }
}

async function copy(view: View, terminal: TerminalActions | undefined): Promise<void> {
  const text = terminal?.selection() ?? "";
  if (text === "") return;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    view.toasts.show("error", "The browser did not let the selection onto the clipboard. Use its menu's Copy.");
  }
}

async function paste(view: View, terminal: TerminalActions | undefined): Promise<void> {
  if (terminal === undefined) return;
  try {
    await terminal.paste(await navigator.clipboard.readText());
  } catch {
    view.toasts.show("error", "The browser did not let the page read the clipboard. Allow it in the address bar.");
  }
}

function changeRatio(view: View, tile: TileKey, change: (ratio: number) => number): void {
  const split = parentOf(activeWorkspace(view.host.snapshot().state).root, tile);
  if (split !== null) void view.run("setRatio", { tile, ratio: clampRatio(change(split.ratio)) });
}
