import { expect, test } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { startTestRelay } from "../../../../support/test-relay.ts";

const body = { method: "sendChat", params: { message: "once" } };
const key = { "Idempotency-Key": "k1" };

test("the same key and body is executed once, and the answer is marked", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  const [first, second] = await Promise.all([relay.post(body, key), relay.post(body, key)]);
  const third = await relay.post(body, key);
  expect(new Set([first.text, second.text, third.text]).size).toBe(1);
  expect(third.headers.get("idempotency-replayed")).toBe("true");
  expect(third.headers.get("x-service-client")).toBe(first.headers.get("x-service-client"));
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  expect(await relay.command("getChat")).toHaveLength(1);
});

test("an operation called by its path is executed once too", async () => {
  await using relay = await startTestRelay();
  const create = (name: string, headers = key) => relay.request("POST", "/v1/sessions", { headers, body: { name } });
  const [first, second] = [await create("tests"), await create("tests")];
  expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  const other = await create("others");
  expect([other.status, other.headers.get("x-service-error")]).toEqual([409, "idempotency_conflict"]);
  expect((await create("tests", { "Idempotency-Key": "" })).status).toBe(400);
  // A refused one is tried again.
  const missing = () => relay.request("DELETE", "/v1/keys/nobody", { headers: { "Idempotency-Key": "k2" } });
  expect([(await missing()).status, (await missing()).headers.get("idempotency-replayed")]).toEqual([404, null]);
  expect(JSON.parse((await relay.request("GET", "/v1/sessions", { headers: key })).text).result).toHaveLength(2);
});

test("a command that was refused before it was executed is executed when it is repeated", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join();
  const command = { method: "createShell", params: {} };
  await relay.command("changeRole", { client: one.id, role: "reader" });
  const refused = await relay.post(command, key);
  await relay.command("changeRole", { client: one.id, role: "writer" });
  const again = await relay.post(command, key);
  expect([refused.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([403, 200, null]);
});

test("a refusal names the tile and shell that it is about, also when it is repeated", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  const { key: tile, shellId: shell } = await relay.command<{ key: number; shellId: number }>("createShell");
  const named = async (method: string, params: object, headers: Record<string, string> = {}) => {
    const answer = await relay.post({ method, params }, headers);
    return [answer.status, answer.headers.get("x-service-tile"), answer.headers.get("x-service-shell")];
  };
  // Refused by the client, and by the relay to which the client passes the command.
  expect(await named("setRatio", { ratio: 0.5 })).toEqual([400, String(tile), null]);
  const wait = { id: shell, text: "never", timeout: 0.01 };
  expect(await named("waitFor", wait, key)).toEqual([504, null, String(shell)]);
  expect(await named("waitFor", wait, key)).toEqual([504, null, String(shell)]);
  // What is not there is no target.
  expect(await named("focusTile", { key: 99 })).toEqual([404, null, null]);
});

test("the same key with another body is 409", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  await relay.post(body, key);
  const other = await relay.post({ ...body, params: { message: "twice" } }, key);
  expect([other.status, other.headers.get("x-service-error")]).toEqual([409, "idempotency_conflict"]);
  expect(await relay.post(body, { "Idempotency-Key": "k".repeat(256) })).toMatchObject({ status: 400 });
});

test("a refusal by the client is repeated too; one before anybody was asked may be tried again", async () => {
  await using relay = await startTestRelay({ commandTimeoutMs: 50 });
  expect(await relay.post(body, key)).toMatchObject({ status: 504 });
  await using _one = await relay.join();
  const served = await relay.post(body, key);
  expect([served.status, served.headers.get("idempotency-replayed")]).toEqual([200, null]);
  const bad = { method: "focusTile", params: { key: 1 } };
  const refused = await relay.post(bad, { "Idempotency-Key": "k2" });
  await relay.command("createShell");
  const again = await relay.post(bad, { "Idempotency-Key": "k2" });
  expect([refused.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([404, 404, "true"]);
});

test("a broadcast is written once into each of its shells", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  for (let count = 0; count < 2; count++) await relay.command("createShell", { exec: ["cat"] });
  const send = () => relay.post({ method: "broadcastInput", params: { data: "once-only\\n" } }, key);
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map(({ text }) => JSON.parse(text))).toEqual(
    answers.map(() => ({ result: { ids: [1, 2], failed: [] } })),
  );
  expect(answers[2]?.headers.get("idempotency-replayed")).toBe("true");
  for (const id of [1, 2]) {
    await relay.command("writeToShell", { id, data: "later\\n" });
    await relay.command("waitFor", { id, text: "later\nlater", since: 0 });
    const { text } = await relay.post({ method: "getShellOutput", params: { id } });
    // The echo, and what `cat` prints.
    expect(text.match(/once-only/g)).toHaveLength(2);
  }
});

test("a lease is neither taken nor given up again by a repetition", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join();
  const { shellId } = await relay.command<{ shellId: ShellId }>("createShell", { exec: ["cat"] });
  const path = `/v1/sessions/${relay.session}/shells/${shellId}/lease`;
  const take = (name: string) =>
    relay.request("PUT", path, { headers: { "Idempotency-Key": name }, body: { seconds: 60 } });
  const release = () => relay.request("DELETE", path, { headers: { "Idempotency-Key": "release" } });
  const isHeld = () => relay.relay.sessions.get(relay.session).shells.get(shellId).lease !== undefined;
  const taken = await take("take");
  const released = await release();
  const takenAgain = await take("take");
  expect([taken.status, takenAgain.text, takenAgain.headers.get("idempotency-replayed")]).toEqual([
    200,
    taken.text,
    "true",
  ]);
  expect(isHeld()).toBe(false);
  expect((await take("anew")).headers.get("idempotency-replayed")).toBeNull();
  const releasedAgain = await release();
  expect([JSON.parse(released.text), releasedAgain.text]).toEqual([{ result: { released: true } }, released.text]);
  expect(releasedAgain.headers.get("idempotency-replayed")).toBe("true");
  expect(isHeld()).toBe(true);
});
