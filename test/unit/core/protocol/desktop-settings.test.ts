import { expect, test } from "vitest";
import { DesktopSettings, desktopText, withDesktopText } from "../../../../core/protocol/desktop-settings.ts";
import { settingList } from "../../../../core/protocol/settings.ts";

const settings = DesktopSettings.parse({
  theme: "system",
  language: "system",
  startAtLogin: false,
  notify: { waiting: true, ended: false, budget: true, messages: true },
  quiet: null,
});
const kept = settingList.filter(({ place }) => place !== "relay");

/** A value that is not the default. */
function another({ control, fallback }: (typeof kept)[number]): string {
  switch (control.kind) {
    case "switch":
      return fallback === "on" ? "off" : "on";
    case "choice":
      return control.choices.find(({ value }) => value !== fallback)?.value ?? "";
    case "number":
      return String(control.max);
    case "optional":
      return String(control.max);
    case "hours":
      return "23:00-06:30";
    default:
      return "Nord";
  }
}

test("a desktop without settings has every default", () => {
  expect(kept.map((setting) => [setting.name, desktopText(settings, setting)])).toEqual(
    kept.map(({ name, fallback }) => [name, fallback]),
  );
});

test.each(kept)("$name is kept, and changes no other one", (setting) => {
  const text = another(setting);
  const changed = DesktopSettings.parse(withDesktopText(settings, setting, text));
  expect(desktopText(changed, setting)).toBe(text);
  expect(kept.filter((one) => desktopText(changed, one) !== one.fallback)).toEqual([setting]);
  expect(withDesktopText(changed, setting, setting.fallback)).toMatchObject({
    ...settings,
    terminals: expect.anything(),
  });
});
