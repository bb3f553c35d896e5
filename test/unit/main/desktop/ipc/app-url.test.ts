import { expect, test } from "vitest";
import { appUrl, fileOfAppUrl, isAppUrl } from "../../../../../main/desktop/ipc/app-url.ts";

test.each([
  ["app://patchbay/window/index.html", "/built/window/index.html"],
  ["app://patchbay/assets/a%20b.js?v=1#x", "/built/assets/a b.js"],
  ["app://patchbay/../../etc/passwd", "/built/etc/passwd"],
  ["app://patchbay/%2e%2e/%2e%2e/etc/passwd", "/built/etc/passwd"],
  ["app://patchbay/..%2f..%2fetc%2fpasswd", undefined],
  ["app://patchbay/..%2fbuilt-elsewhere/x", undefined],
  ["app://patchbay/", undefined],
  ["app://patchbay/a%00.js", undefined],
  ["app://patchbay/%E0%A4%A.js", undefined],
  ["app://elsewhere/window/index.html", undefined],
  ["file:///etc/passwd", undefined],
])("%s names %s", (url, file) => {
  expect(fileOfAppUrl(url, "/built")).toBe(file);
});

test("only the app's own scheme and host is the app", () => {
  expect(isAppUrl(appUrl("tray/index.html"))).toBe(true);
  for (const url of ["app://patchbay.example/x", "https://patchbay/", "app:patchbay/", ""]) {
    expect(isAppUrl(url), url).toBe(false);
  }
});
