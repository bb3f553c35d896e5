// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FleetLab, startFleetLab, untilAllPresent } from "../../../../support/fleet-lab.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";

let lab: FleetLab;
let laptop: TestRelay;
let box: TestRelay;

beforeAll(async () => {
  lab = await startFleetLab(["laptop", "box"], { commandTimeoutMs: 20_000 });
  laptop = lab.relay("laptop");
  box = lab.relay("box");
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

/** Sends a chat message to the box's session through the laptop, once for its key. */
function chat(message: string, timeout = 20) {
  return laptop.request("POST", `/v1/sessions/${box.session}/remote/command`, {
    body: { method: "sendChat", params: { message } },
    headers: { "X-Service-Token": box.key, "Idempotency-Key": message, "X-Service-Timeout": String(timeout) },
  });
}

async function messages(): Promise<string[]> {
  return (await box.command<{ text: string }[]>("getChat")).map(({ text }) => text);
}

test("a request that is made while the broker is away is answered when it is back, and executed once", async () => {
  await using _client = await box.join();
  await lab.broker.kill();
  await until("the loss to be noticed", () => laptop.relay.fleet?.status().state === "disconnected");
  const waiting = chat("while away");
  await lab.broker.start();
  expect((await waiting).status).toBe(200);
  expect((await messages()).filter((text) => text === "while away")).toHaveLength(1);
  await untilAllPresent([laptop, box], 2);
});

test("every command that was acknowledged while the broker is killed again and again was executed once", async () => {
  await using _client = await box.join();
  let isOver = false;
  const acknowledged: string[] = [];
  const caller = async (name: string) => {
    for (let count = 0; !isOver; count++) {
      const message = `${name}-${count}`;
      for (let tries = 0; tries < 5; tries++) {
        const { status, headers } = await chat(message);
        if (status === 200) acknowledged.push(message);
        else expect([status, headers.get("x-service-error")]).toEqual([504, "relay_away"]);
        if (status === 200) break;
      }
    }
  };
  const callers = ["a", "b", "c", "d"].map(caller);
  for (let kills = 0; kills < 3; kills++) {
    const before = acknowledged.length;
    await until("commands to be acknowledged", () => acknowledged.length > before + 20, 30_000);
    await lab.broker.kill();
    await lab.broker.start();
  }
  const before = acknowledged.length;
  await until("commands to be acknowledged", () => acknowledged.length > before + 20, 30_000);
  isOver = true;
  await Promise.all(callers);
  const executed = await messages();
  const counted = acknowledged.map((message) => [message, executed.filter((text) => text === message).length]);
  expect(counted.filter(([, times]) => times !== 1)).toEqual([]);
});

test("a session whose relay is stopped is listed as away, its commands are 504, and it is back with its relay", async () => {
  await box.relay.fleet?.[Symbol.asyncDispose]();
  const listed = async () => {
    const { result } = JSON.parse((await laptop.request("GET", "/v1/sessions")).text);
    return (result as { id: string; awaySince?: string }[]).find(({ id }) => id === box.session);
  };
  await until("the session to be listed as away", async () => (await listed())?.awaySince);
  const { members = [] } = laptop.relay.fleet?.status() ?? {};
  expect(members).toContainEqual(
    expect.objectContaining({ name: "box", state: "away", awaySince: expect.any(String) }),
  );
  const lost = await chat("to nobody", 0.3);
  expect([lost.status, lost.headers.get("x-service-error")]).toEqual([504, "relay_away"]);
  const waiting = chat("to the one that comes back");
  await using _client = await box.join();
  await lab.join("box");
  expect((await waiting).status).toBe(200);
  expect(await messages()).not.toContain("to nobody");
  await untilAllPresent([laptop, box], 2);
});

test("a relay that has not joined its fleet since its start says so to callers with keys of others, and knows its own", async () => {
  await lab.broker.kill();
  await laptop.restart();
  await lab.join("laptop");
  const ask = async (key: string, path: string) => {
    const answer = await laptop.request("GET", `/v1/sessions/${path}`, { headers: { "X-Service-Token": key } });
    return [answer.status, answer.headers.get("x-service-error")];
  };
  expect(await ask(box.key, `${box.session}/socket`)).toEqual([504, "relay_away"]);
  expect(await ask(laptop.key, `${box.session}/socket`)).toEqual([404, "unknown_session"]);
  expect(await ask(laptop.key, `${laptop.session}/socket`)).toEqual([200, null]);
  await lab.broker.start();
  await until("the relays to meet", async () => (await ask(box.key, `${box.session}/socket`))[0] === 200);
  expect(await ask(laptop.key, `${box.session}/socket`)).toEqual([401, "unauthenticated"]);
});
