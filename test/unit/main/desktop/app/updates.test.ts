import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { MessageBoxOptions } from "electron";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { offerUpdate, type Updater, watchUpdates } from "../../../../../main/desktop/app/updates.ts";
import type { Notice } from "../../../../../main/desktop/sessions/notices.ts";

const feed = { url: "https://updates.example/", channel: "latest" };
let done: string[];
let asked: MessageBoxOptions[];
let told: string[];
let logged: string[];

beforeEach(() => {
  done = [];
  asked = [];
  told = [];
  logged = [];
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
    tell: ({ title, body }: Notice) => void told.push(`${title}. ${body}`),
    keepShells: () => void done.push("keep shells"),
    log: (line: string) => void logged.push(line),
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

test("a box that appears by itself does nothing when Enter is pressed, and is no larger than a screen", async () => {
  const line = `\u202e<b>${"long ".repeat(500)}</b>`;
  for (const releaseNotes of [
    Array.from({ length: 400 }, () => line).join("\n"),
    Array.from({ length: 400 }, () => ({ version: "1.9.0", note: line })),
    "<".repeat(1_000_000),
  ]) {
    asked = [];
    const updateInfo = { version: `2.0.0${"0".repeat(500)}\u202e`, releaseNotes };
    await offerUpdate(feed, "", parts(updaterThatFinds({ isUpdateAvailable: true, updateInfo }), 0, 0));
    for (const { defaultId, cancelId, buttons } of asked) {
      expect([defaultId, cancelId].map((id) => buttons?.[id ?? 0])).toEqual(["Later", "Later"]);
    }
    const texts = asked.flatMap(({ message, detail }) => [message, ...(detail ?? "").split("\n")]);
    expect(texts.every((text) => text.length <= 80 && !text.includes("\u202e") && !text.includes("<b>"))).toBe(true);
    expect(texts.length).toBeLessThan(25);
  }
});

test("a download that fails is told to the user, installs nothing, and is offered again", async () => {
  const failing = {
    ...updaterThatFinds(newer),
    downloadUpdate: async () => Promise.reject(new Error(`no app-update.yml${"!".repeat(1000)}`)),
  };
  expect(await offerUpdate(feed, "", parts(failing, 0, 0))).toBeUndefined();
  expect(told).toEqual([expect.stringMatching(/^Patchbay 2\.0\.0 could not be downloaded\. no app-update\.yml/)]);
  expect(told[0]?.length).toBeLessThan(500);
  expect(logged).toEqual([expect.stringContaining("no app-update.yml")]);
  expect(asked.length).toBe(1);
  expect(done).not.toContain("install");
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
