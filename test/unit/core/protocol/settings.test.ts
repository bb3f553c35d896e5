import { expect, test } from "vitest";
import {
  clampSetting,
  defaultTerminalSettings,
  parseHours,
  publicName,
  settingList,
  settingsByPublicName,
  settingText,
  terminalSettings,
  valuesOf,
} from "../../../../core/protocol/settings.ts";

test("every setting has a default that it accepts itself", () => {
  for (const { name, fallback, isValid } of settingList) expect([name, isValid(fallback)]).toEqual([name, true]);
  for (const { name, fallback } of terminalSettings) {
    expect([name, settingText(defaultTerminalSettings[name])]).toEqual([name, fallback]);
  }
});

test("every setting has a name of its own, and says what it may be", () => {
  expect(settingsByPublicName.size).toBe(settingList.length);
  for (const setting of settingList) expect([publicName(setting.name), valuesOf(setting)]).not.toContain("");
  expect(publicName("fontSize")).toBe("font-size");
});

test.each([
  ["off", null],
  ["22:00-07:30", { from: "22:00", to: "07:30" }],
  ["24:00-07:00", undefined],
  ["22:00", undefined],
  ["", undefined],
])("quiet hours of %j", (text, hours) => {
  expect(parseHours(text)).toEqual(hours);
});

test.each([
  ["port", ["default", "7717"], ["0", "65535", "80.5", "", "none"]],
  ["budget-day", ["none", "0.5", "20"], ["0", "-1", "1000001", "", "much"]],
  ["quiet-hours", ["off", "22:00-07:00"], ["22-7", "on"]],
  ["theme", ["system", "dark", "light"], ["Dark", ""]],
  ["start-at-login", ["on", "off"], ["1", "true", ""]],
])("%s takes %j and not %j", (name, good, bad) => {
  const setting = settingsByPublicName.get(name);
  expect([...good, ...bad].filter((text) => setting?.isValid(text))).toEqual(good);
});

test("a step beyond a bound ends at it", () => {
  expect([clampSetting("fontSize", 33), clampSetting("fontSize", 7), clampSetting("fontSize", 20)]).toEqual([
    32, 8, 20,
  ]);
});
