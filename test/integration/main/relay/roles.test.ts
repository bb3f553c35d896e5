import { expect, test } from "vitest";
import { methodNames, specs } from "../../../../core/commands/specs.ts";
import { RemoteError } from "../../../../core/protocol/errors.ts";
import { PROTOCOL_VERSION } from "../../../../core/protocol/frames.ts";
import { exampleParams } from "../../../contract/example-params.ts";
import type { ScriptedClient } from "../../../support/scripted-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";

test("a reader is refused every changing method, and served every other", async () => {
  await using relay = await startTestRelay();
  await using admin = await relay.join();
  await relay.command("createShell", {}, admin.id);
  await using reader = await relay.join({ role: "reader", kind: "browser" });
  const before = lastingFacts(relay, reader);
  const untargeted = methodNames.filter((method) => specs[method].untargeted === true);
  for (const method of methodNames.filter((name) => specs[name].role !== "reader" && !untargeted.includes(name))) {
    const answer = await relay.post({ method, params: exampleParams[method], target_client_id: reader.id });
    expect([method, answer.status, answer.headers.get("x-service-error")]).toEqual([method, 403, "role_forbids"]);
  }
  expect(lastingFacts(relay, reader)).toEqual(before);
  for (const method of ["getLayout", "getRole", "getShells", "toast"] as const) {
    const answer = await relay.post({ method, params: exampleParams[method], target_client_id: reader.id });
    expect([method, answer.status]).toEqual([method, 200]);
  }
  expect(await relay.command("getRole", {}, reader.id)).toEqual({ role: "reader" });
});

/** All that a command could have changed; not what a shell's programs change by themselves. */
function lastingFacts(relay: TestRelay, { client }: ScriptedClient) {
  const { shells, ...facts } = relay.relay.sessions.get(relay.session).state.now;
  const lasting = shells.map(({ process: _process, title: _title, cwd: _cwd, activeAt: _activeAt, ...shell }) => shell);
  return structuredClone({ ...facts, shells: lasting, layout: client.state.now });
}

test("the relay checks the role itself, whatever the client believes", async () => {
  await using relay = await startTestRelay();
  await using reader = await relay.join({ role: "reader" });
  for (const [op, params] of [
    ["createShell", {}],
    ["sendChat", { text: "hello" }],
    ["broadcastEvent", { type: "x" }],
  ] as const) {
    await expect(reader.client.ask(op, params)).rejects.toSatisfy(
      (error) => error instanceof RemoteError && error.code === "role_forbids",
    );
  }
});

test("a writer closes its own shells only, an admin any", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join({ role: "writer", name: "ann" });
  await using other = await relay.join({ role: "writer", name: "bob" });
  await using admin = await relay.join({ role: "admin" });
  const { shellId: first } = await relay.command<{ shellId: number }>("createShell", {}, owner.id);
  const { shellId: second } = await relay.command<{ shellId: number }>("createShell", {}, owner.id);
  const refused = await relay.post({ method: "closeShell", params: { id: first }, target_client_id: other.id });
  expect([refused.status, refused.headers.get("x-service-error")]).toEqual([403, "not_your_shell"]);
  expect(await relay.command("closeShell", { id: first }, owner.id)).toEqual({ id: first });
  expect(await relay.command("closeShell", { id: second }, admin.id)).toEqual({ id: second });
  expect(await relay.command("getShells", {}, admin.id)).toEqual([]);
  expect(await relay.command("getTiles", {}, owner.id)).toEqual([]);
});

test("a reader's own view arranges its screen, and nothing that is shared", async () => {
  await using relay = await startTestRelay();
  await using reader = await relay.join({ role: "reader" });
  await reader.client.execute("openTile", { type: "browser" });
  expect(await relay.command("getTiles")).toMatchObject([{ key: 1, type: "browser" }]);
  await expect(reader.client.execute("createShell", {})).rejects.toMatchObject({ code: "role_forbids" });
  await expect(reader.client.execute("sendChat", { message: "x" })).rejects.toMatchObject({ code: "role_forbids" });
});

test("a reader's client reports the toast or notification that it was sent, in the sender's words, and none of its own", async () => {
  await using relay = await startTestRelay();
  await using reader = await relay.join({ role: "reader" });
  await using owner = await relay.join();
  const shown = async (method: string, params: object) => await relay.command(method, params, reader.id);
  expect(await shown("toast", { message: "the owner's words" })).toEqual({ shown: true, by: "toast" });
  expect(await shown("notify", { title: "the owner's title" })).toEqual({ shown: true, by: "native" });
  const feigned = { message: "feigned", title: "feigned", kind: "info", by: "native" } as const;
  const { message, kind, by, title } = feigned;
  await expect(reader.client.ask("toastShown", { message, kind, by })).rejects.toMatchObject({ code: "role_forbids" });
  await expect(reader.client.ask("notificationShown", { title, by })).rejects.toMatchObject({ code: "role_forbids" });
  const told = owner.events.filter(({ type }) => type === "toast" || type === "notification");
  expect(told.map(({ data }) => data)).toEqual([
    { clientId: reader.id, message: "the owner's words", kind: "info" },
    { clientId: reader.id, title: "the owner's title" },
  ]);
});

test("what a hostile client delegates for a command of another text or kind is not told", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join({ kind: "browser" });
  const pair = relay.relay.attachLocal(relay.session, { name: "reader", role: "reader" });
  const welcomed = new Promise<number>((resolve) => {
    pair.onFrame((frame) => {
      if (frame.type === "welcome") resolve(frame.client);
      if (frame.type !== "execute") return;
      const params = { message: "feigned", kind: "error", by: "toast" };
      pair.send({ type: "delegate", id: frame.id, op: "toastShown", params });
    });
  });
  pair.send({ type: "hello", protocol: PROTOCOL_VERSION, device: "test", clientKind: "browser" });
  const target = await welcomed;
  await relay.command("toast", { message: "the owner's words" }, target);
  const other = await relay.post({ method: "getTiles", params: {}, target_client_id: target });
  expect([other.status, other.headers.get("x-service-error")]).toEqual([403, "role_forbids"]);
  const told = owner.events.filter(({ type }) => type === "toast");
  expect(told).toMatchObject([{ data: { message: "the owner's words", kind: "info" } }]);
});
