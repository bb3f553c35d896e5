import { beforeEach, expect, test, vi } from "vitest";
import { restart } from "../../../../../main/desktop/app/restart.ts";

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
const electron = vi.hoisted(() => ({ calls: [] as unknown[][] }));
vi.mock("electron", () => ({
  app: {
    relaunch: (...args: unknown[]) => electron.calls.push(["relaunch", ...args]),
    quit: () => electron.calls.push(["quit"]),
  },
}));

beforeEach(() => {
  electron.calls = [];
});

test("the app quits and starts again with its own words", () => {
  restart({});
  expect(electron.calls).toEqual([["relaunch"], ["quit"]]);
});

test("an AppImage starts again as the image, for what runs is gone with it", () => {
  restart({ APPIMAGE: "/home/ann/Patchbay.AppImage" });
  const again = { execPath: "/home/ann/Patchbay.AppImage", args: process.argv.slice(1) };
  expect(electron.calls).toEqual([["relaunch", again], ["quit"]]);
});
