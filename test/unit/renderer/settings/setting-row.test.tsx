// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { type Setting, settingsByPublicName } from "../../../../core/protocol/settings.ts";
import { SettingRow } from "../../../../renderer/settings/setting-row.tsx";
import { words } from "../../../../renderer/settings/words.ts";

afterEach(cleanup);

function Kept({ setting, told }: { readonly setting: Setting; readonly told: string[] }) {
  const [text, setText] = useState(setting.fallback);
  const set = (next: string) => {
    told.push(next);
    setText(next);
  };
  return <SettingRow value={{ setting, text, set }} />;
}

/** Shows a setting over a value that is kept here, as the panel and the session view keep one. */
function rowOf(name: string) {
  const setting = settingsByPublicName.get(name);
  if (setting === undefined) throw new Error(`There is no setting ${name}.`);
  const told: string[] = [];
  render(<Kept setting={setting} told={told} />);
  return { setting, told, user: userEvent.setup() };
}

test("a switch turns a setting on, and Reset sets it back", async () => {
  const { setting, told, user } = rowOf("ligatures");
  expect(screen.queryByRole("button", { name: /^Reset/ })).toBeNull();
  await user.click(screen.getByRole("switch", { name: setting.label }));
  await user.click(screen.getByRole("button", { name: words.settings.resetTo(setting.label, "off") }));
  expect(told).toEqual(["on", "off"]);
  expect(screen.getByRole("switch", { name: setting.label }).getAttribute("aria-checked")).toBe("false");
});

test("a choice shows the words for its values", async () => {
  const { setting, told, user } = rowOf("bell");
  await user.selectOptions(screen.getByRole("combobox", { name: setting.label }), "Play a sound");
  expect(told).toEqual(["sound"]);
  expect(screen.getByRole("button", { name: words.settings.resetTo(setting.label, "Highlight the tile's border") }));
});

test("a number of terminals applies as it is typed; what is none stays, with the reason, and changes nothing", async () => {
  const { told, user } = rowOf("font-size");
  const field = screen.getByRole("spinbutton", { name: /Font size/ });
  await user.clear(field);
  await user.type(field, "99");
  expect(told.at(-1)).toBe("9");
  expect(screen.getByRole("status").textContent).toBe(words.settings.numberBetween(8, 32));
  await user.tab();
  expect((field as HTMLInputElement).value).toBe("9");
});

test("a setting of the relay applies when its field is left or at Enter; an empty field is none", async () => {
  const { told, user } = rowOf("budget-day");
  const field = screen.getByRole("spinbutton", { name: /Budget of each day/ });
  await user.type(field, "20");
  expect(told).toEqual([]);
  await user.keyboard("{Enter}");
  await user.clear(field);
  await user.tab();
  expect(told).toEqual(["20", "none"]);
});

test("quiet hours are a switch, and two times while it is on", async () => {
  const { setting, told, user } = rowOf("quiet-hours");
  expect(screen.queryByLabelText(words.settings.from)).toBeNull();
  await user.click(screen.getByRole("switch", { name: setting.label }));
  expect(told).toEqual(["22:00-07:00"]);
  expect((screen.getByLabelText(words.settings.from) as HTMLInputElement).value).toBe("22:00");
  await user.click(screen.getByRole("switch", { name: setting.label }));
  expect(told.at(-1)).toBe("off");
});
