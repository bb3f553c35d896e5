import { beforeEach, expect, test, vi } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { createNotifications } from "../../../../../main/desktop/notifications/notifications.ts";

interface Shown {
  readonly options: { readonly title: string; readonly actions?: readonly { readonly text: string }[] };
  readonly heard: Map<string, (event?: unknown, index?: number) => void>;
  closed: boolean;
}

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
const electron = vi.hoisted(() => ({ shown: [] as unknown[], supported: true }));
vi.mock("electron", () => ({
  Notification: class {
    static isSupported = () => electron.supported;
    readonly heard = new Map<string, () => void>();
    readonly options: unknown;
    closed = false;
    constructor(options: unknown) {
      this.options = options;
    }
    on(name: string, listener: () => void) {
      this.heard.set(name, listener);
    }
    show() {
      electron.shown.push(this);
    }
    close() {
      this.closed = true;
    }
  },
}));

beforeEach(() => {
  electron.shown = [];
  electron.supported = true;
});

const source = { id: "s", name: "api", shell: 2 as ShellId };
const onShow = () => electron.shown as Shown[];

function notifications() {
  const done: unknown[] = [];
  const all = createNotifications({
    clicked: (from) => done.push(["clicked", from]),
    muted: (from) => done.push(["muted", from]),
    answered: (_from, question, option) => done.push(["answered", question, option]),
    log: (line) => done.push(line),
  });
  return { all, done };
}

test("a click leads to where it came from; of an agent there is a button that mutes it", () => {
  const { all, done } = notifications();
  all.show({ title: "Build finished" }, source);
  all.show({ title: "claude waits for you" }, { ...source, agent: true });
  const [message, agent] = onShow();
  expect([message?.options.actions, agent?.options.actions]).toEqual([
    undefined,
    [{ type: "button", text: "Mute this agent" }],
  ]);
  message?.heard.get("click")?.();
  agent?.heard.get("action")?.({}, 0);
  expect(done).toEqual([
    ["clicked", source],
    ["muted", { ...source, agent: true }],
  ]);
});

test("a question's options are buttons that answer it by its id, and its end closes the notification", async () => {
  const { all, done } = notifications();
  const options = [
    { id: "yes", label: "Yes, this once" },
    { id: "no", label: "No" },
  ];
  void all.show({ title: "claude asks: Bash: make" }, { ...source, agent: true, question: { id: 7, options } });
  const [shown] = onShow();
  expect(shown?.options.actions?.map(({ text }) => text)).toEqual(["Yes, this once", "No"]);
  shown?.heard.get("action")?.({}, 1);
  expect(done).toEqual([["answered", 7, "no"]]);
  // Answered elsewhere before the desktop has shown it.
  all.closeQuestion("s", 7);
  expect(shown?.closed).toBe(false);
  shown?.heard.get("show")?.();
  await vi.waitFor(() => expect(shown?.closed).toBe(true));
});

test("a session's notifications are a group of their own", () => {
  notifications().all.show({ title: "Build finished" }, source);
  expect(onShow()[0]?.options).toMatchObject({ groupId: "s", groupTitle: "api", body: "Session api" });
});

test("of more than twenty the oldest goes, and with the app all of them", () => {
  const { all } = notifications();
  for (let number = 0; number < 21; number += 1) all.show({ title: String(number) }, source);
  expect(onShow().map(({ closed }) => closed)).toEqual([true, ...Array(20).fill(false)]);
  all[Symbol.dispose]();
  expect(onShow().every(({ closed }) => closed)).toBe(true);
});

test("a desktop without notifications has them on the console", () => {
  electron.supported = false;
  const { all, done } = notifications();
  all.show({ title: "Build finished" }, source);
  expect(done).toEqual(["This desktop shows no notifications. Build finished: Session api"]);
});
