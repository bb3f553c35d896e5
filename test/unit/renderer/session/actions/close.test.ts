import { expect, test } from "vitest";
import type { Workspace } from "../../../../../core/layout/layout.ts";
import { emptyWorkspace } from "../../../../../core/layout/workspace.ts";
import type { TileKey } from "../../../../../core/protocol/ids.ts";
import type { Shell } from "../../../../../core/protocol/records.ts";
import { closeTile, closeWorkspace, endShell } from "../../../../../renderer/session/actions/close.ts";
import type { Question } from "../../../../../renderer/session/view/ui-state.ts";
import type { View } from "../../../../../renderer/session/view/view.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";

const KEY = 4 as TileKey;

interface Parts {
  readonly answer?: string;
  readonly agent?: string;
  readonly workspaces?: readonly Workspace[];
  /** The workspaces when the user has answered. */
  readonly later?: readonly Workspace[];
}

/** A view with one shell's tile, whose user gives one answer to every question. */
function viewOf(shell: Partial<Shell>, { answer, agent, workspaces = [], later = workspaces }: Parts = {}) {
  const did: unknown[] = [];
  const asked: Question[] = [];
  const snapshot = {
    state: { workspaces, tiles: { [KEY]: { key: KEY, type: "shell", id: 9 } } },
    mirror: {
      shells: [{ id: 9, title: "work", cwd: "/tmp", command: "/bin/bash", ownerClientId: 1, running: true, ...shell }],
      agents: agent === undefined ? [] : [{ shellId: 9, agentType: agent }],
      clients: [],
    },
    self: { id: 1 },
  };
  const view = {
    host: { snapshot: () => snapshot },
    ui: {
      toasts: { show: (_kind: string, message: string) => did.push(message) },
      closedTiles: createStore([]),
      async ask(question: Question) {
        asked.push(question);
        snapshot.state.workspaces = later;
        return answer;
      },
    },
    async run(method: string, params: object) {
      did.push([method, params]);
      return {};
    },
  } as unknown as View;
  return { view, did, asked };
}

const closed = ["closeTile", { tile: KEY }];
const ended = ["closeShell", { id: 9 }];

test("a shell at its prompt closes without a question, and the user is told where it is", async () => {
  const { view, did, asked } = viewOf({ process: null });
  await closeTile(view, KEY);
  expect(asked).toEqual([]);
  expect(did).toEqual([closed, "“work” stays in the list of shells."]);
});

test.each([
  ["close", [closed, "“vim” stays in the list of shells."]],
  ["end", [ended]],
  [undefined, []],
])("the running program is named, and the answer %s is carried out", async (answer, outcome) => {
  const { view, did, asked } = viewOf({ process: "vim" }, { ...(answer === undefined ? {} : { answer }) });
  await closeTile(view, KEY);
  expect(asked.map(({ body }) => body)).toEqual([expect.stringMatching(/^This shell runs vim\./)]);
  expect(did).toEqual(outcome);
});

test("a running agent is named, and an unknown program may run", async () => {
  const withAgent = viewOf({ process: "node" }, { agent: "claude" });
  await closeTile(withAgent.view, KEY);
  expect(withAgent.asked[0]?.body).toMatch(/^This shell runs claude\./);
  const unknown = viewOf({});
  await closeTile(unknown.view, KEY);
  expect(unknown.asked[0]?.body).toMatch(/^Something may run in this shell\./);
});

test("an ended shell's tile closes at once", async () => {
  const { view, did, asked } = viewOf({ running: false, process: null });
  await closeTile(view, KEY);
  expect([asked, did]).toEqual([[], [closed, "Closed “work”."]]);
});

test("ending asks only if a program runs", async () => {
  const idle = viewOf({ process: null });
  await endShell(idle.view, KEY);
  expect([idle.asked, idle.did]).toEqual([[], [ended]]);
  const busy = viewOf({ process: "make" });
  await endShell(busy.view, KEY);
  expect(busy.asked.map(({ body }) => body)).toEqual([expect.stringMatching(/^This shell runs make\./)]);
  expect(busy.did).toEqual([]);
});

const first: Workspace = { ...emptyWorkspace("1"), recent: [1 as TileKey] };
const second: Workspace = { ...emptyWorkspace("2"), recent: [KEY, 5 as TileKey] };

test.each<[string, readonly Workspace[], unknown]>([
  ["another one was closed", [second], ["closeWorkspace", { index: 0, force: true }]],
  ["its tiles have changed too", [{ ...second, recent: [KEY] }], ["closeWorkspace", { index: 0, force: true }]],
  ["it was closed itself", [first, emptyWorkspace("3")], "This workspace was closed meanwhile."],
])("no workspace is closed but the one that was asked about, where meanwhile %s", async (_, later, outcome) => {
  const { view, did } = viewOf({}, { answer: "close", workspaces: [first, second], later });
  await closeWorkspace(view, 1);
  expect(did).toEqual([outcome]);
});
