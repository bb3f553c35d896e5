import { beforeEach, expect, test } from "vitest";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import { reportFinished, reportNotifications } from "../../../../../renderer/session/toasts/report-programs.ts";
import { ToastStore } from "../../../../../renderer/session/view/toast-store.ts";
import type { View } from "../../../../../renderer/session/view/view.ts";

let toasts: ToastStore;
let ran: unknown[];
let shell: Record<string, unknown>;
let agents: unknown[];
let seen: boolean;
let here: boolean;
let time: number;
let exitCode: number | undefined;
let finishedAfter: number;
let changed: () => void;
let happened: (event: RelayEvent) => void;

beforeEach(() => {
  toasts = new ToastStore();
  [ran, agents, seen, here, time, exitCode, finishedAfter] = [[], [], false, true, 1_000_000, undefined, 40];
  shell = { id: 7, title: "", command: "bash", cwd: "/work/orders", ownerClientId: 1, running: true, process: null };
  const view = {
    ui: { toasts, settings: { get: () => ({ finishedAfter }) } },
    terminals: {
      byTile: new Map([
        [
          4,
          {
            commands: {
              get last() {
                return { exitCode };
              },
            },
          },
        ],
      ]),
    },
    host: {
      snapshot: () => ({
        state: { tiles: { 4: { key: 4, type: "shell", id: 7 } } },
        self: { id: 1 },
        mirror: { shells: [shell], agents, clients: [] },
      }),
      onEvent(listener: (event: RelayEvent) => void) {
        happened = listener;
        return () => undefined;
      },
      subscribe(listener: () => void) {
        changed = listener;
        return () => undefined;
      },
    },
    run: async (...command: unknown[]) => ran.push(command),
  } as unknown as View;
  const sight = { sees: () => seen, isHere: () => here };
  reportFinished(view, sight, () => time);
  reportNotifications(view, sight);
});

const words = () => toasts.shown.get().map(({ message }) => message);
const to = (process: string | null, more: object = {}) => {
  shell = { ...shell, process, ...more };
  changed();
};
/** Runs a command that takes so many seconds, by way of several programs. */
const run = (seconds: number) => {
  to("make");
  time += seconds * 1000 - 10_000;
  to("cc");
  time += 10_000;
  to(null);
};

test("a long command that ends out of sight is told with its time, and the message leads to it", () => {
  run(65);
  expect(words()).toEqual(["“cc” finished after 1 min 5 s in “orders”."]);
  toasts.shown.get()[0]?.actions[0]?.run();
  expect(ran).toEqual([["focusTile", { key: 4 }]]);
});

test("one that failed is told with its exit code", () => {
  exitCode = 2;
  run(45);
  expect(words()).toEqual(["“cc” failed with exit code 2 after 45 s in “orders”."]);
});

test("a user in another window gets a notification", () => {
  here = false;
  run(45);
  expect([words(), ran]).toEqual([[], [["notify", { title: "“cc” finished after 45 s in “orders”." }]]]);
});

test.each<[string, () => void]>([
  [
    "is on show",
    () => {
      seen = true;
    },
  ],
  [
    "took less than 40 s",
    () => {
      time -= 10_000;
    },
  ],
  [
    "is not wanted",
    () => {
      finishedAfter = 0;
    },
  ],
  [
    "is another person's",
    () => {
      shell = { ...shell, ownerClientId: 2 };
    },
  ],
  [
    "is an agent",
    () => {
      agents = [{ shellId: 7, state: "working" }];
    },
  ],
  [
    "ended with its shell",
    () => {
      shell = { ...shell, running: false };
    },
  ],
])("nothing is told of a command that %s", (_, arrange) => {
  to("make");
  time += 45_000;
  arrange();
  to(null);
  expect([words(), ran]).toEqual([[], []]);
});

test("each command counts from its own start", () => {
  run(30);
  time += 60_000;
  run(30);
  expect(words()).toEqual([]);
});

const notified = (fields: object = {}) =>
  happened({
    type: "shell.notification",
    data: { shellId: 7, title: null, body: "12 tests passed", ...fields },
  } as unknown as RelayEvent);

test("what a program asks to notify of is told in its shell's name, where the user is", () => {
  notified();
  notified({ title: "Build", body: "x".repeat(1000) });
  expect(words()).toEqual([`“orders” says: Build: ${"x".repeat(293)}`]);
  here = false;
  notified();
  expect(ran).toEqual([["notify", { title: "“orders” says: 12 tests passed" }]]);
});

test("how many notifications of a program were left out is told", () => {
  notified({ leftOut: 48 });
  expect(words()).toEqual(["“orders” says: 12 tests passed (48 messages before it were left out.)"]);
});

test.each<[string, () => void]>([
  ["a shell on show", () => (seen = true)],
  ["another person's shell", () => (shell = { ...shell, ownerClientId: 2 })],
  ["a shell with an agent", () => (agents = [{ shellId: 7, state: "working" }])],
  ["a shell that is gone", () => (shell = { ...shell, id: 8 })],
])("nothing is told of %s", (_, arrange) => {
  arrange();
  notified();
  expect([words(), ran]).toEqual([[], []]);
});
