import { clampRatio } from "../../../core/layout/layout.ts";
import { parentOf } from "../../../core/layout/tree.ts";
import { unreachable } from "../../../core/protocol/errors.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { clampSetting, defaultTerminalSettings } from "../../../core/protocol/settings.ts";
import { activeWorkspace, focusOf } from "../../../core/state/client-state.ts";
import type { Binding, ViewAction } from "../keys/keymap.ts";
import type { TerminalActions } from "../terminal/terminals.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";
import { closeTile, closeWorkspace, endShell } from "./close.ts";
import { moveToWindow } from "./own-window.ts";
import { reopenLast } from "./reopen.ts";
import { toggleDrawer } from "./toggle-drawer.ts";

/** Runs the action of a shortcut or of its palette entry. */
export function runBinding(view: View, { action }: Binding): void {
  switch (action.kind) {
    case "command":
      void view.run(action.method, action.preset);
      break;
    case "form":
      view.ui.palette.set({ kind: "forms", method: action.method });
      break;
    case "view":
      runViewAction(view, action.viewAction);
      break;
    default:
      unreachable(action);
  }
}

/** Runs an action of the view that is not a single command. */
export function runViewAction(view: View, action: ViewAction): void {
  const { state } = view.host.snapshot();
  const focus = focusOf(state);
  const terminal = focus === null ? undefined : view.terminals.byTile.get(focus);
  switch (action) {
    case "palette":
      togglePalette(view, "commands");
      break;
    case "switcher":
      togglePalette(view, "places");
      break;
    case "rename-tile":
      if (focus !== null) view.ui.renaming.set({ kind: "tile", key: focus });
      break;
    case "rename-workspace":
      view.ui.renaming.set({ kind: "workspace", workspace: activeWorkspace(state) });
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
    case "search-all":
      view.ui.searchOpen.set(!view.ui.searchOpen.get());
      break;
    case "search":
      terminal?.search();
      break;
    case "previous-command":
      jumpToCommand(view, terminal, -1);
      break;
    case "next-command":
      jumpToCommand(view, terminal, 1);
      break;
    case "copy-output":
      void copyOutput(view, terminal);
      break;
    case "font-larger":
      changeFontSize(view, 1);
      break;
    case "font-smaller":
      changeFontSize(view, -1);
      break;
    case "font-reset":
      view.ui.settings.set("fontSize", defaultTerminalSettings.fontSize);
      break;
    case "close-tile":
      if (focus !== null) void closeTile(view, focus);
      break;
    case "reopen-tile":
      void reopenLast(view);
      break;
    case "move-to-window":
      if (focus !== null) void moveToWindow(view, focus);
      break;
    case "menu":
      openMenuAtFocus();
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
      view.ui.chatOpen.set(!view.ui.chatOpen.get());
      break;
    case "drawer":
      toggleDrawer(view);
      break;
    case "shells":
      view.ui.shellListOpen.set(!view.ui.shellListOpen.get());
      break;
    case "overview":
      view.ui.overviewOpen.set(!view.ui.overviewOpen.get());
      break;
    case "screen-reader":
      setScreenReader(view, !view.ui.settings.get().screenReader);
      break;
    case "close-ended":
      setCloseEnded(view, !view.ui.settings.get().closeEnded);
      break;
    case "type-into-all":
      view.ui.typesIntoAll.set(!view.ui.typesIntoAll.get());
      break;
    case "shortcuts":
      view.ui.shortcutsOpen.set(true);
      break;
    case "settings":
      if (view.host.app === undefined) view.ui.settingsOpen.set(!view.ui.settingsOpen.get());
      else view.host.app.showSettings();
      break;
    case "next-region":
      view.keyboard.nextRegion(1);
      break;
    default:
      unreachable(action);
  }
}

/** Opens the context menu of what has the keyboard's focus; in a terminal, where its cursor is. */
function openMenuAtFocus(): void {
  const { activeElement } = document;
  const { left = 0, bottom = 0 } = activeElement?.getBoundingClientRect() ?? {};
  const at = { clientX: left, clientY: bottom, bubbles: true, cancelable: true };
  activeElement?.dispatchEvent(new MouseEvent("contextmenu", at));
}

/** Opens the palette, switches it to the wanted list, or closes it where that is on show. */
function togglePalette({ ui }: View, kind: "commands" | "places"): void {
  ui.palette.set(ui.palette.get()?.kind === kind ? undefined : { kind });
}

function changeFontSize({ ui: { settings } }: View, step: number): void {
  settings.set("fontSize", clampSetting("fontSize", settings.get().fontSize + step));
}

function setScreenReader(view: View, on: boolean): void {
  view.ui.settings.set("screenReader", on);
  view.ui.toasts.show("info", on ? words.actions.screenReader.on : words.actions.screenReader.off, [], "screen reader");
}

function setCloseEnded(view: View, on: boolean): void {
  view.ui.settings.set("closeEnded", on);
  const message = on ? words.actions.closeEnded.on : words.actions.closeEnded.off;
  view.ui.toasts.show("info", message, [], "ended tiles");
}

async function copy(view: View, terminal: TerminalActions | undefined): Promise<void> {
  const text = terminal?.selection() ?? "";
  if (text !== "") await copyText(view, text);
}

/** Puts a text on the clipboard. Returns whether the browser let it. */
async function copyText(view: View, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    view.ui.toasts.show("error", words.actions.clipboard.noCopy);
    return false;
  }
}

function jumpToCommand(view: View, terminal: TerminalActions | undefined, step: 1 | -1): void {
  if (terminal === undefined) return;
  if (terminal.commands.commands.length === 0) view.ui.toasts.show("info", words.actions.commands.none, [], "commands");
  else terminal.commands.jump(step);
}

/** Copies the output of the command that was scrolled to, else of the last one. */
async function copyOutput(view: View, terminal: TerminalActions | undefined): Promise<void> {
  const command = terminal?.commands.current;
  if (terminal === undefined || command === undefined) {
    view.ui.toasts.show("info", words.actions.commands.none, [], "commands");
    return;
  }
  const text = terminal.commands.outputOf(command);
  if (text === "") view.ui.toasts.show("info", words.actions.commands.noOutput, [], "commands");
  else if (await copyText(view, text)) {
    const lines = text.split("\n").length;
    view.ui.toasts.show("info", words.actions.commands.copied(lines), [], "commands");
  }
}

async function paste(view: View, terminal: TerminalActions | undefined): Promise<void> {
  if (terminal === undefined) return;
  try {
    await terminal.paste(await navigator.clipboard.readText());
  } catch {
    view.ui.toasts.show("error", words.actions.clipboard.noRead);
  }
}

function changeRatio(view: View, tile: TileKey, change: (ratio: number) => number): void {
  const split = parentOf(activeWorkspace(view.host.snapshot().state).root, tile);
  if (split !== null) void view.run("setRatio", { tile, ratio: clampRatio(change(split.ratio)) });
}
