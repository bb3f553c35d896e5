import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ClientId, SessionId } from "../../../../../core/protocol/ids.ts";
import type { SessionDiff, SessionMirror } from "../../../../../core/protocol/mirror.ts";
import type { OverviewChange } from "../../../../../core/protocol/overview-changes.ts";
import { noShellRestrictions } from "../../../../../core/protocol/shell-restrictions.ts";
import { OverviewWatch } from "../../../../../main/relay/operations/watch-overview.ts";
import { SessionState } from "../../../../../main/relay/session/session-state.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const id = (text: string) => SessionId.parse(`session-0000000${text}`);

function sessionOf(name: string, owner = "owner") {
  const mirror: SessionMirror = {
    session: { id: id(name), name, owner, createdAt: "2026-11-26T10:00:00.000Z" },
    ...{ clients: [], shells: [], chat: [], tunnels: [], agents: [], adoptRequests: [], roleRequests: [] },
    ...{ plugins: [], questions: [], restrictions: noShellRestrictions },
  };
  return { id: id(name), owner, state: new SessionState(mirror) };
}

function watching({ takes = () => true }: { takes?: () => boolean } = {}) {
  const listeners = new Set<{ readonly name: string; readonly listener: () => void }>();
  const listen = (name: string, listener: () => void) => {
    const added = { name, listener };
    listeners.add(added);
    return () => listeners.delete(added);
  };
  const open = [sessionOf("a"), sessionOf("b"), sessionOf("c", "somebody else")];
  const told: OverviewChange[] = [];
  const watch = new OverviewWatch(
    {
      user: "owner",
      sessions: { onChange: (listener) => listen("sessions", listener), all: () => open },
      guests: {
        onChange: (listener) => listen("guests", () => listener({ session: id("a"), id: "1", guest: undefined })),
      },
      logins: { onChange: (listener) => listen("logins", listener) },
      budgets: {
        onChange: (listener) => listen("budgets", () => listener({ scope: "day", subject: "", unit: "dollars" })),
      },
    },
    (change) => {
      const isTaken = takes();
      if (isTaken) told.push(change);
      return isTaken;
    },
  );
  const change = (name: string) => {
    for (const one of listeners) if (one.name === name) one.listener();
  };
  return { watch, told, open, change, listeners };
}

const agents: SessionDiff = { kind: "agents", agents: [] };
const tunnels: SessionDiff = { kind: "tunnels", tunnels: [] };

test("names the parts that changed and their sessions, together and at most once a second", () => {
  const { watch, told, open } = watching();
  using _watch = watch;
  open[0]?.state.apply(agents);
  open[1]?.state.apply({ kind: "question-gone", id: 3 });
  vi.advanceTimersByTime(50);
  expect(told).toEqual([{ parts: ["agents", "waits"], sessions: [id("a"), id("b")] }]);
  for (let count = 0; count < 40; count += 1) {
    open[0]?.state.apply(agents);
    vi.advanceTimersByTime(10);
  }
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(told.slice(1)).toEqual([{ parts: ["agents"], sessions: [id("a")] }]);
});

test("what the overview does not have, and sessions of other owners, are not told", () => {
  const { watch, told, open } = watching();
  using _watch = watch;
  open[0]?.state.apply(tunnels);
  open[2]?.state.apply(agents);
  vi.advanceTimersByTime(5000);
  expect(told).toEqual([]);
  expect(open[2]?.state.subscribers.size).toBe(0);
});

test("a new session is watched, a closed one no more, and the end leaves nothing behind", () => {
  const { watch, told, open, change, listeners } = watching();
  const [first] = open.splice(0, 1, sessionOf("d"));
  change("sessions");
  vi.advanceTimersByTime(50);
  first?.state.apply(agents);
  open[0]?.state.apply(agents);
  change("budgets");
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([
    { parts: ["sessions"], sessions: [] },
    { parts: ["agents", "budgets"], sessions: [id("d")] },
  ]);
  open[0]?.state.apply(agents);
  watch[Symbol.dispose]();
  vi.advanceTimersByTime(5000);
  expect(told).toHaveLength(2);
  expect([...open.map(({ state }) => state.subscribers.size), listeners.size]).toEqual([0, 0, 0, 0]);
});

test("what a full connection does not take is told once it has room", () => {
  let isFull = true;
  const { watch, told, open } = watching({ takes: () => !isFull });
  using _watch = watch;
  open[0]?.state.apply(agents);
  vi.advanceTimersByTime(1000);
  open[1]?.state.apply({ kind: "client-gone", id: ClientId.parse(1) });
  vi.advanceTimersByTime(1000);
  isFull = false;
  watch.resume();
  vi.advanceTimersByTime(50);
  expect(told).toEqual([{ parts: ["agents", "people"], sessions: [id("a"), id("b")] }]);
});
