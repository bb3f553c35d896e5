import { expect, test } from "vitest";
import { settingList } from "../../../../../core/protocol/settings.ts";
import { findSettings } from "../../../../../renderer/tray/settings/find-settings.ts";
import { settingsSections } from "../../../../../renderer/tray/settings-sections.ts";
import { usualDesktop } from "../../../../support/render-panel.tsx";

const values = settingList.map((setting) => ({ setting, text: setting.fallback, set: () => undefined }));
const find = (text: string) => {
  const found = findSettings(text, settingsSections({ desktop: usualDesktop }), values);
  return [...found.sections, ...found.values.map(({ setting }) => setting.name)];
};

test.each([
  ["font size", ["terminal", "fontSize"]],
  ["night", ["quietHours"]],
  ["ackground", []],
  ["quit", ["about"]],
])("%j finds %j", (text, names) => {
  expect(find(text).slice(0, Math.max(names.length, 1))).toEqual(names);
});

test("a name stands before a value, and a value before an explanation", () => {
  const found = find("cursor");
  expect(found.slice(0, 3)).toEqual(["terminal", "cursorStyle", "cursorBlink"]);
  expect(find("highlight")).toEqual(["bell"]);
});
