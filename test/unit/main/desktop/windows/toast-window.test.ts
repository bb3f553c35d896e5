import type { WebContents } from "electron";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ToastWindow } from "../../../../../main/desktop/windows/toast-window.ts";
import type { SessionToast } from "../../../../../preload/channels.ts";

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
const electron = vi.hoisted(() => ({ windows: [] as unknown[] }));
vi.mock("electron", () => {
  class BrowserWindow {
    readonly options: unknown;
    readonly sent: unknown[] = [];
    visible = false;
    readonly webContents = {
      on: () => undefined,
      isDestroyed: () => false,
      send: (_name: string, message: unknown) => this.sent.push(message),
    };
    constructor(options: unknown) {
      this.options = options;
      electron.windows.push(this);
    }
    on = () => undefined;
    once = () => undefined;
    setBounds = () => undefined;
    loadURL = async () => undefined;
    isVisible = () => this.visible;
    showInactive = () => {
      this.visible = true;
    };
    hide = () => {
      this.visible = false;
    };
    destroy = () => undefined;
  }
  const workArea = { x: 0, y: 0, width: 1920, height: 1080 };
  return {
    BrowserWindow,
    ipcMain: {},
    nativeTheme: { shouldUseDarkColors: true, on: () => undefined, off: () => undefined },
    screen: { getPrimaryDisplay: () => ({ workArea }) },
  };
});

interface FakeWindow {
  readonly options: { readonly focusable: boolean };
  readonly sent: readonly (readonly SessionToast[])[];
  readonly visible: boolean;
  readonly webContents: WebContents;
}

beforeEach(() => {
  electron.windows = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const source = { id: "s", name: "api" };

/** Toasts whose page is drawn, with what it shows and what it may ask for. */
function opened() {
  const clicked: string[] = [];
  const toasts = new ToastWindow({ preload: "", log: () => undefined, clicked: ({ name }) => clicked.push(name) });
  toasts.show({ message: "first", kind: "info" }, source);
  const [window] = electron.windows as FakeWindow[];
  if (window === undefined) throw new Error("a toast made no window");
  const channels = toasts.channels();
  channels["toast.start"](window.webContents, undefined);
  const onShow = () => window.sent.at(-1)?.map(({ message }) => message);
  return { toasts, window, channels, onShow, clicked };
}

test("a toast goes after 8 s, and the window with the last one; it could never take the focus", () => {
  const { toasts, window, onShow } = opened();
  expect([window.options.focusable, window.visible]).toEqual([false, true]);
  vi.advanceTimersByTime(5_000);
  toasts.show({ message: "second", kind: "error" }, source);
  vi.advanceTimersByTime(3_000);
  expect(onShow()).toEqual(["second"]);
  vi.advanceTimersByTime(5_000);
  expect([onShow(), window.visible]).toEqual([[], false]);
});

test("while the pointer is over them none goes, and afterwards each has its whole time again", () => {
  const { toasts, window, channels, onShow } = opened();
  vi.advanceTimersByTime(7_000);
  channels["toast.hold"](window.webContents, { held: true });
  toasts.show({ message: "second", kind: "info" }, source);
  vi.advanceTimersByTime(60_000);
  expect(onShow()).toEqual(["first", "second"]);
  channels["toast.hold"](window.webContents, { held: false });
  vi.advanceTimersByTime(7_999);
  expect(onShow()).toEqual(["first", "second"]);
  vi.advanceTimersByTime(1);
  expect(onShow()).toEqual([]);
});

test("the last one dismissed under the pointer holds nothing that comes later", () => {
  const { toasts, window, channels, onShow } = opened();
  channels["toast.hold"](window.webContents, { held: true });
  channels["toast.dismiss"](window.webContents, { id: 1 });
  toasts.show({ message: "second", kind: "info" }, source);
  vi.advanceTimersByTime(8_000);
  expect(onShow()).toEqual([]);
});

test("of more than four the oldest goes; a click leads to the session, and only the toasts' page may say so", () => {
  const { toasts, window, channels, onShow, clicked } = opened();
  for (const message of ["2", "3", "4", "5"]) toasts.show({ message, kind: "info" }, source);
  expect(onShow()).toEqual(["2", "3", "4", "5"]);
  expect(() => channels["toast.open"]({} as WebContents, { id: 5 })).toThrow("Only the toasts' page");
  channels["toast.open"](window.webContents, { id: 5 });
  expect([clicked, onShow()]).toEqual([["api"], ["2", "3", "4"]]);
});
