import { expect, test, vi } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import type { TerminalMessage } from "../../../../../core/protocol/terminal-signals.ts";
import { shellRecord, smallSession } from "../small-session.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("shells that ran when the relay was cut off are all told as ended, however many", async () => {
  await using lab = smallSession();
  for (let id = 1; id <= 60; id++) lab.store.shells.put(lab.session.id, shellRecord(id));
  lab.crash();
  expect(lab.session.orphanedShells).toHaveLength(60);
  const { shells } = lab.session.state.now;
  expect(shells.map(({ id, running, pid }) => [id, running, pid])).toEqual(
    Array.from({ length: 60 }, (_, index) => [index + 1, false, null]),
  );
  expect(lab.session.state.events.after(0).events.map(({ event }) => event.type)).toEqual(
    Array(60).fill("shell.exited"),
  );
  lab.crash();
  expect(lab.session.orphanedShells).toEqual([]);
  expect(lab.session.state.now.shells.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, i) => i + 11));
});

test("a shell that ended stays listed with its exit code, also after a restart", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  await client.execute("createShell", {});
  lab.tell({ kind: "exited", id: 1 as ShellId, exitCode: 3, signal: null });
  await lab.reopen();
  expect(lab.session.state.now.shells).toMatchObject([{ id: 1, running: false, exitCode: 3, pid: null }]);
  const again = await lab.join();
  await expect(again.execute("writeToShell", { id: 1, data: "x" })).rejects.toMatchObject({ code: "shell_exited" });
  expect(await again.execute("getShellOutput", { id: 1 })).toMatchObject({ output: "", end: 0 });
  expect(await again.execute("createShell", {})).toMatchObject({ shellId: 2 });
});

test("titles that spin are told at most a few times a second, and the last one always", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await using lab = smallSession();
    const client = await lab.join();
    await client.execute("createShell", {});
    for (let turn = 1; turn <= 100; turn++) lab.tell({ kind: "title", id: 1 as ShellId, title: `title ${turn}` });
    vi.advanceTimersByTime(1000);
    const titles = lab.session.state.events.after(0).events.filter(({ event }) => event.type === "shell.title");
    expect(titles.map(({ event }) => event.data)).toEqual([
      { shellId: 1, title: "title 1" },
      { shellId: 1, title: "title 100" },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

const at = { offset: 0, end: 1 };
const signal = (fields: TerminalMessage & { readonly kind: "progress" | "program-status" }) =>
  ({ kind: "signal", id: 1 as ShellId, signal: { ...fields, ...at } }) as const;

test("a program's progress is told a few times a second, ends with it, and is not kept", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await using lab = smallSession();
    const client = await lab.join();
    await client.execute("createShell", {});
    const now = () => lab.session.state.now.shells[0]?.progress;
    const progress = (state: number, percent: number | null) => lab.tell(signal({ kind: "progress", state, percent }));
    const report = (fields: Record<string, string>) =>
      lab.tell(signal({ kind: "program-status", query: false, fields }));
    progress(1, 10);
    expect(now()).toEqual({ state: "normal", percent: 10 });
    for (let percent = 11; percent <= 60; percent++) progress(1, percent);
    expect(now()?.percent).toBe(10);
    vi.advanceTimersByTime(1000);
    expect(now()).toEqual({ state: "normal", percent: 60 });
    progress(3, null);
    expect(now()).toEqual({ state: "indeterminate", percent: null });
    progress(0, null);
    vi.advanceTimersByTime(1000);
    expect(now()).toBeUndefined();
    report({ state: "working", progress: "40" });
    expect(now()).toEqual({ state: "normal", percent: 40 });
    report({ state: "working", progress: "99", id: "part" });
    progress(1, 10);
    report({ state: "blocked", progress: "41" });
    vi.advanceTimersByTime(1000);
    expect(now()).toEqual({ state: "paused", percent: 41 });
    report({ state: "idle" });
    expect(now()).toEqual({ state: "normal", percent: 10 });
    report({ state: "working", progress: "4000" });
    progress(0, null);
    vi.advanceTimersByTime(1000);
    expect(now()).toBeUndefined();
    progress(2, 70);
    progress(2, 71);
    lab.tell({ kind: "process", id: 1 as ShellId, process: null });
    vi.advanceTimersByTime(1000);
    expect(now()).toBeUndefined();
    progress(1, 70);
    const commandEnd = { kind: "command-end", exitCode: 0, cwd: null, ...at } as const;
    lab.tell({ kind: "signal", id: 1 as ShellId, signal: commandEnd });
    vi.advanceTimersByTime(1000);
    expect(now()).toBeUndefined();
    progress(4, 70);
    lab.tell({ kind: "exited", id: 1 as ShellId, exitCode: 0, signal: null });
    vi.advanceTimersByTime(1000);
    expect([now(), lab.store.shells.list(lab.session.id)[0]?.progress]).toEqual([undefined, undefined]);
  } finally {
    vi.useRealTimers();
  }
});

test("notifications of programs are events, at most one a second for each shell, with the number left out", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await using lab = smallSession();
    const client = await lab.join();
    await client.execute("createShell", {});
    for (let turn = 1; turn <= 50; turn++) {
      const notice = { kind: "notification", title: null, body: `done ${turn}`, ...at } as const;
      lab.tell({ kind: "signal", id: 1 as ShellId, signal: notice });
    }
    vi.advanceTimersByTime(5000);
    const told = lab.session.state.events.after(0).events.filter(({ event }) => event.type === "shell.notification");
    expect(told.map(({ event }) => event.data)).toEqual([
      { shellId: 1, title: null, body: "done 1" },
      { shellId: 1, title: null, body: "done 50", leftOut: 48 },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("every client hears the same, in the same order, and its mirror is the session", async () => {
  await using lab = smallSession();
  const [first, second] = [await lab.join(), await lab.join({ name: "bob", role: "writer" })];
  await first.execute("createShell", {});
  await second.execute("sendChat", { message: "hello" });
  await second.execute("createShell", {});
  await first.execute("closeShell", { id: 1 });
  await settled();
  expect(first.mirror).toEqual(lab.session.state.now);
  expect(second.mirror).toEqual(lab.session.state.now);
  expect(lab.session.record()).toMatchObject({ userCount: 2, shellCount: 1 });
});
