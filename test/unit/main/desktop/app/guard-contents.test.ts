import { EventEmitter } from "node:events";
import { beforeEach, expect, test, vi } from "vitest";
import { guardAllContents } from "../../../../../main/desktop/app/guard-contents.ts";

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
const electron = vi.hoisted(() => ({
  created: (_event: unknown, _contents: unknown): void => undefined,
}));
vi.mock("electron", () => ({
  app: {
    on(_name: string, created: typeof electron.created) {
      electron.created = created;
    },
  },
  session: {
    defaultSession: { setPermissionRequestHandler() {}, setPermissionCheckHandler() {}, on() {} },
  },
}));

let contents: EventEmitter & { setWindowOpenHandler?: () => void };
beforeEach(() => {
  contents = new EventEmitter();
  contents.setWindowOpenHandler = () => undefined;
  guardAllContents();
  electron.created({}, contents);
});

function isRefused(event: string, details: { isMainFrame: boolean; url: string }): boolean {
  let refused = false;
  const preventDefault = () => {
    refused = true;
  };
  contents.emit(event, { ...details, preventDefault });
  return refused;
}

test.each(["will-frame-navigate", "will-redirect"])(
  "%s: a frame loads addresses of the web only, a page none",
  (event) => {
    const at = (url: string, isMainFrame = false) => isRefused(event, { isMainFrame, url });
    expect([at("https://a.test/"), at("http://127.0.0.1:3000/")]).toEqual([false, false]);
    for (const url of [
      "app://patchbay/window/index.html",
      "file:///etc/passwd",
      "data:text/html,x",
      "chrome://gpu",
      "x:",
    ])
      expect([url, at(url)]).toEqual([url, true]);
    expect(at("https://a.test/", true)).toBe(true);
  },
);

test("no page navigates, and none embeds another", () => {
  for (const event of ["will-navigate", "will-attach-webview"])
    expect([event, isRefused(event, { isMainFrame: true, url: "https://a.test/" })]).toEqual([event, true]);
});
