import { describe, expect, onTestFinished, test, vi } from "vitest";
import { keymap } from "../../../../../renderer/session/keys/keymap.ts";
import { commandEntries } from "../../../../../renderer/session/palette/commands.ts";
import { type Entry, searchEntries } from "../../../../../renderer/session/palette/entry.ts";
import type { AppFrame } from "../../../../../renderer/session/view/session-host.ts";
import { words } from "../../../../../renderer/session/words/index.ts";

const { keys, palette } = words;
const app = {} as AppFrame;
const states = { isMaximized: false, isChatOpen: false, readsOut: false, closesEnded: false, typesIntoAll: false };
const options = {
  states,
  bindings: keymap(false),
  role: "admin",
  windows: undefined,
  machine: undefined,
  openForm: () => undefined,
} as const;
const inApp = commandEntries({ ...options, app, canInvite: true, setTheme: () => undefined });
const inBrowser = commandEntries({ ...options, app: undefined, canInvite: false, setTheme: undefined });
const place = (title: string, detail = ""): Entry => ({
  id: `place:${title}`,
  group: palette.shown,
  icon: "terminal",
  title,
  detail,
  actions: [{ label: palette.goTo, run: () => undefined }],
});
const places = [
  place("vim", "/srv/api"),
  place("Fix the retry policy", "claude · /srv/web"),
  place("htop", "/root"),
  place("release"),
  place("Restart the relay"),
  place("Ann Berg", "Chrome on Linux · can type"),
  place("データベース", "/srv/db"),
];
const first = (entries: readonly Entry[], typed: string) => searchEntries([...entries, ...places], typed)[0]?.title;

/** What people type, in the words of tmux, vim, iTerm, VS Code and browsers too, and what must be first. */
test.each([
  ["split", keys.splitRight],
  ["split right", keys.splitRight],
  ["split below", keys.splitBelow],
  ["split down", keys.splitBelow],
  ["vsplit", keys.splitRight],
  ["hsplit", keys.splitBelow],
  ["vertical split", keys.splitRight],
  ["horizontal split", keys.splitBelow],
  ["right split", keys.splitRight],
  ["splt", keys.splitRight],
  ["SPLIT", keys.splitRight],
  ["close", keys.closeTile],
  ["close pane", keys.closeTile],
  ["close tile", keys.closeTile],
  ["close tab", keys.closeWorkspace],
  ["close workspace", keys.closeWorkspace],
  ["detach", keys.closeTile],
  ["undo close", keys.reopen],
  ["reopen", keys.reopen],
  ["new tab", keys.newWorkspace],
  ["new shell", keys.newShell],
  ["new", keys.newShell],
  ["new terminal", keys.newShell],
  ["new workspace", keys.newWorkspace],
  ["kill", keys.endShell],
  ["kill pane", keys.endShell],
  ["exit", keys.endShell],
  ["quit", keys.endShell],
  ["end", keys.endShell],
  ["zoom", keys.larger],
  ["zoom in", keys.larger],
  ["zoom out", keys.smaller],
  ["zoom pane", palette.applies.maximize],
  ["full screen", palette.applies.maximize],
  ["max", palette.applies.maximize],
  ["find", keys.search],
  ["search", keys.searchAll],
  ["grep", keys.searchAll],
  ["help", keys.shortcuts],
  ["keybindings", keys.shortcuts],
  ["shortcuts", keys.shortcuts],
  ["docs", palette.docs.title],
  ["api", palette.docs.title],
  ["question", palette.toWaiting.title],
  ["inbox", keys.drawer],
  ["settings", keys.settings],
  ["preferences", keys.settings],
  ["theme", keys.settings],
  ["dark", keys.settings],
  ["font", keys.normalSize],
  ["font size", keys.settings],
  ["broadcast", palette.applies.typeIntoAll],
  ["synchronize panes", palette.applies.typeIntoAll],
  ["rename", keys.renameTile],
  ["rename tab", keys.renameTile],
  ["rename workspace", keys.renameWorkspace],
  ["grid", keys.grid],
  ["layout", keys.grid],
  ["equalize", keys.even],
  ["rotate", keys.turn],
  ["break pane", keys.newWorkspaceOfTile],
  ["next tab", keys.nextTab],
  ["last pane", keys.focusLast],
  ["focus left", keys.focusLeft],
  ["left", keys.focusLeft],
  ["chat", palette.applies.showChat],
  ["copy", keys.copy],
  ["paste", keys.paste],
  ["clear", undefined],
  ["cost", undefined],
  ["vim", "vim"],
  ["htop", "htop"],
  ["release", "release"],
  ["retry", "Fix the retry policy"],
  ["rtry", "Fix the retry policy"],
  ["re restart", "Restart the relay"],
  ["ann", "Ann Berg"],
  ["データ", "データベース"],
  ["srv/api", "vim"],
  ["qwxz", undefined],
])("%s finds %s first", (typed, title) => expect(first(inBrowser, typed)).toBe(title));

test.each([
  ["cost", palette.app.costs],
  ["budget", palette.app.costs],
  ["question", palette.app.questions],
  ["inbox", keys.drawer],
  ["dark", palette.themes.dark],
  ["light", palette.themes.light],
  ["dark mode", palette.themes.dark],
  ["settings", palette.app.settings],
  ["invite", palette.invite.title],
  ["share", palette.invite.title],
  ["tour", palette.app.welcome],
  ["audit", palette.app.activity],
  ["sessions", palette.app.sessions],
  ["people", palette.app.people],
])("in the app, %s finds %s first", (typed, title) => expect(first(inApp, typed)).toBe(title));

describe("what closes or ends", () => {
  const endings = inBrowser.filter(({ ends }) => ends === true);

  test("is known, by whatever it is run", () => {
    const closing = /^(close|end|remove|kill)\b/i;
    expect(endings.map(({ title }) => title)).toEqual(
      inBrowser.map(({ title }) => title).filter((one) => closing.test(one)),
    );
  });

  test("is not first, nor alone, for words that do not name it", () => {
    const unnamed = [
      "running",
      "keeps running",
      "its shell",
      "tile",
      "the",
      "workspace",
      "shell",
      "that runs",
      "0",
      "plugin",
    ];
    for (const typed of unnamed) expect(searchEntries(inBrowser, typed)[0]?.ends, typed).toBeUndefined();
  });

  test("is not found by letters that are only somewhere in its name", () => {
    const texts = endings.flatMap(({ title }) => everyPart(title)).filter((typed) => typed.length > 2);
    expect(texts.length).toBeGreaterThan(30);
    for (const typed of texts) expect(searchEntries(inBrowser, typed)[0]?.ends, typed).toBeUndefined();
  });

  /** Letters of each two words that follow each other, as `help` is in `shell keeps`. */
  function everyPart(title: string): string[] {
    const all = title.toLowerCase().match(/[a-z]+/g) ?? [];
    return all.slice(1).flatMap((word, index) => [`${all[index]?.slice(1)}${word.slice(1)}`, word.slice(1)]);
  }
});

test("letters that match are marked in the original title", () => {
  const marked = (title: string, typed: string) =>
    searchEntries([place(title)], typed).flatMap(({ hits = [] }) =>
      hits.map(([start, end]) => title.slice(start, end)),
    );
  expect(marked("Split right", "right split")).toEqual(["Split", "right"]);
  expect(marked("Ärger über Straßen", "uber stra")).toEqual(["über", "Stra"]);
  expect(marked("sleep", "slp")).toEqual(["sl", "p"]);
  expect(marked("𝔸 über", "ub")).toEqual(["üb"]);
});

test("at most two gaps in one word, and none across words", () => {
  const finds = (title: string, typed: string) => searchEntries([place(title)], typed).length > 0;
  expect(finds("retry", "rtry")).toBe(true);
  expect(finds("service", "srvce")).toBe(true);
  expect(finds("abcdefg", "aceg")).toBe(false);
  expect(finds("its shell keeps running", "help")).toBe(false);
  expect(finds("Scroll to the previous command", "vim")).toBe(false);
});

test("a synonym belongs to an action that exists", () => {
  expect(Object.keys(palette.keywords).filter((name) => !(name in keys))).toEqual([]);
});

test("each key looks at 200 shells once, and a text that is known is not taken apart again", () => {
  let reads = 0;
  const counted = (entry: Entry): Entry => ({
    ...entry,
    get title() {
      reads += 1;
      return entry.title;
    },
  });
  const shells = Array.from(
    { length: 200 },
    (_, index): Entry => ({
      ...{ id: `shell ${index}`, group: "shells", title: `build ${index}`, detail: `~/work/orders-${index}` },
      icon: "terminal",
      actions: [{ label: "go", run: () => undefined }],
    }),
  );
  const entries = shells.map(counted);
  const normalize = vi.spyOn(String.prototype, "normalize");
  onTestFinished(() => normalize.mockRestore());
  const perKey = ["b", "bu", "bui", "buil", "build", "build 1"].map((typed) => {
    reads = 0;
    normalize.mockClear();
    expect(searchEntries(entries, typed).length).toBeGreaterThan(0);
    return { reads, taken: normalize.mock.calls.length };
  });
  // A few looks at each: nothing is compared with everything else.
  expect(Math.max(...perKey.map((key) => key.reads))).toBeLessThanOrEqual(200 * 4);
  const [, ...later] = perKey;
  expect(Math.max(...later.map(({ taken }) => taken))).toBeLessThan(10);
});
