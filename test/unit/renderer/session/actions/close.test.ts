import { expect, test } from "vitest";
import type { TileKey } from "../../../../../core/protocol/ids.ts";
import type { Shell } from "../../../../../core/protocol/records.ts";
import { closeTile, endShell } from "../../../../../renderer/session/actions/close.ts";
import type { Question } from "../../../../../renderer/session/view/ui-state.ts";
import type { View } from "../../../../../renderer/session/view/view.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";

const KEY = 4 as TileKey;

/** A view with one shell's tile, whose user gives one answer to every question. */
function viewOf(shell: Partial<Shell>, { answer, agent }: { answer?: string; agent?: string } = {}) {
  const did: unknown[] = [];
  const asked: Question[] = [];
  const snapshot = {
    state: { workspaces: [], tiles: { [KEY]: { key: KEY, type: "shell", id: 9 } } },
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
