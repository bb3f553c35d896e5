import { expect, test, vi } from "vitest";
import { prepareDesktop } from "../../../../../main/desktop/app/prepare-desktop.ts";

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
const electron = vi.hoisted(() => ({ heard: new Map<string, (...args: unknown[]) => void>() }));
vi.mock("electron", () => ({
  app: {
    isPackaged: false,
    setName() {},
    setPath() {},
    setAppUserModelId() {},
    requestSingleInstanceLock: () => true,
    on: (name: string, heard: (...args: unknown[]) => void) => void electron.heard.set(name, heard),
  },
  Menu: { setApplicationMenu() {}, buildFromTemplate: (template: unknown) => template },
  protocol: { registerSchemesAsPrivileged() {} },
}));

test("each session of Chromium, present and future, looks for no dictionary", () => {
  expect(prepareDesktop({ data: "/data", secondStarted: () => undefined })).toBe(true);
  const setSpellCheckerEnabled = vi.fn();
  electron.heard.get("session-created")?.({ setSpellCheckerEnabled });
  expect(setSpellCheckerEnabled.mock.calls).toEqual([[false]]);
});
