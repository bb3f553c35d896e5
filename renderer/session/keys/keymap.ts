import { type MethodName, specs } from "../../../core/commands/specs.ts";
import type { LayoutShape } from "../../../core/layout/grid.ts";
import type { Role } from "../../../core/protocol/records.ts";
import { summaryOf } from "../../ui/declared-words.ts";
import { words } from "../words/index.ts";
import { chordOf, type KeyPress } from "./chord.ts";

/** Actions of the view that are not a single command. */
export type ViewAction =
  | "palette"
  | "switcher"
  | "rename-tile"
  | "rename-workspace"
  | "copy"
  | "paste"
  | "select-all"
  | "search"
  | "search-all"
  | "font-larger"
  | "font-smaller"
  | "font-reset"
  | "close-tile"
  | "close-workspace"
  | "end-shell"
  | "grow"
  | "shrink"
  | "even"
  | "chat"
  | "drawer"
  | "shells"
  | "overview"
  | "next-region"
  | "screen-reader"
  | "close-ended"
  | "settings"
  | "shortcuts"
  | "reopen-tile"
  | "move-to-window"
  | "previous-command"
  | "next-command"
  | "copy-output"
  | "type-into-all"
  | "menu";

export type BindingAction =
  /** Executes a command immediately. */
  | { readonly kind: "command"; readonly method: MethodName; readonly preset: Readonly<Record<string, unknown>> }
  /** Opens the command's form in the palette. */
  | { readonly kind: "form"; readonly method: MethodName }
  /** `for`: the related command; the palette shows the shortcut on its entry too. */
  | { readonly kind: "view"; readonly viewAction: ViewAction; readonly for?: MethodName };

export interface Binding {
  readonly title: string;
  readonly action: BindingAction;
  /** In the notation of `chordOf`. Undefined: available in the palette only. */
  readonly chord: string | undefined;
}

/** The keyboard shortcuts of a view. */
export interface Shortcuts {
  readonly mac: boolean;
  readonly bindings: readonly Binding[];
}

interface ShortcutsPlace {
  /** The page is in a browser: Ctrl with +, - and 0 stays the browser's zoom, which enlarges everything. */
  readonly browser?: boolean;
  /** The page has the drawer. */
  readonly drawer?: boolean;
}

/** Returns the shortcuts of a view. */
export function createShortcuts(mac: boolean, { browser = false, drawer = true }: ShortcutsPlace = {}): Shortcuts {
  const isZoom = ({ action }: Binding) => action.kind === "view" && action.viewAction.startsWith("font-");
  const isDrawer = ({ action }: Binding) => action.kind === "view" && action.viewAction === "drawer";
  const bindings = keymap(mac)
    .filter((binding) => drawer || !isDrawer(binding))
    .map((binding) => (browser && isZoom(binding) ? { ...binding, chord: undefined } : binding));
  return { mac, bindings };
}

/** Returns the binding of a key press, if it has one. */
export function bindingFor({ bindings }: Shortcuts, press: KeyPress): Binding | undefined {
  const chord = chordOf(press);
  return chord === undefined ? undefined : bindings.find((binding) => binding.chord === chord);
}

/** Reports whether the role may run an action. */
export function isAllowed(action: BindingAction, role: Role): boolean {
  const method = action.kind === "view" ? action.for : action.method;
  return method === undefined || isMethodAllowed(method, role);
}

export function isMethodAllowed(method: MethodName, role: Role): boolean {
  const needed = specs[method].role;
  return role === "admin" || needed === "reader" || (role === "writer" && needed === "writer");
}

/** The shapes that have no shortcut of their own. */
const layoutShapes = ["columns", "rows", "main-left", "main-top"] as const satisfies readonly LayoutShape[];

/**
 * Returns all shortcuts of the view, for the keyboard and the palette. They do not conflict with terminal programs:
 * **Ctrl+Shift** (on a Mac Command) is for the clipboard, search, font and the palette, as in every terminal program, Ctrl with a comma for the settings and
 * Shift+F10 for menus;
 * **Alt+Shift** (Option+Shift) is for tiles, tabs and workspaces. No binding is a plain key, Ctrl+letter or Alt+letter.
 */
export function keymap(mac: boolean): readonly Binding[] {
  const own = mac ? "Meta" : "Ctrl+Shift";
  const zoom = mac ? "Meta" : "Ctrl";
  return [
    view(words.keys.commands, mac ? "Meta+Shift+P" : "Ctrl+Shift+P", "palette"),
    view(words.keys.copy, `${own}+C`, "copy"),
    view(words.keys.paste, `${own}+V`, "paste"),
    view(words.keys.selectAll, `${own}+A`, "select-all"),
    view(words.keys.searchAll, mac ? "Meta+Shift+F" : "Ctrl+Shift+F", "search-all"),
    view(words.keys.search, mac ? "Meta+F" : "Ctrl+Shift+G", "search"),
    view(words.keys.previousCommand, mac ? "Meta+ArrowUp" : "Ctrl+Shift+Z", "previous-command"),
    view(words.keys.nextCommand, mac ? "Meta+ArrowDown" : "Ctrl+Shift+X", "next-command"),
    view(words.keys.copyOutput, mac ? "Meta+Shift+O" : "Ctrl+Shift+O", "copy-output"),
    view(words.keys.larger, `${zoom}+=`, "font-larger"),
    view(words.keys.smaller, `${zoom}+-`, "font-smaller"),
    view(words.keys.normalSize, `${zoom}+0`, "font-reset"),

    command(words.keys.newShell, "N", "createShell"),
    command(words.keys.splitRight, "R", "splitShell", { direction: "horizontal" }),
    command(words.keys.splitBelow, "B", "splitShell", { direction: "vertical" }),
    view(words.keys.closeTile, "Alt+Shift+W", "close-tile", "closeTile"),
    view(words.keys.reopen, "Alt+Shift+Z", "reopen-tile", "openTile"),
    view(words.keys.endShell, "Alt+Shift+Q", "end-shell", "closeShell"),
    command(words.keys.maximize, "Enter", "maximize"),
    command(words.keys.focusLeft, "ArrowLeft", "focusDirection", { direction: "left" }),
    command(words.keys.focusRight, "ArrowRight", "focusDirection", { direction: "right" }),
    command(words.keys.focusAbove, "ArrowUp", "focusDirection", { direction: "up" }),
    command(words.keys.focusBelow, "ArrowDown", "focusDirection", { direction: "down" }),
    command(words.keys.focusLast, "P", "focusLast"),
    command(words.keys.focusNext, "D", "focusTurn", { to: "next" }),
    command(words.keys.focusPrevious, "A", "focusTurn", { to: "previous" }),
    view(words.keys.goTo, mac ? "Meta+P" : "Alt+Shift+F", "switcher", "focusTile"),
    view(words.keys.grow, "Alt+Shift+=", "grow", "setRatio"),
    view(words.keys.shrink, "Alt+Shift+-", "shrink", "setRatio"),
    view(words.keys.even, "Alt+Shift+0", "even", "setRatio"),
    command(words.keys.turn, "T", "toggleDirection"),
    command(words.keys.grid, "G", "resetLayout"),
    ...layoutShapes.map((shape) => ({
      title: words.keys.shapes[shape],
      chord: undefined,
      action: { kind: "command", method: "resetLayout", preset: { shape } } as const,
    })),
    form("S", "swapTiles"),
    form("M", "moveTile"),
    form("Y", "moveToWorkspace"),
    command(words.keys.newWorkspaceOfTile, "E", "breakTile"),
    view(words.keys.newWindowOfTile, undefined, "move-to-window", "breakTile"),
    { title: words.keys.moveBack, chord: undefined, action: { kind: "command", method: "moveBack", preset: {} } },
    view(words.keys.renameTile, "Alt+Shift+L", "rename-tile", "renameTile"),
    form("O", "openTile"),

    command(words.keys.nextTab, "PageDown", "nextTab"),
    command(words.keys.previousTab, "PageUp", "prevTab"),
    form("J", "selectTab"),

    command(words.keys.newWorkspace, "K", "createWorkspace"),
    view(words.keys.closeWorkspace, "Alt+Shift+X", "close-workspace", "closeWorkspace"),
    view(words.keys.renameWorkspace, "Alt+Shift+H", "rename-workspace", "renameWorkspace"),
    form("U", "setup"),
    ...Array.from({ length: 9 }, (_, index) =>
      command(words.keys.workspace(index + 1), String(index + 1), "switchWorkspace", { index }),
    ),

    view(words.keys.overview, "Alt+Shift+Home", "overview"),
    view(words.keys.menu, "Shift+F10", "menu"),
    view(words.keys.drawer, "Alt+Shift+Space", "drawer"),
    view(words.keys.chat, "Alt+Shift+C", "chat", "getChat"),
    view(words.keys.shells, "Alt+Shift+I", "shells", "getShells"),
    view(words.keys.leave, "Alt+Shift+F6", "next-region"),
    view(words.keys.readOut, "Alt+Shift+V", "screen-reader"),
    view(words.keys.closeEnded, undefined, "close-ended"),
    view(words.keys.typeIntoAll, undefined, "type-into-all", "broadcastInput"),
    view(words.keys.shortcuts, undefined, "shortcuts"),
    view(words.keys.settings, mac ? "Meta+," : "Ctrl+,", "settings"),
  ];
}

function view(title: string, chord: string | undefined, action: ViewAction, method?: MethodName): Binding {
  return {
    title,
    chord,
    action:
      method === undefined ? { kind: "view", viewAction: action } : { kind: "view", viewAction: action, for: method },
  };
}

function command(
  title: string,
  key: string,
  method: MethodName,
  preset: Readonly<Record<string, unknown>> = {},
): Binding {
  return { title, chord: `Alt+Shift+${key}`, action: { kind: "command", method, preset } };
}

function form(key: string, method: MethodName): Binding {
  return {
    title: summaryOf(method, specs[method].summary),
    chord: `Alt+Shift+${key}`,
    action: { kind: "form", method },
  };
}
