import { expect, test } from "vitest";
import type { RelayFrame } from "../../../../core/protocol/frames.ts";
import { linkedPair, type ToClient } from "../../../../core/protocol/link.ts";

const frame = (id: number): RelayFrame => ({ type: "answer", id, value: null });
const settled = () => new Promise((resolve) => setImmediate(resolve));

function listened() {
  const pair = linkedPair();
  const seen: string[] = [];
  pair.client.onFrame((got: ToClient) => seen.push(String((got as { id: number }).id)));
  pair.client.onClose((reason) => seen.push(`closed: ${reason}`));
  return { ...pair, seen };
}

test("frames arrive in order, and never during send", async () => {
  const { relay, seen } = listened();
  for (let id = 1; id <= 3; id++) relay.send(frame(id));
  expect(seen).toEqual([]);
  await settled();
  expect(seen).toEqual(["1", "2", "3"]);
});

test("frames wait for their receiver", async () => {
  const { client, relay } = linkedPair();
  relay.send(frame(1));
  await settled();
  const seen: ToClient[] = [];
  client.onFrame((got) => seen.push(got));
  relay.send(frame(2));
  await settled();
  expect(seen).toEqual([frame(1), frame(2)]);
});

test("frames sent while receiving arrive afterwards", async () => {
  const { client, relay, seen } = listened();
  relay.onFrame(() => {
    relay.send(frame(2));
    relay.send(frame(3));
  });
  client.send({ type: "unlisten", shell: 1 as never });
  relay.send(frame(1));
  await settled();
  expect(seen).toEqual(["1", "2", "3"]);
});

test.each(["client", "relay"] as const)(
  "closed by the %s: what was sent before arrives, then the reason, once",
  async (who) => {
    const pair = listened();
    pair.relay.send(frame(1));
    pair[who].close("enough");
    pair[who].close("again");
    pair.relay.send(frame(2));
    await settled();
    expect(pair.seen).toEqual(["1", "closed: enough"]);
    const late: string[] = [];
    pair.relay.onClose((reason) => late.push(reason));
    expect(late).toEqual(["enough"]);
  },
);
