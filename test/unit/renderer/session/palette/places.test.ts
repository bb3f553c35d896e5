import { expect, test } from "vitest";
import { addFirstTile } from "../../../../../core/layout/open-tile.ts";
import { emptyWorkspace } from "../../../../../core/layout/workspace.ts";
import type { ClientId, ShellId, TileKey } from "../../../../../core/protocol/ids.ts";
import type { Shell } from "../../../../../core/protocol/records.ts";
import { searchEntries } from "../../../../../renderer/session/palette/entry.ts";
import { placeEntries } from "../../../../../renderer/session/palette/places.ts";
import type { AppFrame, SessionSnapshot } from "../../../../../renderer/session/view/session-host.ts";
import { shellRecord } from "../../../main/relay/small-session.ts";

const ME = 1 as ClientId;
const ANN = 2 as ClientId;
const mine = { ownerClientId: ME, owner: "me" };

interface Wanted {
  readonly shells: readonly Shell[];
  readonly agents?: readonly object[];
  readonly tiles?: Readonly<Record<number, object>>;
  readonly role?: string;
}

function snapshotOf({ shells, agents = [], tiles = {}, role = "writer" }: Wanted): SessionSnapshot {
  const keys = Object.keys(tiles).map((key) => Number(key) as TileKey);
  const first = keys[0] === undefined ? emptyWorkspace("1") : addFirstTile(emptyWorkspace("1"), keys[0]);
  return {
    connected: true,
    self: { id: ME, name: "me", role },
    state: { workspaces: [{ ...first, recent: keys }, emptyWorkspace("日本語")], active: 0, tiles, nextKey: 99 },
    mirror: {
      session: { id: "s1", name: "default", owner: "me" },
      shells,
      agents,
      clients: [
        { id: ME, name: "me", device: "desktop", role: "admin" },
        { id: ANN, name: "Ann Berg", device: "Chrome on Linux", role: "writer" },
      ],
      adoptRequests: [],
      roleRequests: [],
      plugins: [],
      questions: [],
      restrictions: { restrictShells: false, requests: [], allowed: [] },
    },
  } as unknown as SessionSnapshot;
}

const busy = snapshotOf({
  shells: [
    shellRecord(1, { cwd: "/srv/api", process: "vim", ...mine }),
    shellRecord(2, { cwd: "/srv/db", process: null, ...mine }),
    shellRecord(3, { cwd: "/srv/web", process: "claude", title: "✳ Fix the retry policy", ...mine }),
    shellRecord(4, { cwd: "/srv/x", process: "htop", ownerClientId: ANN, owner: "Ann Berg" }),
  ],
  agents: [{ shellId: 3, agentType: "claude", state: "waiting" }],
  tiles: {
    1: { key: 1, type: "shell", id: 1, label: "notes" },
    2: { key: 2, type: "shell", id: 2 },
    5: { key: 5, type: "browser", id: 5, url: "http://localhost:3000/docs" },
  },
});
const titlesOf = (snapshot: SessionSnapshot, typed = "") =>
  searchEntries(placeEntries(snapshot, {}, 0), typed).map(({ title }) => title);

test("what waits comes first, then tiles by their last use; the current one is last", () => {
  expect(titlesOf(busy)).toEqual([
    "Fix the retry policy",
    "db",
    "localhost:3000",
    "htop",
    "notes",
    "Workspace 1",
    "日本語",
    "Ann Berg",
  ]);
});

test.each([
  ["vim", "notes"],
  ["notes", "notes"],
  ["srv/db", "db"],
  ["retry", "Fix the retry policy"],
  ["rtry", "Fix the retry policy"],
  ["waits", "Fix the retry policy"],
  ["claude", "Fix the retry policy"],
  ["berg", "Ann Berg"],
  ["日本", "日本語"],
  ["3000", "localhost:3000"],
])("%s finds %s: by program, label, folder, task, state, person and address", (typed, title) => {
  expect(titlesOf(busy, typed)[0]).toBe(title);
});

test("offers what may be done with a shell: go there, watch it, end it", () => {
  const labelsOf = (snapshot: SessionSnapshot, id: number) =>
    placeEntries(snapshot, {}, 0)
      .find((entry) => entry.id === `shell:${id}`)
      ?.actions.map(({ label }) => label);
  expect(labelsOf(busy, 1)).toEqual(["Go to", "End"]);
  expect(labelsOf(busy, 3)).toEqual(["Show", "End"]);
  expect(labelsOf(busy, 4)).toEqual(["Watch", "Ask to take over"]);
  const admin = snapshotOf({ shells: busy.mirror?.shells ?? [], role: "admin" });
  expect(labelsOf(admin, 4)).toEqual(["Watch", "Take over", "End"]);
  const reader = snapshotOf({ shells: busy.mirror?.shells ?? [], role: "reader" });
  expect(labelsOf(reader, 4)).toEqual(["Watch"]);
  const ended = snapshotOf({ shells: [shellRecord(7, { running: false, ...mine })] });
  expect(labelsOf(ended, 7)).toEqual(["Show", "Remove"]);
});

test("an action runs the command for its own shell", async () => {
  const did: unknown[] = [];
  const view = { run: async (method: string, params: object) => did.push([method, params]) };
  const entry = placeEntries(busy, {}, 0).find(({ id }) => id === "shell:4");
  await entry?.actions[0].run(view as never);
  expect(did).toEqual([["openTile", { type: "peek", shell: 4 as ShellId }]]);
});

test("the app's other sessions are places too", () => {
  const opened: string[] = [];
  const app = {
    facts: {
      get: () => ({
        sessions: [
          { id: "s1", name: "default", shells: 4, waiting: 0 },
          { id: "s2", name: "release", shells: 1, waiting: 2 },
        ],
        costToday: 0,
        costByHour: [],
        budget: null,
      }),
    },
    openSession: (id: string) => opened.push(id),
  } as unknown as AppFrame;
  const sessions = placeEntries(busy, { app }, 0).filter(({ group }) => group === "Sessions");
  expect(sessions).toMatchObject([{ title: "release", waits: true, state: { label: "2 wait" } }]);
  sessions[0]?.actions[0].run({} as never);
  expect(opened).toEqual(["s2"]);
  // The window shows a session of another machine that has the id of one of this machine.
  const all = placeEntries(busy, { app, machine: "box" }, 0).filter(({ group }) => group === "Sessions");
  expect(all.map(({ title }) => title)).toEqual(["default", "release"]);
});

test("200 shells are listed and searched well within 50 ms", () => {
  const shells = Array.from({ length: 200 }, (_, index) =>
    shellRecord(index + 1, {
      cwd: `/home/mara/src/service-${index}`,
      process: index % 3 === 0 ? "vim" : null,
      ...mine,
    }),
  );
  const many = snapshotOf({ shells });
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    expect(searchEntries(placeEntries(many, {}, 0), "srvce 17").length).toBeGreaterThan(0);
    return performance.now() - start;
  });
  expect(Math.min(...times)).toBeLessThan(50);
});
