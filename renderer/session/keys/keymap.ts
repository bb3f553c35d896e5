import { type MethodName, specs } from "../../../core/commands/specs.ts";
import type { Role } from "../../../core/protocol/records.ts";
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
  | "shells"
  | "next-region"
  | "screen-reader"
  | "close-ended"
  | "settings"
  | "reopen-tile"
  | "previous-command"
  | "next-command"
  | "copy-output"
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

/**
 * Returns the shortcuts of a view.
 * @param browser the page is in a browser: Ctrl with +, - and 0 stays the browser's zoom, which enlarges everything
 */
export function createShortcuts(mac: boolean, browser = false): Shortcuts {
  const isZoom = ({ action }: Binding) => action.kind === "view" && action.viewAction.startsWith("font-");
  const bindings = keymap(mac).map((binding) =>
    browser && isZoom(binding) ? { ...binding, chord: undefined } : binding,
  );
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
    view("Show all commands", mac ? "Meta+Shift+P" : "Ctrl+Shift+P", "palette"),
    view("Copy the selection", `${own}+C`, "copy"),
    view("Paste", `${own}+V`, "paste"),
    view("Select everything in the terminal", `${own}+A`, "select-all"),
    view("Search in the terminal", `${own}+F`, "search"),
    view("Scroll to the previous command", mac ? "Meta+ArrowUp" : "Ctrl+Shift+Z", "previous-command"),
    view("Scroll to the next command", mac ? "Meta+ArrowDown" : "Ctrl+Shift+X", "next-command"),
    view("Copy the output of the command", mac ? "Meta+Shift+O" : "Ctrl+Shift+O", "copy-output"),
    view("Larger font", `${zoom}+=`, "font-larger"),
    view("Smaller font", `${zoom}+-`, "font-smaller"),
    view("Font at its normal size", `${zoom}+0`, "font-reset"),

    command("New shell", "N", "createShell"),
    command("Split right", "R", "splitShell", { direction: "horizontal" }),
    command("Split below", "B", "splitShell", { direction: "vertical" }),
    view("Close the tile; its shell keeps running", "Alt+Shift+W", "close-tile", "closeTile"),
    view("Reopen the tile that was closed last", "Alt+Shift+Z", "reopen-tile", "openTile"),
    view("End the shell and all that runs in it", "Alt+Shift+Q", "end-shell", "closeShell"),
    command("Maximize the tile, or restore the layout", "Enter", "maximize"),
    command("Focus the tile on the left", "ArrowLeft", "focusDirection", { direction: "left" }),
    command("Focus the tile on the right", "ArrowRight", "focusDirection", { direction: "right" }),
    command("Focus the tile above", "ArrowUp", "focusDirection", { direction: "up" }),
    command("Focus the tile below", "ArrowDown", "focusDirection", { direction: "down" }),
    command("Focus the tile that had the focus before", "P", "focusLast"),
    command("Focus the next tile in reading order", "D", "focusTurn", { to: "next" }),
    command("Focus the previous tile in reading order", "A", "focusTurn", { to: "previous" }),
    view("Go to a shell, tile, workspace or person", mac ? "Meta+P" : "Alt+Shift+F", "switcher", "focusTile"),
    view("Give the first of two tiles more room", "Alt+Shift+=", "grow", "setRatio"),
    view("Give the first of two tiles less room", "Alt+Shift+-", "shrink", "setRatio"),
    view("Make two neighbours equally large", "Alt+Shift+0", "even", "setRatio"),
    command("Turn the split around the tile", "T", "toggleDirection"),
    command("Lay all tiles out in a grid", "G", "resetLayout"),
    form("S", "swapTiles"),
    form("M", "moveTile"),
    form("Y", "moveToWorkspace"),
    command("Move the tile to a new workspace", "E", "breakTile"),
    view("Rename the tile", "Alt+Shift+L", "rename-tile", "renameTile"),
    form("O", "openTile"),

    command("Next tab", "PageDown", "nextTab"),
    command("Previous tab", "PageUp", "prevTab"),
    form("J", "selectTab"),

    command("New workspace", "K", "createWorkspace"),
    view("Close the workspace", "Alt+Shift+X", "close-workspace", "closeWorkspace"),
    view("Rename the workspace", "Alt+Shift+H", "rename-workspace", "renameWorkspace"),
    form("U", "setup"),
    ...Array.from({ length: 9 }, (_, index) =>
      command(`Go to workspace ${index + 1}`, String(index + 1), "switchWorkspace", { index }),
    ),

    view("Show the menu of what has the focus", "Shift+F10", "menu"),
    view("Show or hide the chat", "Alt+Shift+C", "chat", "getChat"),
    view("Show the session's shells", "Alt+Shift+I", "shells", "getShells"),
    view("Leave the terminal: go to the next region of the window", "Alt+Shift+F6", "next-region"),
    view("Read terminals out with a screen reader, or stop", "Alt+Shift+V", "screen-reader"),
    view("Close the tiles of shells that exit with 0, or keep them", undefined, "close-ended"),
    view("Terminal settings: font, cursor, bell and more", mac ? "Meta+," : "Ctrl+,", "settings"),
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
  return { title: specs[method].summary, chord: `Alt+Shift+${key}`, action: { kind: "form", method } };
}
