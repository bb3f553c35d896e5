import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ADOPT_TIMEOUT_MS, RESUME_WINDOW_MS } from "../../../../../core/protocol/limits.ts";
import { RestoreWish } from "../../../../../core/protocol/restore.ts";
import { smallSession } from "../small-session.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a client that left may come back within two minutes, and its shells are still its own", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  await client.execute("createShell", {});
  const id = client.self?.id;
  client.disconnect("gone");
  await settled();
  expect(lab.session.state.now.clients).toEqual([]);
  vi.advanceTimersByTime(RESUME_WINDOW_MS - 1);
  const again = await lab.join({}, client.resumeToken);
  expect(again.self?.id).toBe(id);
  expect(await again.execute("getOwnership", {})).toMatchObject({ owned: [1], unowned: [] });
  vi.advanceTimersByTime(RESUME_WINDOW_MS * 2);
  expect(await again.execute("getOwnership", {})).toMatchObject({ owned: [1] });
});

test("after that its shells belong to nobody and run on, and its token opens nothing", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  await client.execute("createShell", {});
  client.disconnect("gone");
  await settled();
  vi.advanceTimersByTime(RESUME_WINDOW_MS);
  expect(lab.session.state.now.shells).toMatchObject([{ running: true, ownerClientId: null, owner: null }]);
  const late = await lab.join({ role: "writer" }, client.resumeToken);
  expect(late.self?.id).not.toBe(client.self?.id);
  expect(await late.execute("adoptShell", { id: 1 })).toEqual({ status: "adopted" });
});

test("a restart of the relay is like a cut: id, layout and shells are kept for two minutes, for the holder of the token", async () => {
  await using lab = smallSession();
  const client = await lab.join({ role: "writer" });
  await client.execute("createShell", {});
  const { key } = (await client.execute("splitShell", { direction: "vertical" })) as { key: number };
  const layout = await client.execute("getLayoutTree", {});
  await settled();
  lab.crash();
  const stranger = await lab.join({ role: "writer", name: "eve" }, "guessed");
  expect(stranger.self?.id).not.toBe(client.self?.id);
  const again = await lab.join({ role: "writer" }, client.resumeToken);
  expect([again.self?.id, again.resumeToken]).toEqual([client.self?.id, client.resumeToken]);
  expect(await again.execute("getLayoutTree", {})).toEqual(layout);
  expect(key).toBe(2);
  lab.crash();
  vi.advanceTimersByTime(RESUME_WINDOW_MS);
  const late = await lab.join({ role: "writer" }, client.resumeToken);
  expect(late.self?.id).not.toBe(client.self?.id);
  expect(lab.session.state.now.shells.map(({ ownerClientId }) => ownerClientId)).toEqual([null, null]);
});

test("a session that is closed leaves no timer that would touch its records", async () => {
  await using lab = smallSession();
  const client = await lab.join();
  await client.execute("createShell", {});
  await lab.session[Symbol.asyncDispose]();
  await settled();
  lab.store.sessions.remove(lab.session.id);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(RESUME_WINDOW_MS * 2);
  expect(client.connected).toBe(false);
});

test("a request to adopt that nobody answers lapses after a minute", async () => {
  await using lab = smallSession();
  const owner = await lab.join({ role: "writer" });
  const asker = await lab.join({ role: "writer", name: "bob" });
  await owner.execute("createShell", {});
  await settled();
  const events: unknown[] = [];
  asker.onEvent((event) => events.push(event));
  expect(await asker.execute("adoptShell", { id: 1 })).toMatchObject({ status: "requested" });
  vi.advanceTimersByTime(ADOPT_TIMEOUT_MS - 1);
  expect(lab.session.state.now.adoptRequests).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await settled();
  expect(lab.session.state.now.adoptRequests).toEqual([]);
  expect(events).toContainEqual({
    type: "adopt.answered",
    data: { shellId: 1, from: asker.self?.id, outcome: "expired" },
  });
});

test("after a restart that has ended shells, the owner's next new client has the last layout, and others do not", async () => {
  await using lab = smallSession();
  const client = await lab.join({ role: "admin" });
  await client.execute("createShell", {});
  await client.execute("renameTile", { name: "build", key: 1 });
  const layout = await client.execute("getLayoutTree", {});
  await settled();
  lab.crash();
  vi.advanceTimersByTime(RESUME_WINDOW_MS);
  // Also when that is restarted, in which nobody came.
  lab.crash();
  const guest = await lab.join(lab.guest());
  expect(await guest.execute("getTiles", {})).toEqual([]);
  const restored = await lab.session.restorer.restore(lab.session.clients.relayUser, RestoreWish.parse({ all: true }));
  expect(restored).toMatchObject([{ shellId: 1, state: "started", newShellId: 2 }]);
  const next = await lab.join({ role: "admin" });
  expect(await next.execute("getLayoutTree", {})).toEqual(layout);
  expect(await next.execute("getTiles", {})).toMatchObject([{ id: 2, label: "build" }]);
  const another = await lab.join({ role: "admin" });
  expect(await another.execute("getTiles", {})).toEqual([]);
});
