import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DesktopSettings } from "../../../../../core/protocol/desktop-settings.ts";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { isQuiet, NoticeGate } from "../../../../../main/desktop/notifications/notice-gate.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: new Date(2026, 2, 14, 12, 0) });
});
afterEach(() => {
  vi.useRealTimers();
});

const source = { id: "s", name: "api" };
const everything: DesktopSettings = {
  theme: "system",
  language: "system",
  startAtLogin: false,
  notify: { waiting: true, finished: true, failed: true, ended: true, budget: true, messages: true },
  quiet: null,
  relay: { port: null, outside: false },
  terminals: {},
};

function gateWith(settings: Partial<DesktopSettings> = {}) {
  const shown: string[] = [];
  const kept: string[] = [];
  const gate = new NoticeGate({
    settings: () => ({ ...everything, ...settings }),
    show({ title }, { name }) {
      shown.push(`${name}: ${title}`);
      return "native";
    },
    keep: ({ title }, _source, got) => kept.push(`${title} ${got ? "shown" : "held back"}`),
  });
  return { gate, shown, kept };
}

test("the same notification a thousand times is one", () => {
  const { gate, shown } = gateWith();
  for (let times = 0; times < 1000; times++) gate.offer("messages", { title: "Bell" }, source);
  vi.advanceTimersByTime(60_000);
  expect(shown).toEqual(["api: Bell"]);
  gate.offer("messages", { title: "Bell" }, source);
  expect(shown).toHaveLength(2);
});

test("of a flood the first are shown and the rest counted; another session has its own measure", () => {
  const { gate, shown } = gateWith();
  for (let number = 1; number <= 9; number++) gate.offer("messages", { title: `${number}` }, source);
  gate.offer("messages", { title: "Hello" }, { id: "t", name: "web" });
  expect(shown).toEqual(["api: 1", "api: 2", "api: 3", "web: Hello"]);
  vi.advanceTimersByTime(10_000);
  expect(shown.slice(4)).toEqual(["api: 6 more notifications"]);
});

test("the answer says how the user got it", async () => {
  const { gate } = gateWith({ notify: { ...everything.notify, ended: false } });
  expect(await gate.offer("messages", { title: "Bell" }, source)).toBe("native");
  expect(await gate.offer("messages", { title: "Bell" }, source)).toBe("log");
  expect(await gate.offer("ended", { title: "claude ended" }, source)).toBe("log");
  for (let number = 1; number <= 2; number++) await gate.offer("messages", { title: `${number}` }, source);
  expect(await gate.offer("messages", { title: "one too many" }, source)).toBe("log");
  gate.paused = true;
  expect(await gate.offer("messages", { title: "while paused" }, { ...source, id: "t" })).toBe("log");
});

test("a kind that is switched off, a pause and quiet hours show nothing", () => {
  const off = gateWith({ notify: { ...everything.notify, ended: false } });
  off.gate.offer("ended", { title: "claude ended" }, source);
  off.gate.offer("waiting", { title: "claude waits" }, source);
  expect(off.shown).toEqual(["api: claude waits"]);
  const quiet = gateWith({ quiet: { from: "11:00", to: "13:00" } });
  quiet.gate.offer("waiting", { title: "claude waits" }, source);
  expect(quiet.shown).toEqual([]);
  const paused = gateWith();
  paused.gate.paused = true;
  paused.gate.offer("waiting", { title: "claude waits" }, source);
  expect(paused.shown).toEqual([]);
});

test("what is shown is kept, and so is what a pause holds back, which keeps nothing later from being seen", () => {
  const { gate, shown, kept } = gateWith();
  gate.paused = true;
  gate.offer("messages", { title: "Bell" }, source);
  gate.paused = false;
  gate.offer("messages", { title: "Bell" }, source);
  expect(shown).toEqual(["api: Bell"]);
  expect(kept).toEqual(["Bell held back", "Bell shown"]);
  const off = gateWith({ notify: { ...everything.notify, messages: false } });
  off.gate.offer("messages", { title: "Bell" }, source);
  expect(off.kept).toEqual([]);
});

test("a flood leaves a handful of kept notifications and their number", () => {
  const { gate, kept } = gateWith();
  for (let number = 1; number <= 1000; number++) gate.offer("messages", { title: `${number}` }, source);
  vi.advanceTimersByTime(10_000);
  expect(kept).toEqual(["1 shown", "2 shown", "3 shown", "997 more notifications shown"]);
});

test("disposing of it leaves no timer", () => {
  const { gate } = gateWith();
  gate.offer("messages", { title: "Hello" }, source);
  gate[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});

test("quiet hours go over midnight, and their end is outside", () => {
  const night = { from: "22:00", to: "07:00" };
  const at = (hour: number, minute = 0) => isQuiet(new Date(2026, 2, 14, hour, minute), night);
  expect([at(21, 59), at(22), at(3), at(6, 59), at(7)]).toEqual([false, true, true, true, false]);
  expect(isQuiet(new Date(), null)).toBe(false);
});

test("of a muted shell everything is kept and nothing shown, until it is no longer muted", () => {
  const { gate, shown, kept } = gateWith();
  const shell = 2 as ShellId;
  gate.mute("s", shell, true);
  gate.offer("waiting", { title: "claude waits" }, { ...source, shell });
  gate.offer("waiting", { title: "codex waits" }, { ...source, shell: 3 as ShellId });
  gate.offer("waiting", { title: "elsewhere" }, { id: "t", name: "web", shell });
  expect(shown).toEqual(["api: codex waits", "web: elsewhere"]);
  expect(kept).toContain("claude waits held back");
  gate.mute("s", shell, false);
  gate.offer("waiting", { title: "claude waits" }, { ...source, shell });
  expect(shown).toContain("api: claude waits");
});
