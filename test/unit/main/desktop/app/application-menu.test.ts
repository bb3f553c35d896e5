import { expect, test } from "vitest";
import { applicationMenu } from "../../../../../main/desktop/app/application-menu.ts";

test("macOS has the menus of the app, of editing and of windows: none that reloads the page or opens developer tools", () => {
  expect(applicationMenu("darwin")).toEqual([{ role: "appMenu" }, { role: "editMenu" }, { role: "windowMenu" }]);
});

test("elsewhere there is no menu, whose shortcuts would be taken from the terminals", () => {
  expect([applicationMenu("linux"), applicationMenu("win32")]).toEqual([null, null]);
});
