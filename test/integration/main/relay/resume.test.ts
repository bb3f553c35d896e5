import { expect, test } from "vitest";
import { startTestRelay } from "../../../support/test-relay.ts";

test.each(["memory", "socket"] as const)(
  "over %s, a client that comes back keeps its id, its layout and its shells",
  async (over) => {
    await using relay = await startTestRelay();
    const page = await relay.join({ kind: "browser", over });
    const { shellId } = await relay.command<{ shellId: number }>("createShell");
    await relay.command("splitShell", { direction: "vertical" });
    const before = await relay.command("getLayoutTree");
    const resume = page.client.resumeToken;
    expect(resume).toBeDefined();
    await page.leave();
    await using again = await relay.join({ kind: "browser", over, ...(resume === undefined ? {} : { resume }) });
    expect(again.id).toBe(page.id);
    expect(await relay.command("getLayoutTree")).toEqual(before);
    expect(await relay.command<{ owned: number[] }>("getOwnership")).toMatchObject({ owned: [shellId, shellId + 1] });
    expect(await relay.command<{ focus: number | null }[]>("getUsers")).toMatchObject([{ focus: 2 }]);
  },
);

test("the same client over a new link tells what changed meanwhile, and keeps its focus", async () => {
  await using relay = await startTestRelay();
  await using desk = await relay.join();
  await relay.command("createShell");
  desk.client.disconnect("cut");
  await desk.event("shell.created");
  await desk.client.connect(relay.relay.attachLocal(relay.session, { name: "ann", role: "admin" }));
  expect(desk.client.self?.id).toBe(desk.id);
  expect(await relay.command("getUsers")).toMatchObject([{ focus: 1 }]);
});

test("a wrong token makes a new client, and ids are never given twice", async () => {
  await using relay = await startTestRelay();
  const first = await relay.join();
  await first.leave();
  await using second = await relay.join({ resume: "no such token" });
  expect(second.id).toBeGreaterThan(first.id);
  await relay.restart();
  await using third = await relay.join();
  expect(third.id).toBeGreaterThan(second.id);
});

test("whoever comes with the token takes the seat; the other is told, and does not fight for it", async () => {
  await using relay = await startTestRelay();
  const first = await relay.join({ over: "socket" });
  const resume = first.client.resumeToken ?? "";
  await using second = await relay.join({ over: "socket", resume });
  expect(second.id).toBe(first.id);
  await expect.poll(() => first.client.connected).toBe(false);
  expect(first.client.resumeToken).toBeUndefined();
  expect(await relay.command("getClients")).toHaveLength(1);
});

test("the desktop keeps its seat and layout over a restart of the relay", async () => {
  await using relay = await startTestRelay();
  const first = await relay.join({ place: "desktop" });
  await relay.command("openTile", { type: "tunnel", port: 3000 });
  await relay.command("openTile", { type: "browser", url: "http://127.0.0.1/" });
  const before = await relay.command("getLayoutGeometry");
  await relay.restart();
  expect(first.client.connected).toBe(false);
  await using again = await relay.join({ place: "desktop" });
  expect(again.id).toBe(first.id);
  expect(await relay.command("getLayoutGeometry")).toEqual(before);
});
