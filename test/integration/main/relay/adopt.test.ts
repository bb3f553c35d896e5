import { expect, test } from "vitest";
import { focusOf } from "../../../../core/state/client-state.ts";
import type { ScriptedClient } from "../../../support/scripted-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

async function openShell(relay: TestRelay, owner: ScriptedClient): Promise<number> {
  return (await relay.command<{ shellId: number }>("createShell", {}, owner.id)).shellId;
}

test("an admin adopts at once, and the shell shows in a tile", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join({ role: "writer", name: "ann" });
  await using admin = await relay.join({ role: "admin", name: "eve" });
  const shell = await openShell(relay, owner);
  expect(await relay.command("adoptShell", { id: shell }, admin.id)).toEqual({ status: "adopted" });
  expect(await relay.command("getTiles", {}, admin.id)).toMatchObject([{ type: "shell", id: shell }]);
  expect(await relay.command("getOwnership", {}, owner.id)).toEqual({
    owned: [],
    others: [{ id: shell, ownerClientId: admin.id, owner: "eve" }],
    unowned: [],
  });
});

test("a writer asks the owner; allowed, the tile appears and everybody hears of it", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join({ role: "writer", name: "ann" });
  await using asker = await relay.join({ role: "writer", name: "bob" });
  const shell = await openShell(relay, owner);
  const asked = await relay.command("adoptShell", { id: shell }, asker.id);
  expect(asked).toEqual({ status: "requested", request: 1, ownerClientId: owner.id });
  expect(await relay.command("adoptShell", { id: shell }, asker.id)).toEqual(asked);
  expect((await owner.event("adopt.requested")).data).toEqual({
    request: 1,
    shellId: shell,
    from: asker.id,
    to: owner.id,
  });
  expect(await relay.command("getAdoptRequests", {}, asker.id)).toMatchObject([{ id: 1, shellId: shell }]);
  expect(owner.client.mirror?.adoptRequests).toHaveLength(1);
  const [request] = owner.client.mirror?.adoptRequests ?? [];
  const byAsker = await relay.post({
    method: "answerAdopt",
    params: { request: request?.id },
    target_client_id: asker.id,
  });
  expect(byAsker.headers.get("x-service-error")).toBe("not_your_shell");
  await relay.command("answerAdopt", { request: request?.id }, owner.id);
  expect((await asker.event("adopt.answered")).data).toEqual({ shellId: shell, from: asker.id, outcome: "allowed" });
  await until("the tile", () => Object.values(asker.client.state.now.tiles).some((tile) => tile.id === shell));
  expect(await relay.command("getOwnership", {}, asker.id)).toMatchObject({ owned: [shell] });
  expect(owner.client.mirror?.adoptRequests).toEqual([]);
});

test("a shell that was asked for without the focus does not take it once its owner allows it", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join({ role: "writer", name: "ann" });
  await using asker = await relay.join({ role: "writer", name: "bob" });
  const shell = await openShell(relay, owner);
  await openShell(relay, asker);
  const before = focusOf(asker.client.state.now);
  await relay.command("adoptShell", { id: shell, focus: false }, asker.id);
  await relay.command("answerAdopt", { request: 1 }, owner.id);
  await until("the tile", () => Object.values(asker.client.state.now.tiles).some((tile) => tile.id === shell));
  expect(focusOf(asker.client.state.now)).toBe(before);
});

test("denied, nothing changes hands, and the request is answered once", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join({ role: "writer", name: "ann" });
  await using asker = await relay.join({ role: "writer", name: "bob" });
  const shell = await openShell(relay, owner);
  await relay.command("adoptShell", { id: shell }, asker.id);
  await relay.command("answerAdopt", { request: 1, allow: false }, owner.id);
  expect((await asker.event("adopt.answered")).data).toMatchObject({ outcome: "denied" });
  expect(await relay.command("getOwnership", {}, owner.id)).toMatchObject({ owned: [shell] });
  expect(await relay.command("getTiles", {}, asker.id)).toEqual([]);
  const again = await relay.post({ method: "answerAdopt", params: { request: 1 }, target_client_id: owner.id });
  expect(again).toMatchObject({ status: 404 });
});

test("a shell that is closed takes the request with it", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join({ role: "writer", name: "ann" });
  await using asker = await relay.join({ role: "writer", name: "bob" });
  const shell = await openShell(relay, owner);
  await relay.command("adoptShell", { id: shell }, asker.id);
  await relay.command("closeShell", { id: shell }, owner.id);
  expect((await asker.event("adopt.answered")).data).toMatchObject({ shellId: shell, outcome: "expired" });
  expect(owner.client.mirror?.adoptRequests).toEqual([]);
});
