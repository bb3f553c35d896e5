import { expect, test, vi } from "vitest";
import { applicationMenu } from "../../../../../main/desktop/app/application-menu.ts";

test("macOS has the menus of the app, of editing and of windows: none that reloads the page or opens developer tools", () => {
  const showSettings = vi.fn();
  const menu = applicationMenu("darwin", showSettings) ?? [];
  expect(menu.map(({ role }) => role)).toEqual(["appMenu", "editMenu", "windowMenu"]);
  expect(JSON.stringify(menu)).not.toMatch(/reload|devtools/i);
  const items = menu[0]?.submenu;
  const settings = Array.isArray(items) ? items.find(({ accelerator }) => accelerator === "Command+,") : undefined;
  settings?.click?.call(undefined, {} as Electron.MenuItem, undefined, {} as Electron.KeyboardEvent);
  expect(showSettings).toHaveBeenCalledOnce();
});

test("elsewhere there is no menu, whose shortcuts would be taken from the terminals", () => {
  expect([applicationMenu("linux", vi.fn()), applicationMenu("win32", vi.fn())]).toEqual([null, null]);
});
