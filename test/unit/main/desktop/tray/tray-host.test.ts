import { expect, test } from "vitest";
import { trayProblem } from "../../../../../main/desktop/tray/tray-host.ts";

test("platforms with a tray of their own have no problem", async () => {
  expect(await trayProblem("darwin", {})).toBeUndefined();
  expect(await trayProblem("win32", {})).toBeUndefined();
});

test("Linux without a session bus has no tray", async () => {
  expect(await trayProblem("linux", {})).toMatch(/no tray.*session bus/i);
});
