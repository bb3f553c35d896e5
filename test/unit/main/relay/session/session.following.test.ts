import { afterEach, beforeEach, expect, test } from "vitest";
import type { Client } from "../../../../../core/client/client.ts";
import { hostOf, LayoutFollower } from "../../../../../core/client/layout-follower.ts";
import type { ClientId, TileKey } from "../../../../../core/protocol/ids.ts";
import { type ClientRecord, PERSON_COLOURS } from "../../../../../core/protocol/records.ts";
import { activeWorkspace } from "../../../../../core/state/client-state.ts";
import { until } from "../../../../support/until.ts";
import { type SmallSession, smallSession } from "../small-session.ts";

let lab: SmallSession;
let ann: Client;

beforeEach(async () => {
  lab = smallSession();
  ann = await lab.join({ place: "desktop" });
});

afterEach(() => lab[Symbol.asyncDispose]());

function idOf({ self }: Client): ClientId {
  if (self === undefined) throw new Error("not connected");
  return self.id;
}

/** What a client's tiles show, in the order of their keys, and the place of the focus. */
function screen({ state }: Client): unknown {
  const { root, recent, maximized } = activeWorkspace(state.now);
  const tiles = Object.values(state.now.tiles).map(({ type, id }) => `${type} ${id}`);
  return { tiles, root, focus: recent[0], maximized };
}

function seenBy(client: Client, id: ClientId): ClientRecord | undefined {
  return client.mirror?.clients.find((one) => one.id === id);
}

test("who follows a client has its layout and every change of it, and watches the shells of others", async () => {
  const bob = await lab.join(lab.guest());
  const { shellId: own } = (await bob.execute("createShell", {})) as { shellId: number };
  const follower = new LayoutFollower(bob);
  await ann.execute("createShell", {});
  await ann.execute("openTile", { type: "peek", shell: own });
  follower.follow(idOf(ann));
  await until("the layout", () => (screen(bob) as { tiles: string[] }).tiles.length === 2);
  expect(screen(bob)).toEqual({ ...(screen(ann) as object), tiles: ["peek 2", `shell ${own}`] });
  const key = (await ann.execute("splitShell", { direction: "vertical" })) as { key: number };
  await ann.execute("maximize", { tile: key.key });
  await until("the change", () => activeWorkspace(bob.state.now).maximized === key.key);
  expect(screen(bob)).toEqual({ ...(screen(ann) as object), tiles: ["peek 2", `shell ${own}`, "peek 3"] });
  // A shell that ends is no change that Bob has made.
  await ann.execute("closeShell", { id: 3 });
  await until("its tile to go", () => (screen(bob) as { tiles: string[] }).tiles.length === 2);
  expect(follower.target).toBe(idOf(ann));
});

test("what has a window of its own at the one who is followed is a workspace for the follower", async () => {
  await ann.execute("createShell", {});
  await ann.execute("createShell", {});
  const bob = await lab.join(lab.guest());
  const follower = new LayoutFollower(bob);
  follower.follow(idOf(ann));
  await ann.execute("breakTile", { tile: 1, window: true });
  await until("the workspace", () => bob.state.now.workspaces.length === 2);
  expect(screen(bob)).toEqual({ ...(screen(ann) as object), tiles: ["peek 1", "peek 2"] });
  expect(bob.state.now.workspaces.map(({ window }) => window)).toEqual([undefined, undefined]);
  await ann.execute("moveBack", { tile: 1 });
  await until("one workspace", () => bob.state.now.workspaces.length === 1);
  expect(follower.target).toBe(idOf(ann));
});

test("a change of one's own ends the following, by a command of another caller too, and the layout stays", async () => {
  await ann.execute("createShell", {});
  await ann.execute("createShell", {});
  const bob = await lab.join(lab.guest());
  const follower = new LayoutFollower(bob);
  const left: (ClientId | undefined)[] = [];
  follower.onChange((_target, from) => left.push(from));
  follower.follow(idOf(ann));
  await until("the layout", () => Object.keys(bob.state.now.tiles).length === 2);
  const back = activeWorkspace(bob.state.now).recent[1];
  await bob.execute("focusTile", { key: back });
  expect([follower.target, left]).toEqual([undefined, [undefined, idOf(ann)]]);
  const before = screen(bob);
  await ann.execute("createShell", {});
  // The relay has passed the event on before it answers.
  await bob.ask("readLayout", { client: idOf(ann) });
  expect(screen(bob)).toEqual(before);
});

test("who follows goes on when the other comes back under its id, and when it was cut off itself", async () => {
  const bob = await lab.join(lab.guest());
  const follower = new LayoutFollower(bob);
  follower.follow(idOf(ann));
  ann.disconnect("gone");
  await until("it to be gone", () => seenBy(bob, follower.target as ClientId) === undefined);
  const again = await lab.join({ place: "desktop" });
  expect(idOf(again)).toBe(follower.target);
  await again.execute("createShell", {});
  await until("its layout", () => Object.keys(bob.state.now.tiles).length === 1);
});

test("who is followed next is read, also where the layout of the one before could not be", async () => {
  await ann.execute("createShell", {});
  const bob = await lab.join(lab.guest());
  const follower = new LayoutFollower(bob);
  follower.follow(99 as ClientId);
  follower.follow(idOf(ann));
  await until("the layout", () => Object.keys(bob.state.now.tiles).length === 1);
});

test("the layout of a client is read without what may be secret in addresses, and only while it is connected", async () => {
  await ann.execute("openTile", { type: "browser", url: "http://ann:pw@localhost:3000/app?token=secret#part" });
  const bob = await lab.join(lab.guest({ role: "reader" }));
  const { layout } = await bob.ask("readLayout", { client: idOf(ann) });
  expect(JSON.stringify(layout)).toContain('"http://localhost:3000/app"');
  expect(JSON.stringify(layout)).not.toMatch(/secret|pw|part/);
  await expect(bob.ask("readLayout", { client: 99 as ClientId })).rejects.toMatchObject({ code: "unknown_client" });
});

test("every client knows which shell the others look at; a shell that is none is not believed", async () => {
  await ann.execute("createShell", {});
  const bob = await lab.join(lab.guest());
  await until("where Ann looks", () => seenBy(bob, idOf(ann))?.looksAt?.id === 1);
  expect(seenBy(bob, idOf(ann))?.looksAt).toEqual({ type: "shell", id: 1 });
  await bob.execute("openTile", { type: "peek", shell: 1 });
  await until("where Bob looks", () => seenBy(ann, idOf(bob))?.looksAt !== undefined);
  bob.state.update((now) => ({
    ...now,
    tiles: Object.fromEntries(Object.values(now.tiles).map((tile) => [tile.key, { ...tile, id: 77 }])),
  }));
  await until("it to be corrected", () => seenBy(ann, idOf(bob))?.looksAt === undefined);
});

test("people have different colours while there are enough, and one colour in all of their tabs", async () => {
  const guests = Array.from({ length: PERSON_COLOURS - 1 }, (_, index) => lab.guest({ name: `guest ${index}` }));
  const clients = [ann];
  for (const guest of guests) clients.push(await lab.join(guest));
  const colours = clients.map((client) => seenBy(ann, idOf(client))?.colour);
  expect(new Set(colours).size).toBe(PERSON_COLOURS);
  const [first] = guests;
  const tab = await lab.join(first);
  expect(seenBy(ann, idOf(tab))?.colour).toBe(colours[1]);
  const back = await lab.join({}, undefined);
  expect(seenBy(ann, idOf(back))?.colour).toBe(colours[0]);
});

test("guests follow the owner's app, else the owner's client that was active last, and for one without a screen a guest who types", () => {
  const client = (id: number, more: Partial<ClientRecord> = {}): ClientRecord => ({
    id: id as ClientId,
    name: "x",
    role: "admin",
    device: "x",
    clientKind: "browser",
    focus: null,
    connectedAt: new Date(id).toISOString(),
    ...more,
  });
  const host = (...clients: ClientRecord[]) => hostOf({ clients }, 99 as ClientId)?.id;
  const tile = 1 as TileKey;
  const guest = client(9, { guest: true, clientKind: "desktop" });
  const late = client(3, { activeAt: new Date(50).toISOString() });
  const app = client(2, { clientKind: "desktop", device: "Linux" });
  const headless = client(4, { clientKind: "desktop", device: "headless", focus: tile });
  expect(host(guest)).toBeUndefined();
  expect(host(guest, client(1), late, client(7))).toBe(3);
  expect(host(guest, late, app)).toBe(2);
  expect(host(headless)).toBeUndefined();
  expect(host(headless, late)).toBe(3);
  // An empty stage is followed only where there is nothing else.
  expect(host(late, client(5, { focus: tile }))).toBe(5);
  const typing = { guest: true, role: "writer", focus: tile } as const;
  expect(host(headless, client(6, { ...typing, activeAt: new Date(70).toISOString() }), client(7, typing))).toBe(6);
  expect(host(headless, client(6, { ...typing, role: "reader" }))).toBeUndefined();
  expect(hostOf({ clients: [headless, client(99, typing)] }, 99 as ClientId)).toBeUndefined();
  // Where the owner has no client at all, each guest has a layout of their own.
  expect(host(client(6, typing))).toBeUndefined();
});
