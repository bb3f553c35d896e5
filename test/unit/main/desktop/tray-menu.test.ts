import { expect, test, vi } from "vitest";
import { type SessionGlance, statusLine } from "../../../../main/desktop/glance.ts";
import { trayMenu } from "../../../../main/desktop/tray-menu.ts";

const glance = (more: Partial<SessionGlance>): SessionGlance => ({
  id: "session-1",
  name: "default",
  shells: 0,
  clients: 1,
  waiting: 0,
  ...more,
});
const actions = () => ({ open: vi.fn(), copyId: vi.fn(), showPanel: vi.fn(), quit: vi.fn() });

test("the menu lists sessions with what they hold, and says what waits", () => {
  const menu = trayMenu([glance({ shells: 1 }), glance({ id: "b", name: "R&D", shells: 2, waiting: 1 })], actions());
  expect(menu.map((item) => item.label ?? item.type)).toEqual([
    "Patchbay: 1 waiting for you, 2 sessions, 3 shells",
    "separator",
    "default (1 shell)",
    "R&&D (1 waiting, 2 shells)",
    "separator",
    "Show panel",
    "Quit Patchbay",
  ]);
});

test("without a session the menu says so", () => {
  const labels = trayMenu([], actions()).map((item) => item.label);
  expect(labels).toContain("No session is open");
  expect(statusLine([])).toBe("Patchbay: 0 sessions, 0 shells");
});

test("entries act on their own session", () => {
  const act = actions();
  const submenu = trayMenu([glance({ id: "a" }), glance({ id: "b" })], act)[3]?.submenu;
  if (!Array.isArray(submenu)) throw new Error("a session has entries of its own");
  for (const entry of submenu) (entry.click as () => void)();
  expect(act.open).toHaveBeenCalledWith("b");
  expect(act.copyId).toHaveBeenCalledWith("b");
});
