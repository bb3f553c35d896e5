import { describe, expect, test } from "vitest";
import { isInstalled, terminalFonts } from "../../../../renderer/ui/terminal-fonts.ts";
import {
  clampSetting,
  defaultSettings,
  persistedSettings,
  settingList,
  settingText,
} from "../../../../renderer/ui/terminal-settings.ts";
import { fakePages } from "./fake-pages.ts";

test("every setting has a default that it accepts itself", () => {
  for (const { name, fallback, isValid } of settingList) {
    expect([name, settingText(defaultSettings[name])]).toEqual([name, fallback]);
    expect([name, isValid(fallback)]).toEqual([name, true]);
  }
});

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

test("a step beyond a bound ends at it", () => {
  expect([clampSetting("fontSize", 33), clampSetting("fontSize", 7), clampSetting("fontSize", 20)]).toEqual([
    32, 8, 20,
  ]);
});

test.each([
  ["", '"JetBrains Mono Variable", ui-monospace, monospace'],
  ["Fira Code", '"Fira Code", "JetBrains Mono Variable", ui-monospace, monospace'],
  [" \"Hack\",, 'Fira Code' ", '"Hack", "Fira Code", "JetBrains Mono Variable", ui-monospace, monospace'],
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
