import { expect, test, vi } from "vitest";
import { prepareDesktop } from "../../../../../main/desktop/app/prepare-desktop.ts";

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
const spelling = vi.hoisted(() => ({ setSpellCheckerEnabled: vi.fn(), setSpellCheckerLanguages: vi.fn() }));
vi.mock("electron", () => ({
  app: {
    isPackaged: false,
    setName() {},
    setPath() {},
    setAppUserModelId() {},
    requestSingleInstanceLock: () => true,
    on() {},
    whenReady: async () => undefined,
  },
  Menu: { setApplicationMenu() {}, buildFromTemplate: (template: unknown) => template },
  session: { defaultSession: spelling },
  protocol: { registerSchemesAsPrivileged() {} },
}));

test("Chromium looks for no dictionary as soon as it is ready", async () => {
  expect(prepareDesktop({ data: "/data", secondStarted: () => undefined, showSettings: () => undefined })).toBe(true);
  expect(spelling.setSpellCheckerLanguages).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(spelling.setSpellCheckerLanguages.mock.calls).toEqual([[[]]]);
  expect(spelling.setSpellCheckerEnabled.mock.calls).toEqual([[false]]);
});
