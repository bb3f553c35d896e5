import { beforeEach, expect, test } from "vitest";
import type { ClientId } from "../../../../../core/protocol/ids.ts";
import type { Tunnel } from "../../../../../core/protocol/records.ts";
import { offerTunnels } from "../../../../../renderer/session/tiles/offer-tunnels.ts";
import { ToastStore } from "../../../../../renderer/session/view/toast-store.ts";
import { shellRecord } from "../../../main/relay/small-session.ts";

const at = (port: number, shellId = 9) =>
  ({ port, shellId, process: "node", url: "http://127.0.0.1:1/", since: "2026-01-01T00:00:00Z" }) as Tunnel;

let toasts: ToastStore;
let did: unknown[];

beforeEach(() => {
  toasts = new ToastStore();
  did = [];
});

/** A client with shell 9; answers how to change the tunnels. */
function start(tunnels: Tunnel[], { role = "writer", tiles = {} } = {}): (tunnels: Tunnel[]) => void {
  let changed = () => {};
  const snapshotOf = (now: Tunnel[]) => ({
    state: { tiles },
    mirror: {
      tunnels: now,
      shells: [
        shellRecord(9, { ownerClientId: 1 as ClientId, process: "npm", cwd: "/srv" }),
        shellRecord(8, { ownerClientId: 2 as ClientId }),
      ],
      agents: [],
    },
    self: { id: 1, role },
  });
  let snapshot = snapshotOf(tunnels);
  offerTunnels({
    ui: { toasts },
    run: async (method: string, params: object) => did.push([method, params]),
    host: {
      snapshot: () => snapshot,
      subscribe(listener: () => void) {
        changed = listener;
        return () => undefined;
      },
    },
  } as unknown as Parameters<typeof offerTunnels>[0]);
  return (now) => {
    snapshot = snapshotOf(now);
    changed();
  };
}

const words = () => toasts.shown.get().map(({ message }) => message);

test("a port that a program begins to listen on is offered, and opened as a tile", () => {
  const show = start([at(1)]);
  show([at(1), at(3000)]);
  expect(words()).toEqual(["node in “npm” listens on port 3000."]);
  toasts.shown.get()[0]?.actions[0]?.run();
  expect(did).toEqual([["openTile", { type: "tunnel", port: 3000 }]]);
});

test("a port is offered once, and the offer is removed with the program", () => {
  const show = start([]);
  show([at(3000)]);
  show([]);
  expect(words()).toEqual([]);
  show([at(3000)]);
  expect(words()).toEqual([]);
});

test.each([
  ["another client's shell", [at(3000, 8)], {}],
  ["a reader", [at(3000)], { role: "reader" }],
  ["a port with a tile", [at(3000)], { tiles: { 4: { key: 4, type: "tunnel", id: 3000 } } }],
])("nothing is offered for %s", (_whose, tunnels, options) => {
  start([], options)(tunnels);
  expect(words()).toEqual([]);
});
