import { expect, test } from "vitest";
import { ClientId, SessionId } from "../../../../../core/protocol/ids.ts";
import { itemOf } from "../../../../../main/relay/webhooks/hook-message.ts";

const KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const about = { at: "2026-01-01T00:00:00.000Z", session: { id: SessionId.parse("abcdefgh"), name: "work" } };

test("a secret is hidden by the name beside it, in the event too", () => {
  const data = {
    type: "deployed",
    data: { password: "Tr0ub4dor3", tokens: { api_key: ["Tr0ub4dor3"] }, note: "Tr0ub4dor3" },
    from: ClientId.parse(1),
  };
  const item = itemOf({ ...about, name: "plugin.event", event: { type: "plugin.event", data }, contentFree: false });
  const hidden = "•".repeat(10);
  expect(item.data).toEqual({
    ...data,
    data: { password: hidden, tokens: { api_key: [hidden] }, note: "Tr0ub4dor3" },
  });
});

test("a secret is hidden that has a character in it which is left out", () => {
  for (const unseen of ["\u200b", "\u00ad", "\u2060"]) {
    const text = `key ${KEY.slice(0, 12)}${unseen}${KEY.slice(12)}`;
    const event = { type: "notification" as const, data: { clientId: ClientId.parse(1), title: text, body: text } };
    const { title, text: said } = itemOf({ ...about, name: "notification", event, contentFree: false });
    for (const shown of [title, said]) expect(shown).toBe(`key ghp_${"•".repeat(36)}`);
  }
});

test("of an event with more values than a message has bytes for, no more are masked", () => {
  let read = 0;
  const list = (length: number, of: () => unknown): unknown[] =>
    new Proxy(Array.from({ length }, of), {
      get(values, name) {
        if (/^\d+$/.test(String(name))) read += 1;
        return Reflect.get(values, name);
      },
    });
  const dataOf = (outer: number, lists: number) => {
    const data = list(outer, () => list(lists, () => list(100, () => "a"))) as string[][][];
    const event = { type: "plugin.event" as const, data: { type: "x", data, from: null } };
    return itemOf({ ...about, name: "plugin.event", event, contentFree: false }).data;
  };
  expect(dataOf(50, 1)).not.toBeNull();
  read = 0;
  expect(dataOf(100, 100)).toBeNull();
  expect(read).toBeLessThan(30_000);
});
