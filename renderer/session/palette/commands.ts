import type { PaletteForm } from "../../../core/commands/command.ts";
import { type MethodName, methodNames, specs } from "../../../core/commands/specs.ts";
import type { Role } from "../../../core/protocol/records.ts";
import { formatTime } from "../../ui/format-time.ts";
import { askToType } from "../actions/ask-to-type.ts";
import { runBinding } from "../actions/run-binding.ts";
import { type Binding, isAllowed, isMethodAllowed, type ViewAction } from "../keys/keymap.ts";
import type { AppFrame } from "../view/session-host.ts";
import type { View } from "../view/view.ts";
import type { Entry, EntryAction } from "./entry.ts";

/** The groups of the palette, in order. */
const groups = ["Shells", "Tiles", "Workspaces", "Session", "Terminal", "Appearance", "Plugins"] as const;
type Group = (typeof groups)[number];

const viewGroups: Readonly<Record<ViewAction, Group | undefined>> = {
  // The palette does not offer itself.
  palette: undefined,
  switcher: "Session",
  "rename-tile": "Tiles",
  "rename-workspace": "Workspaces",
  copy: "Terminal",
  paste: "Terminal",
  "select-all": "Terminal",
  search: "Terminal",
  "previous-command": "Terminal",
  "next-command": "Terminal",
  "copy-output": "Terminal",
  "font-larger": "Appearance",
  "font-smaller": "Appearance",
  "font-reset": "Appearance",
  "close-tile": "Tiles",
  "close-workspace": "Workspaces",
  "end-shell": "Shells",
  grow: "Tiles",
  shrink: "Tiles",
  even: "Tiles",
  chat: "Session",
  shells: "Session",
  "next-region": "Session",
  "screen-reader": "Terminal",
  "close-ended": "Terminal",
  settings: "Appearance",
  "reopen-tile": "Tiles",
  // A menu is of what has the focus, which the palette takes.
  menu: undefined,
};

const areaGroups: Readonly<Record<string, Group>> = {
  layout: "Tiles",
  tabs: "Tiles",
  workspaces: "Workspaces",
  shells: "Shells",
  session: "Session",
  chat: "Session",
  plugins: "Plugins",
};

/** A form of the palette, and the command that it is for. */
export interface MethodForm {
  readonly method: MethodName;
  readonly form: PaletteForm;
}

interface Options {
  readonly bindings: readonly Binding[];
  readonly role: Role;
  readonly app: AppFrame | undefined;
  readonly setTheme: ((theme: "system" | "dark" | "light") => void) | undefined;
  readonly openForm: (form: MethodForm) => void;
}

/**
 * Returns the verbs of the palette as far as the role may execute them, by groups: actions with a shortcut, commands that
 * ask for parameters, and what the app around the session offers. Commands that only read are left to the command line.
 */
export function commandEntries({ bindings, role, app, setTheme, openForm }: Options): readonly Entry[] {
  const actions = bindings.filter(({ action }) => isAllowed(action, role)).flatMap(bindingEntry);
  const forms = methodNames
    .filter((method) => isMethodAllowed(method, role))
    .flatMap((method) => formEntries(method, bindings, openForm));
  const entries = [...actions, ...forms, ...typingEntries(role), ...appEntries(app), ...themeEntries(setTheme)];
  const order = (group: string) => groups.indexOf(group as Group);
  return entries.toSorted((a, b) => order(a.group) - order(b.group));
}

/** Returns the palette's forms of a method. */
export function formsOf(method: MethodName): readonly MethodForm[] {
  return (specs[method].palette ?? []).map((form) => ({ method, form }));
}

function bindingEntry(binding: Binding): readonly Entry[] {
  const { action, title, chord } = binding;
  // Workspaces are places; a form has an entry of its own.
  if (action.kind === "form" || (action.kind === "command" && action.method === "switchWorkspace")) return [];
  const group = action.kind === "view" ? viewGroups[action.viewAction] : groupOf(action.method);
  if (group === undefined) return [];
  return [
    {
      id: `action:${title}`,
      group,
      title,
      detail: "",
      chord,
      actions: [{ label: "Run", run: (view) => runBinding(view, binding) }],
    },
  ];
}

function formEntries(
  method: MethodName,
  bindings: readonly Binding[],
  openForm: (form: MethodForm) => void,
): readonly Entry[] {
  const chord = bindings.find(({ action }) => action.kind === "form" && action.method === method)?.chord;
  return formsOf(method).map((form) => ({
    id: `form:${method}:${form.form.title}`,
    group: groupOf(method),
    title: form.form.title,
    detail: "",
    chord,
    actions: [{ label: "Continue", stays: true, run: () => openForm(form) }],
  }));
}

/** What only those who can watch are offered. */
function typingEntries(role: Role): readonly Entry[] {
  if (role !== "reader") return [];
  return [
    {
      id: "action:ask to type",
      group: "Session",
      title: "Ask to type",
      detail: "",
      keywords: "request role permission write",
      actions: [{ label: "Ask", run: askToType }],
    },
  ];
}

function appEntries(app: AppFrame | undefined): readonly Entry[] {
  if (app === undefined) return [];
  const verb = (title: string, run: EntryAction["run"], keywords = ""): Entry => ({
    id: `app:${title}`,
    group: "Session",
    title,
    detail: "",
    keywords,
    actions: [{ label: "Run", run }],
  });
  return [
    verb("Copy an invite link for a guest who can type", (view) => copied(view, app.invite("writer"))),
    verb("Copy an invite link for a guest who can watch", (view) => copied(view, app.invite("reader"))),
    verb("Show what agents cost", () => app.showPanel("costs"), "budget usage money"),
    verb("Show people and roles", () => app.showPanel("people")),
    verb("Show the activity log", () => app.showPanel("activity"), "audit notifications"),
    verb("Open the settings", () => app.showPanel("settings"), "preferences"),
    verb("Show the welcome", () => app.showWelcome(true), "first run tour command line notifications"),
    verb("Manage sessions", () => app.showPanel("sessions"), "new close rename"),
  ];
}

async function copied(view: View, invite: ReturnType<AppFrame["invite"]>): Promise<void> {
  const { expiresAt } = await invite;
  view.ui.toasts.show(
    "success",
    `The link is on the clipboard. It lets one browser in until ${formatTime(expiresAt)}.`,
  );
}

function themeEntries(setTheme: Options["setTheme"]): readonly Entry[] {
  if (setTheme === undefined) return [];
  const themes = { dark: "Dark theme", light: "Light theme", system: "Theme of the system" } as const;
  return (["dark", "light", "system"] as const).map((theme) => ({
    id: `theme:${theme}`,
    group: "Appearance",
    title: themes[theme],
    detail: "",
    actions: [{ label: "Run", run: () => setTheme(theme) }],
  }));
}

function groupOf(method: MethodName): Group {
  return areaGroups[specs[method].area] ?? "Session";
}
