import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { MessageBoxOptions } from "electron";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { offerUpdate, type Updater, watchUpdates } from "../../../../../main/desktop/app/updates.ts";

const feed = { url: "https://updates.example/", channel: "latest" };
let done: string[];
let asked: MessageBoxOptions[];

beforeEach(() => {
  done = [];
  asked = [];
});

function updaterThatFinds(found: Awaited<ReturnType<Updater["checkForUpdates"]>>): Updater {
  return {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    setFeedURL: ({ url }) => void done.push(`feed ${url}`),
    checkForUpdates: async () => found,
    downloadUpdate: async () => void done.push("download"),
    quitAndInstall: () => void done.push("install"),
  };
}

function parts(updater: Updater, ...answers: number[]) {
  return {
    load: async () => updater,
    ask: async (question: MessageBoxOptions) => {
      asked.push(question);
      return { response: answers.shift() ?? 1, checkboxChecked: false };
    },
    keepShells: () => void done.push("keep shells"),
  };
}

const newer = { isUpdateAvailable: true, updateInfo: { version: "2.0.0", releaseNotes: "<p>Faster.</p>" } };

test("a newer version is downloaded and installed when the user says so twice, and the shells are kept", async () => {
  const updater = updaterThatFinds(newer);
  expect(await offerUpdate(feed, "", parts(updater, 0, 0))).toBeUndefined();
  expect(done).toEqual(["feed https://updates.example/", "download", "keep shells", "install"]);
  expect(updater).toMatchObject({ autoDownload: false, autoInstallOnAppQuit: false });
  expect(asked.map(({ message, detail }) => [message, detail])).toEqual([
    ["Patchbay 2.0.0 is there.", "Faster."],
    ["Patchbay 2.0.0 is ready.", expect.stringContaining("shells go on")],
  ]);
});

test("whoever says later is not asked again for that version, and nothing was downloaded", async () => {
  const updater = updaterThatFinds(newer);
  expect(await offerUpdate(feed, "", parts(updater, 1))).toBe("2.0.0");
  expect(await offerUpdate(feed, "2.0.0", parts(updater, 0, 0))).toBeUndefined();
  expect(asked.length).toBe(1);
  expect(done).not.toContain("download");
});

test("nothing newer, or a form of the app that cannot replace itself: nobody is asked", async () => {
  await offerUpdate(feed, "", parts(updaterThatFinds({ ...newer, isUpdateAvailable: false }), 0, 0));
  await offerUpdate(feed, "", parts(updaterThatFinds(null), 0, 0));
  expect(asked).toEqual([]);
});

let data: string;
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), "patchbay-updates-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test("without a feed nothing is even loaded; one that is not https is refused with a sentence", async () => {
  const load = vi.fn(async () => updaterThatFinds(null));
  const said: string[] = [];
  const start = () =>
    watchUpdates({ ...parts(updaterThatFinds(null)), data, load, log: (line) => void said.push(line) });
  start()[Symbol.dispose]();
  writeFileSync(path.join(data, "updates.json"), JSON.stringify({ url: "http://updates.example/" }));
  start()[Symbol.dispose]();
  expect(load).not.toHaveBeenCalled();
  expect(said).toEqual([expect.stringContaining("expected an https address")]);
  writeFileSync(path.join(data, "updates.json"), JSON.stringify({ url: feed.url }));
  start()[Symbol.dispose]();
  expect(load).toHaveBeenCalledOnce();
});
