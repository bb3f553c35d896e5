import { describe, expect, test } from "vitest";
import { defaultTerminalSettings as defaultSettings } from "../../../../core/protocol/settings.ts";
import { createStore } from "../../../../renderer/ui/store.ts";
import { isInstalled, terminalFonts } from "../../../../renderer/ui/terminal-fonts.ts";
import { type AppTerminals, persistedSettings } from "../../../../renderer/ui/terminal-settings.ts";
import { fakePages } from "./fake-pages.ts";

test("what is set stays for later visits, and is shared with other pages at once", () => {
  const { page } = fakePages();
  const [one, other] = [persistedSettings(page()), persistedSettings(page())];
  one.set("ligatures", true);
  one.set("cursorStyle", "bar");
  expect(one.setText("lineHeight", "1.5")).toBe(true);
  expect(other.get()).toEqual({ ...defaultSettings, ligatures: true, cursorStyle: "bar", lineHeight: 1.5 });
  expect(persistedSettings(page()).get()).toEqual(other.get());
  other.reset();
  expect([one.get(), persistedSettings(page()).get()]).toEqual([defaultSettings, defaultSettings]);
});

test("what earlier versions kept is read", () => {
  const { kept, page } = fakePages();
  kept.set("patchbay.font-size", "17").set("patchbay.scrollback", "50000");
  kept.set("patchbay.screen-reader", "1").set("patchbay.close-ended", "0");
  const now = persistedSettings(page()).get();
  expect(now).toEqual({ ...defaultSettings, fontSize: 17, scrollback: "50000", screenReader: true });
});

describe("in the app", () => {
  /** The settings as the app keeps them, with what it is told. */
  function app(kept?: Record<string, string>) {
    const store = createStore<Readonly<Record<string, string>> | undefined>(kept);
    const told: [string, string][] = [];
    const source: AppTerminals = { ...store, set: (name, text) => void told.push([name, text]) };
    return { source, told, tell: store.set };
  }

  test("the settings are those that the app keeps, and their changes; what is set here is told", () => {
    const { page } = fakePages();
    const settings = persistedSettings(page());
    const { source, told, tell } = app({ fontSize: "15" });
    settings.follow(source);
    expect(settings.get()).toEqual({ ...defaultSettings, fontSize: 15 });
    tell({ fontSize: "15", ligatures: "on" });
    expect(settings.get()).toEqual({ ...defaultSettings, fontSize: 15, ligatures: true });
    expect(told).toEqual([]);
    settings.set("bell", "none");
    expect(told).toEqual([["bell", "none"]]);
    // A reset elsewhere.
    tell({ fontSize: "", ligatures: "on", bell: "none" });
    expect(settings.get()).toEqual({ ...defaultSettings, ligatures: true, bell: "none" });
  });

  test("what only the page has kept is told once, when the app's own are known", () => {
    const { kept, page } = fakePages();
    kept.set("patchbay.font-size", "17").set("patchbay.screen-reader", "1").set("patchbay.finished-after", "1");
    const settings = persistedSettings(page());
    const { source, told, tell } = app();
    settings.follow(source);
    expect(told).toEqual([]);
    tell({ fontSize: "12" });
    tell({ fontSize: "12", bell: "none" });
    expect(told).toEqual([
      ["finishedAfter", "1"],
      ["screenReader", "on"],
    ]);
    expect(settings.get()).toMatchObject({ fontSize: 12, screenReader: true, finishedAfter: 1, bell: "none" });
  });
});

describe.each([
  ["fontSize", ["", " ", "7", "33", "much", "NaN", "Infinity", "1e9"]],
  ["lineHeight", ["0", "0.99", "2.01"]],
  ["scrollback", ["", "99999999", "1000.5"]],
  ["cursorStyle", ["", "Block", "toString"]],
  ["ligatures", ["", "true", "2"]],
  ["font", ["a;b", "a{b", "a\\b", "a\nb", "url(x)", "x".repeat(201)]],
] as const)("%s", (name, texts) => {
  test.each(texts)("does not take %j, from the form or from the storage", (text) => {
    const { kept, page } = fakePages();
    const settings = persistedSettings(page());
    expect(settings.setText(name, text)).toBe(false);
    expect(settings.get()).toEqual(defaultSettings);
    kept.set(`patchbay.${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, text);
    expect(persistedSettings(page()).get()).toEqual(defaultSettings);
  });
});

test.each([
  ["", '"JetBrains Mono Variable", "Symbols", ui-monospace, monospace'],
  ["Fira Code", '"Fira Code", "JetBrains Mono Variable", "Symbols", ui-monospace, monospace'],
  [" \"Hack\",, 'Fira Code' ", '"Hack", "Fira Code", "JetBrains Mono Variable", "Symbols", ui-monospace, monospace'],
])("the font %j stands before the one that comes with Patchbay", (wanted, fonts) => {
  expect(terminalFonts(wanted)).toBe(fonts);
});

test("a font is installed if text in it is as wide whatever stands in for it", () => {
  const page = (has: string) => {
    const context = {
      font: "",
      measureText() {
        const [first = "", second = ""] = context.font.replace("72px ", "").split(", ");
        return { width: first === `"${has}"` ? 500 : second.length };
      },
    };
    return { createElement: () => ({ getContext: () => context }) } as unknown as Document;
  };
  expect(isInstalled(page("Hack"), "Hack, monospace")).toBe(true);
  expect(isInstalled(page("Hack"), "Fira Code")).toBe(false);
});
