import { type MethodName, methodNames, specs } from "../../../core/commands/specs.ts";
import { type LanguageChoice, languages } from "../../../core/phrases.ts";
import type { Role } from "../../../core/protocol/records.ts";
import { localizedForm } from "../../ui/declared-words.ts";
import type { IconName } from "../../ui/icon.tsx";
import { askToType } from "../actions/ask-to-type.ts";
import { goToWaiting } from "../actions/go-to-waiting.ts";
import { openDocs } from "../actions/open-docs.ts";
import { runBinding } from "../actions/run-binding.ts";
import { callDrawer, showInvites } from "../actions/toggle-drawer.ts";
import { type Binding, type BindingAction, isAllowed, isMethodAllowed, type ViewAction } from "../keys/keymap.ts";
import type { AppFrame, DrawerCall, OwnWindows } from "../view/session-host.ts";
import { words } from "../words/index.ts";
import type { Entry, EntryAction } from "./entry.ts";
import type { MethodForm } from "./param-form.ts";

/** The groups of the palette, in order. */
const groups = ["shells", "tiles", "workspaces", "session", "terminal", "appearance", "plugins"] as const;
type Group = (typeof groups)[number];

const groupIcons: Readonly<Record<Group, IconName>> = {
  shells: "terminal",
  tiles: "layout",
  workspaces: "workspace",
  session: "people",
  terminal: "commands",
  appearance: "appearance",
  plugins: "plugin",
};

const viewGroups: Readonly<Record<ViewAction, Group | undefined>> = {
  // The palette does not offer itself.
  palette: undefined,
  switcher: "session",
  "rename-tile": "tiles",
  "rename-workspace": "workspaces",
  copy: "terminal",
  paste: "terminal",
  "select-all": "terminal",
  "search-all": "session",
  search: "terminal",
  "previous-command": "terminal",
  "next-command": "terminal",
  "copy-output": "terminal",
  "font-larger": "appearance",
  "font-smaller": "appearance",
  "font-reset": "appearance",
  "close-tile": "tiles",
  "close-workspace": "workspaces",
  "end-shell": "shells",
  grow: "tiles",
  shrink: "tiles",
  even: "tiles",
  chat: "session",
  drawer: "session",
  shells: "session",
  overview: "workspaces",
  "next-region": "session",
  "screen-reader": "terminal",
  "close-ended": "terminal",
  "type-into-all": "shells",
  settings: "appearance",
  shortcuts: "appearance",
  "reopen-tile": "tiles",
  "move-to-window": "tiles",
  // A menu is of what has the focus, which the palette takes.
  menu: undefined,
};

/** Returns what is said of actions besides, by their titles. */
function byTitle(said: Readonly<Record<string, string>>): ReadonlyMap<unknown, string> {
  const titles: Readonly<Record<string, unknown>> = words.keys;
  return new Map(Object.entries(said).map(([name, text]) => [titles[name], text]));
}

/** The actions that close or end something. */
const endings: ReadonlySet<ViewAction | MethodName> = new Set([
  "close-tile",
  "close-workspace",
  "end-shell",
  "close-ended",
  "removePlugin",
]);

const areaGroups: Readonly<Record<string, Group>> = {
  layout: "tiles",
  tabs: "tiles",
  workspaces: "workspaces",
  shells: "shells",
  session: "session",
  chat: "session",
  plugins: "plugins",
};

/** The states of what an action turns on and off. */
interface ActionStates {
  readonly isMaximized: boolean;
  readonly isChatOpen: boolean;
  readonly readsOut: boolean;
  readonly closesEnded: boolean;
  readonly typesIntoAll: boolean;
}

/** Returns what an action with two states does now, in place of its title; undefined for any other. */
function appliedTitle(action: BindingAction, states: ActionStates): string | undefined {
  const said = words.palette.applies;
  if (action.kind !== "view") {
    if (action.method !== "maximize") return undefined;
    return states.isMaximized ? said.restore : said.maximize;
  }
  switch (action.viewAction) {
    case "chat":
      return states.isChatOpen ? said.hideChat : said.showChat;
    case "screen-reader":
      return states.readsOut ? said.stopReading : said.readOut;
    case "close-ended":
      return states.closesEnded ? said.keepEnded : said.closeEnded;
    case "type-into-all":
      return states.typesIntoAll ? said.stopTyping : said.typeIntoAll;
    default:
      return undefined;
  }
}

interface Options {
  readonly states: ActionStates;
  readonly bindings: readonly Binding[];
  readonly role: Role;
  /** Undefined where there is one window only. */
  readonly windows: OwnWindows | undefined;
  readonly app: AppFrame | undefined;
  /** The other machine that serves the session, in the app. */
  readonly machine: string | undefined;
  /** The user has a drawer with the ways to invite others. */
  readonly canInvite: boolean;
  readonly setTheme: ((theme: "system" | "dark" | "light") => void) | undefined;
  readonly setLanguage?: ((choice: LanguageChoice) => void) | undefined;
  readonly openForm: (form: MethodForm) => void;
}

/**
 * Returns the verbs of the palette as far as the role may execute them, by groups: actions with a shortcut, commands that
 * ask for parameters, and what the app around the session offers. Commands that only read are left to the command line.
 */
export function commandEntries({
  states,
  bindings,
  role,
  windows,
  app,
  machine,
  canInvite,
  setTheme,
  setLanguage,
  openForm,
}: Options): readonly Entry[] {
  const keywords = byTitle(words.palette.keywords);
  const details = byTitle(words.palette.details);
  const actions = bindings
    .filter(({ action }) => isAllowed(action, role) && isOffered(action, windows))
    .flatMap((binding) => bindingEntry(binding, { keywords, details, states }));
  const forms = methodNames
    .filter((method) => isMethodAllowed(method, role))
    .flatMap((method) => formEntries(method, bindings, openForm));
  const entries = [
    ...actions,
    ...forms,
    ...typingEntries(role),
    ...(canInvite ? [inviteEntry()] : []),
    ...(app === undefined && canInvite ? drawerEntries() : appEntries(app, machine)),
    waitingEntry(),
    ...themeEntries(setTheme),
    ...languageEntries(setLanguage),
    ...(role === "reader" ? [] : [docsEntry()]),
  ];
  const order = groups.map((group) => words.palette.groups[group]);
  return entries.toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

/** Returns the palette's forms of a method. */
export function formsOf(method: MethodName): readonly MethodForm[] {
  return (specs[method].palette ?? []).map((form, index) => ({ method, form: localizedForm(method, form, index) }));
}

/** Whether an action has something to act on in this window. */
function isOffered(action: BindingAction, windows: OwnWindows | undefined): boolean {
  if (action.kind === "view" && action.viewAction === "move-to-window") return windows !== undefined;
  return action.kind !== "command" || action.method !== "moveBack" || windows?.own !== undefined;
}

function bindingEntry(
  binding: Binding,
  {
    keywords,
    details,
    states,
  }: {
    readonly keywords: ReadonlyMap<unknown, string>;
    readonly details: ReadonlyMap<unknown, string>;
    readonly states: ActionStates;
  },
): readonly Entry[] {
  const { action, title: name, chord } = binding;
  // Workspaces are places; a form has an entry of its own.
  if (action.kind === "form" || (action.kind === "command" && action.method === "switchWorkspace")) return [];
  const group = action.kind === "view" ? viewGroups[action.viewAction] : groupOf(action.method);
  if (group === undefined) return [];
  return [
    {
      id: `action:${name}`,
      group: words.palette.groups[group],
      icon: groupIcons[group],
      title: appliedTitle(action, states) ?? name,
      detail: details.get(name) ?? "",
      keywords: keywords.get(name) ?? "",
      chord,
      ...(endings.has(action.kind === "view" ? action.viewAction : action.method) ? { ends: true } : {}),
      actions: [{ label: words.palette.run, run: (view) => runBinding(view, binding) }],
    },
  ];
}

function formEntries(
  method: MethodName,
  bindings: readonly Binding[],
  openForm: (form: MethodForm) => void,
): readonly Entry[] {
  const formKeywords: Readonly<Partial<Record<MethodName, string>>> = words.palette.formKeywords;
  const chord = bindings.find(({ action }) => action.kind === "form" && action.method === method)?.chord;
  return formsOf(method).map((form) => ({
    id: `form:${method}:${form.form.title}`,
    group: words.palette.groups[groupOf(method)],
    icon: groupIcons[groupOf(method)],
    title: form.form.title,
    detail: "",
    keywords: formKeywords[method] ?? "",
    chord,
    // What ends something is named and chosen, and not completed.
    ...(endings.has(method) ? { ends: true } : { form, takeValue: (value: string) => openForm({ ...form, value }) }),
    actions: [{ label: words.palette.continue, stays: true, run: () => openForm(form) }],
  }));
}

function waitingEntry(): Entry {
  return {
    id: "action:waiting",
    group: words.palette.groups.session,
    icon: groupIcons.session,
    title: words.palette.toWaiting.title,
    detail: "",
    keywords: words.palette.toWaiting.keywords,
    actions: [{ label: words.palette.goTo, run: goToWaiting }],
  };
}

/** Opens the relay's own description of its API. */
function docsEntry(): Entry {
  return {
    id: "action:docs",
    group: words.palette.groups.session,
    icon: groupIcons.session,
    title: words.palette.docs.title,
    detail: "",
    keywords: words.palette.docs.keywords,
    actions: [{ label: words.palette.open, run: openDocs }],
  };
}

function inviteEntry(): Entry {
  return {
    id: "action:invite",
    group: words.palette.groups.session,
    icon: groupIcons.session,
    title: words.palette.invite.title,
    detail: "",
    keywords: words.palette.invite.keywords,
    actions: [{ label: words.palette.open, run: showInvites }],
  };
}

/** What only those who can watch are offered. */
function typingEntries(role: Role): readonly Entry[] {
  if (role !== "reader") return [];
  return [
    {
      id: "action:ask to type",
      group: words.palette.groups.session,
      icon: groupIcons.session,
      title: words.palette.typing.title,
      detail: "",
      keywords: words.palette.typing.keywords,
      actions: [{ label: words.palette.typing.ask, run: askToType }],
    },
  ];
}

function verb(title: string, run: EntryAction["run"], keywords = ""): Entry {
  return {
    id: `app:${title}`,
    group: words.palette.groups.session,
    icon: groupIcons.session,
    title,
    detail: "",
    keywords,
    actions: [{ label: words.palette.run, run }],
  };
}

/** The places of the panel in the drawer of the owner in a browser, named as the app names its panel's. */
function drawerEntries(): readonly Entry[] {
  const said = words.palette.app;
  const lead = (title: string, kind: Exclude<DrawerCall["kind"], "invites">, keywords: string) =>
    verb(title, (view) => callDrawer(view, { kind }), keywords);
  return [
    lead(said.people, "people", said.peopleKeywords),
    lead(said.costs, "costs", said.costsKeywords),
    lead(said.activity, "activity", said.activityKeywords),
    lead(said.settings, "settings", said.settingsKeywords),
  ];
}

function appEntries(app: AppFrame | undefined, machine: string | undefined): readonly Entry[] {
  if (app === undefined) return [];
  const ofThisMachine =
    machine === undefined
      ? [
          verb(words.palette.app.people, () => app.showPanel("sessions"), words.palette.app.peopleKeywords),
          verb(words.palette.app.welcome, () => app.showWelcome(true), words.palette.app.welcomeKeywords),
        ]
      : [];
  return [
    ...ofThisMachine,
    verb(words.palette.app.questions, () => app.showPanel("now"), words.palette.app.questionsKeywords),
    verb(words.palette.app.costs, () => app.showPanel("agents"), words.palette.app.costsKeywords),
    verb(words.palette.app.activity, () => app.showPanel("activity"), words.palette.app.activityKeywords),
    verb(words.palette.app.settings, () => app.showSettings(), words.palette.app.settingsKeywords),
    verb(words.palette.app.sessions, () => app.showPanel("sessions"), words.palette.app.sessionsKeywords),
  ];
}

function themeEntries(setTheme: Options["setTheme"]): readonly Entry[] {
  if (setTheme === undefined) return [];
  return (["dark", "light", "system"] as const).map((theme) => ({
    id: `theme:${theme}`,
    group: words.palette.groups.appearance,
    icon: groupIcons.appearance,
    title: words.palette.themes[theme],
    detail: "",
    keywords: words.palette.themes.keywords[theme],
    actions: [{ label: words.palette.run, run: () => setTheme(theme) }],
  }));
}

function languageEntries(setLanguage: Options["setLanguage"]): readonly Entry[] {
  if (setLanguage === undefined) return [];
  const said = words.palette.languages;
  return (["system", ...languages] as const).map((language) => ({
    id: `language:${language}`,
    group: words.palette.groups.appearance,
    icon: groupIcons.appearance,
    title: said.title(said.names[language]),
    detail: "",
    keywords: said.keywords,
    actions: [{ label: words.palette.run, run: () => setLanguage(language) }],
  }));
}

function groupOf(method: MethodName): Group {
  return areaGroups[specs[method].area] ?? "session";
}
