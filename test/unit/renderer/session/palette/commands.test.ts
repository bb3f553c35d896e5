import { describe, expect, test } from "vitest";
import { methodNames, specs } from "../../../../../core/commands/specs.ts";
import type { Role } from "../../../../../core/protocol/records.ts";
import { keymap } from "../../../../../renderer/session/keys/keymap.ts";
import { commandEntries, formsOf } from "../../../../../renderer/session/palette/commands.ts";
import { searchEntries } from "../../../../../renderer/session/palette/entry.ts";
import { words } from "../../../../../renderer/session/words/index.ts";

const atRest = { isMaximized: false, isChatOpen: false, readsOut: false, closesEnded: false, typesIntoAll: false };

function entriesFor(role: Role, more: Partial<Parameters<typeof commandEntries>[0]> = {}) {
  return commandEntries({
    states: atRest,
    bindings: keymap(false),
    role,
    windows: undefined,
    app: undefined,
    machine: undefined,
    canInvite: false,
    setTheme: undefined,
    openForm: () => undefined,
    ...more,
  });
}

const entries = entriesFor("admin");
const titles = entries.map(({ title }) => title);

test("every command that changes the layout, tabs or workspaces can be run", () => {
  const reached = new Set(keymap(false).map(({ action }) => (action.kind === "view" ? action.for : action.method)));
  const changing = methodNames.filter(
    (method) => ["layout", "tabs", "workspaces"].includes(specs[method].area) && specs[method].role !== "reader",
  );
  expect(changing.filter((method) => !reached.has(method) && formsOf(method).length === 0)).toEqual([]);
});

test("commands that only read are left to the command line, and no entry is there twice", () => {
  expect(titles.filter((title) => /getLayout|List the|^Get /.test(title))).toEqual([]);
  for (const method of methodNames) {
    if (formsOf(method).length > 0) expect(specs[method].role).not.toBe("reader");
  }
  expect(new Set(titles).size).toBe(titles.length);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});

test("entries of one group stand together, shells first", () => {
  const groups = entries.map(({ group }) => group).filter((group, index, all) => group !== all[index - 1]);
  expect(groups).toEqual(["Shells", "Tiles", "Workspaces", "Session", "Terminal", "Appearance", "Plugins"]);
});

test("titles name no parameter and no method", () => {
  expect(titles.filter((title) => /`|[a-z][A-Z]/.test(title))).toEqual([]);
});

test("a form has the shortcut of its command", () => {
  expect(entries.find(({ title }) => title === "Move the tile…")?.chord).toBe("Alt+Shift+M");
});

test.each<[Role, string[], string[]]>([
  ["reader", ["Maximize the tile"], ["New shell", "Move the tile…", "Remove a plugin…"]],
  ["writer", ["New shell", "Move the tile…"], ["Remove a plugin…", "Restrict what programs in shells may do…"]],
  ["admin", ["New shell", "Remove a plugin…"], []],
])("offers a %s only what the role allows", (role, offered, missing) => {
  const offers = entriesFor(role).map(({ title }) => title);
  const allowed = role === "reader" ? offered.filter(() => specs.maximize.role === "reader") : offered;
  expect(offers).toEqual(expect.arrayContaining(allowed));
  expect(offers.filter((title) => missing.includes(title))).toEqual([]);
});

test("what the app offers is there in the app only", () => {
  const app = {
    facts: {
      get: () => ({
        ...{ sessions: [], waiting: 0, costToday: 0, costByHour: [], budget: null },
        ...{ welcome: null, terminals: null },
      }),
      subscribe: () => () => undefined,
    },
    openSession: () => undefined,
    createSession: async () => undefined,
    showPanel: () => undefined,
    showSettings: () => undefined,
    showWelcome: () => undefined,
    connectCommandLine: async () => undefined,
    choose: async () => undefined,
    setSetting: async () => undefined,
    tryNotification: async () => "native" as const,
    recordHistory: async () => undefined,
  };
  const offers = entriesFor("admin", { app, canInvite: true, setTheme: () => undefined });
  expect(searchEntries(offers, "budget")[0]?.title).toBe("Show what agents cost");
  expect(searchEntries(offers, "settings")[0]?.title).toBe("Open the settings");
  expect(searchEntries(offers, "invite").map(({ title }) => title)).toEqual(["Invite others to this session"]);
  expect(searchEntries(offers, "light")[0]?.title).toBe("Light theme");
  expect(searchEntries(offers, "welcome")[0]?.title).toBe("Show the welcome");
  expect(searchEntries(entries, "invite")).toEqual([]);
  const elsewhere = entriesFor("admin", { app, machine: "box" });
  expect(elsewhere.map(({ title }) => title)).not.toContain("Show the welcome");
});

test("the owner in a browser finds the places of the drawer, and others there do not", () => {
  const offers = entriesFor("admin", { canInvite: true });
  const found = (typed: string) => searchEntries(offers, typed).map(({ title }) => title);
  const { app } = words.palette;
  expect(found("cost")).toContain(app.costs);
  expect(found("activity")).toContain(app.activity);
  expect(found("people")).toContain(app.people);
  expect(found("settings")).toContain(app.settings);
  expect(titles.filter((title) => [app.costs, app.activity, app.people, app.settings].includes(title))).toEqual([]);
});

describe("the search", () => {
  test.each([
    ["splt", "Split right"],
    ["split right", "Split right"],
    ["right split", "Split right"],
    ["mtile", "Move the tile…"],
    ["new sh", "New shell"],
    ["SPLIT", "Split right"],
  ])("%s finds %s", (typed, title) => {
    expect(searchEntries(entries, typed).map((entry) => entry.title)).toContain(title);
  });

  test("finds nothing for what is nowhere, and everything for nothing", () => {
    expect(searchEntries(entries, "zzzz")).toEqual([]);
    expect(searchEntries(entries, "  ")).toEqual(entries);
  });
});

test("tiles move to a window where there can be others, and back from one", () => {
  const windows = { open: () => true, close: () => undefined, isOpen: () => true, show: () => undefined };
  const [there, back] = ["Move the tile to a new window", "Move the tiles of this window back to where they were"];
  const offered = (own: number | undefined) => entriesFor("writer", { windows: { ...windows, own } });
  const titlesOf = (list: typeof entries) => list.map(({ title }) => title);
  expect(titles).not.toContain(there);
  expect(titlesOf(offered(undefined))).toContain(there);
  expect(titlesOf(offered(undefined))).not.toContain(back);
  expect(titlesOf(offered(4))).toEqual(expect.arrayContaining([there, back]));
});

test.each([
  ["theme", "Terminal settings: font, cursor, bell and more"],
  ["help", "Keyboard shortcuts: show and change them"],
  ["zoom", "Larger font"],
])("%s is found under what it is called elsewhere: %s", (typed, title) => {
  expect(searchEntries(entries, typed).map((entry) => entry.title)).toContain(title);
});

test("the documentation of the API is for those who can call it", () => {
  const offered = (role: Role) => entriesFor(role).some(({ id }) => id === "action:docs");
  expect([offered("admin"), offered("writer"), offered("reader")]).toEqual([true, true, false]);
});

test("an action with two states is named by what it does now, and is remembered by one id", () => {
  const turnedOn = { isMaximized: true, isChatOpen: true, readsOut: true, closesEnded: true, typesIntoAll: true };
  const before = new Map(entries.map(({ id, title }) => [id, title]));
  const changed = entriesFor("admin", { states: turnedOn }).flatMap(({ id, title }) =>
    before.get(id) === title ? [] : [[before.get(id), title]],
  );
  expect(changed).toEqual([
    ["Type into every shell on show", "Stop typing into every shell"],
    ["Maximize the tile", "Restore the layout"],
    ["Show the chat", "Hide the chat"],
    ["Read terminals out with a screen reader", "Stop reading terminals out"],
    ["Close the tiles of shells that exit with 0", "Keep the tiles of shells that exit with 0"],
  ]);
});
