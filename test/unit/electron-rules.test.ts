import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { invokeChannels } from "../../preload/channels.ts";

const root = resolve(import.meta.dirname, "../..");

/**
 * The rules of Electron's security checklist that a look at the source can hold. The known checker for them reads no
 * TypeScript of today and asks the network for Electron's releases; the settings themselves are read back from the
 * running app in test/security/electron.test.ts.
 */
const forbidden: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["Node in a page", /nodeIntegration(InWorker|InSubFrames)?:\s*true/],
  ["a page that shares our world", /contextIsolation:\s*false/],
  ["a page without sandbox", /(?<!no-)sandbox:\s*false/],
  ["a page without the same-origin policy", /webSecurity:\s*false|disable-web-security/],
  ["insecure content", /allowRunningInsecureContent|ignore-certificate-errors|setCertificateVerifyProc/],
  ["experimental features", /experimentalFeatures:\s*true|enableBlinkFeatures/],
  ["a webview", /webviewTag:\s*true/],
  ["scripts put into pages", /\.executeJavaScript\(|\.insertCSS\(/],
  ["text that becomes code", /\beval\(|new Function\(|setTimeout\(\s*["'`]/],
  [
    "text that becomes HTML",
    /dangerouslySetInnerHTML|\.innerHTML\s*=|\.outerHTML\s*=|insertAdjacentHTML|document\.write\(/,
  ],
  ["pages from files", /loadFile\(|["'`]file:\/\//],
  ["pages over plain HTTP", /loadURL\(["'`]http:/],
  ["the whole of ipcRenderer", /exposeInMainWorld\([^)]*\bipcRenderer\b/],
];

/** Text that runs in the sandbox of a plugin's page, whose policy allows the plugin's scripts by this one alone. */
const NOT_OURS = "main/relay/plugins/page-script.ts";

const sources = ["main", "preload", "renderer"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(root, folder, name), "utf8") })),
  )
  .filter(({ name }) => name !== NOT_OURS);

describe("no source of the app has", () => {
  test.each(forbidden)("%s", (_name, pattern) => {
    expect(sources.length).toBeGreaterThan(150);
    expect(sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

test("only addresses of the web are handed to the system's browser, in one place", () => {
  const places = sources.filter(({ text }) => text.includes("openExternal("));
  expect(places.map(({ name }) => name)).toEqual(["main/desktop/windows/session-channels.ts"]);
  const taken = (url: string) => invokeChannels["outside.open"].safeParse({ url }).success;
  expect(["https://a.test/", "http://127.0.0.1:3000/"].map(taken)).toEqual([true, true]);
  expect(["file:///etc/passwd", "javascript:1", "smb://a/b", "patchbay://x", "-h", ""].map(taken)).not.toContain(true);
});

test("files are opened by the system in two places: what a terminal prints, after a check of their kind, and Patchbay's own", () => {
  const places = sources.filter(({ text }) => /\bopenPath\(/.test(text)).map(({ name }) => name);
  expect(places.sort()).toEqual(["main/desktop/panel/panel-channels.ts", "main/desktop/windows/terminal-files.ts"]);
});
