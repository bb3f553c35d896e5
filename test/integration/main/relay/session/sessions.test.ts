import { expect, test } from "vitest";
import { joinRelay } from "../../../../support/scripted-client.ts";
import { startTestRelay, type TestRelay } from "../../../../support/test-relay.ts";

interface Record {
  readonly id: string;
  readonly name: string;
}

async function sessions(relay: TestRelay): Promise<Record[]> {
  return (JSON.parse((await relay.request("GET", "/v1/sessions")).text) as { result: Record[] }).result;
}

test("a session is made, listed, renamed and closed", async () => {
  await using relay = await startTestRelay();
  const made = await relay.request("POST", "/v1/sessions", { body: { name: " work " } });
  expect(made.status).toBe(201);
  const { result } = JSON.parse(made.text) as { result: Record };
  expect(result).toMatchObject({ name: "work", owner: relay.relay.user, userCount: 0, shellCount: 0 });
  expect((await sessions(relay)).map(({ name }) => name)).toEqual(["default", "work"]);
  const path = `/v1/sessions/${result.id}`;
  expect(await relay.request("PATCH", path, { body: { name: "play" } })).toMatchObject({ status: 200 });
  expect((await sessions(relay)).map(({ name }) => name)).toEqual(["default", "play"]);
  await relay.restart();
  expect((await sessions(relay)).map(({ name }) => name)).toEqual(["default", "play"]);
  expect(await relay.request("DELETE", path)).toMatchObject({ status: 200 });
  expect(await relay.request("DELETE", path)).toMatchObject({ status: 404 });
  expect((await sessions(relay)).map(({ name }) => name)).toEqual(["default"]);
});

test.each([[{}], [{ name: "" }], [{ name: "x".repeat(201) }], [{ name: 1 }], [{ name: "a", extra: 1 }]])(
  "a session cannot be made of %j",
  async (body) => {
    await using relay = await startTestRelay();
    expect(await relay.request("POST", "/v1/sessions", { body })).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^body\./),
    });
    expect(await sessions(relay)).toHaveLength(1);
  },
);

test("two sessions know nothing of each other", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  await relay.command("sendChat", { message: "secret" });
  const other = relay.relay.sessions.create(relay.relay.user, "other");
  const post = (method: string, params: object) =>
    relay.request("POST", `/v1/sessions/${other.id}/remote/command`, {
      body: { method, params },
      headers: { "X-Service-Timeout": "0.05" },
    });
  expect(await post("getChat", {})).toMatchObject({ status: 504 });
  await using _two = await joinRelay({ relay: relay.relay, session: other.id, key: relay.key }, {});
  expect(await post("getChat", {})).toMatchObject({ status: 200, text: '{"result":[]}' });
  expect(await post("getShells", {})).toMatchObject({ status: 200, text: '{"result":[]}' });
  expect(await post("writeToShell", { id: shellId, data: "x" })).toMatchObject({ status: 404 });
});

test("a closed session ends its shells and sends its clients away", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join({ over: "socket" });
  await relay.command("createShell");
  const [shell] = await relay.command<{ pid: number }[]>("getShells");
  expect(await relay.request("DELETE", `/v1/sessions/${relay.session}`)).toMatchObject({ status: 200 });
  await expect.poll(() => client.client.connected).toBe(false);
  expect(() => process.kill(shell?.pid ?? 0, 0)).toThrow(/ESRCH/);
  expect(await relay.get("chat")).toMatchObject({ status: 404 });
});
