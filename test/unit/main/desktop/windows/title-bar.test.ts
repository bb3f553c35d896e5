import { EventEmitter } from "node:events";
import { afterAll, beforeEach, expect, test, vi } from "vitest";

const theme = vi.hoisted(() => ({
  shouldUseDarkColors: true,
  follow: undefined as (() => void) | undefined,
}));
vi.mock("electron", () => ({
  nativeTheme: {
    get shouldUseDarkColors() {
      return theme.shouldUseDarkColors;
    },
    on: (_event: string, follow: () => void) => {
      theme.follow = follow;
    },
    off: () => {
      theme.follow = undefined;
    },
  },
}));
// Another test's file may have loaded them with its own Electron: files share their modules.
vi.resetModules();
const { followTheme, mergedTitleBar } = await import("../../../../../main/desktop/windows/title-bar.ts");

afterAll(() => vi.resetModules());

beforeEach(() => {
  theme.shouldUseDarkColors = true;
  theme.follow = undefined;
});

class FakeWindow extends EventEmitter {
  readonly overlays: unknown[] = [];
  setTitleBarOverlay(overlay: unknown) {
    this.overlays.push(overlay);
  }
}

test("the header is the title bar on macOS and Windows; elsewhere the desktop's own bar stays", () => {
  expect(mergedTitleBar("darwin")).toMatchObject({ titleBarStyle: "hidden", titleBarOverlay: true });
  expect(mergedTitleBar("win32")).toMatchObject({ titleBarStyle: "hidden", titleBarOverlay: { color: "#0f1113" } });
  expect(mergedTitleBar("linux")).toEqual({});
});

test("the buttons of Windows follow the theme until their window closes", () => {
  const window = new FakeWindow();
  followTheme(window as unknown as Parameters<typeof followTheme>[0], "win32");
  theme.shouldUseDarkColors = false;
  theme.follow?.();
  expect(window.overlays).toEqual([{ height: 39, color: "#f4f3f0", symbolColor: "#1d2023" }]);
  window.emit("closed");
  expect(theme.follow).toBeUndefined();
});

test("a window without an overlay is never asked to draw one", () => {
  followTheme(new FakeWindow() as unknown as Parameters<typeof followTheme>[0], "linux");
  expect(theme.follow).toBeUndefined();
});
