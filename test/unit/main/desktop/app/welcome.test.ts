import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DesktopSettings } from "../../../../../core/protocol/desktop-settings.ts";
import { chosenSettings, Welcome } from "../../../../../main/desktop/app/welcome.ts";

let data: string;
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), "patchbay-welcome-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const start = () => {
  const changed = vi.fn();
  const log = vi.fn();
  return { welcome: new Welcome({ data, changed, log }), changed, log };
};

test("the first window of the first run has the welcome, a second window has not", () => {
  const { welcome, changed } = start();
  expect(welcome.begin("a")).toBe(true);
  expect(welcome.begin("b")).toBe(false);
  expect(welcome.session).toBe("a");
  expect(changed).toHaveBeenCalledTimes(1);
});

test("a run that ended in the middle shows it again, one that finished or skipped it does not", () => {
  expect(start().welcome.begin("a")).toBe(true);
  const { welcome } = start();
  expect(welcome.begin("a")).toBe(true);
  welcome.finish();
  expect(welcome.session).toBeUndefined();
  expect(welcome.begin("a")).toBe(false);
  expect(start().welcome.begin("a")).toBe(false);
});

test("it can be shown again later, in the window that asks", () => {
  const { welcome } = start();
  welcome.finish();
  welcome.show("b");
  expect(welcome.session).toBe("b");
  expect(welcome.begin("a")).toBe(false);
});

test("when its session is closed the next window shows it", () => {
  const { welcome } = start();
  welcome.begin("a");
  welcome.forget("other");
  expect(welcome.session).toBe("a");
  welcome.forget("a");
  expect(welcome.begin("b")).toBe(true);
});

test("it ends also where that cannot be recorded, and says so", () => {
  const { welcome, log } = start();
  welcome.begin("a");
  mkdirSync(path.join(data, "welcomed"));
  welcome.finish();
  expect(welcome.session).toBeUndefined();
  expect(log).toHaveBeenCalledWith(expect.stringContaining("shown again at the next start"));
});

const settings: DesktopSettings = {
  theme: "system",
  language: "system",
  startAtLogin: false,
  notify: { waiting: true, finished: true, failed: true, ended: false, budget: true, messages: true },
  quiet: null,
  relay: { port: null, outside: false },
  terminals: {},
};

test("it shows how this machine stands, and reads that only while a window shows it", () => {
  const facts = vi.fn(() => ({ state: "missing" as const, line: null, file: null }));
  const sources = { commandLine: { facts, connect: () => undefined }, keychainProblem: () => "No keychain." };
  const relay = { history: () => "unasked" as const };
  const problems = { notifications: undefined, tray: "No tray." };
  const { welcome } = start();
  expect(welcome.facts({ ...sources, relay }, problems, settings)).toBeNull();
  expect(facts).not.toHaveBeenCalled();
  welcome.begin("a");
  expect(welcome.facts({ ...sources, relay }, problems, settings, "linux")).toEqual({
    session: "a",
    commandLine: { state: "missing", line: null, file: null },
    keychainProblem: "No keychain.",
    iconPlace: "tray",
    trayProblem: "No tray.",
    notificationProblem: null,
    history: "unasked",
    notifications: true,
    startAtLogin: false,
  });
  expect(welcome.facts({ ...sources, relay }, problems, settings, "darwin")?.iconPlace).toBe("menu bar");
});

test("notifications are on while agents that wait, finish and fail are notified of", () => {
  const off = chosenSettings(settings, { notifications: false });
  expect(off.notify).toEqual({ ...settings.notify, waiting: false, finished: false, failed: false });
  expect(off.startAtLogin).toBe(false);
  expect(chosenSettings(off, { notifications: true, startAtLogin: true })).toEqual({ ...settings, startAtLogin: true });
  expect(chosenSettings(settings, {})).toEqual(settings);
});
