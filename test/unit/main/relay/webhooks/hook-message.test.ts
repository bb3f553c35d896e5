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
