import { expect, test } from "vitest";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import type { PluginRecord, Role } from "../../../../../core/protocol/records.ts";
import { openPluginBridge } from "../../../../../renderer/session/tiles/plugin-bridge.ts";
import { until } from "../../../../support/until.ts";

const plugin: PluginRecord = {
  ...{ id: "cost", name: "Cost", version: "1.0.0", description: "", from: "https://example.org", page: "page" },
  ...{ permissions: ["getShells", "sendChat"], allowed: ["sendChat"], events: ["build.done", "chat.message"] },
  asks: false,
};

/** A bridge with its page's end, played by the test. */
function bridged({ role = "admin", record = plugin }: { role?: Role; record?: PluginRecord | undefined } = {}) {
  const { port1, port2 } = new MessageChannel();
  const heard: Record<string, unknown>[] = [];
  const executed: unknown[] = [];
  const listeners = new Set<(event: RelayEvent) => void>();
  let floods = 0;
  port1.onmessage = ({ data }) => heard.push(data as Record<string, unknown>);
  const bridge = openPluginBridge(port2, {
    plugin: () => record,
    role: () => role,
    theme: { scheme: "dark", tokens: {} },
    execute: async (...call) => executed.push(call),
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onFlood: () => {
      floods += 1;
    },
  });
  return {
    ...{ heard, executed, listeners },
    floods: () => floods,
    send: (message: object) => port1.postMessage(message),
    tell: (event: RelayEvent) => {
      for (const listener of listeners) listener(event);
    },
    answerTo: async (id: number) => {
      await until(`answer ${id}`, () => heard.some((message) => message.id === id));
      return heard.find((message) => message.id === id);
    },
    [Symbol.dispose]() {
      bridge[Symbol.dispose]();
      port1.close();
    },
  };
}

test("executes only calls that are requested, allowed and within the role, and as a plugin's", async () => {
  using page = bridged();
  page.send({ id: 1, do: "call", method: "sendChat", params: { message: "hi" } });
  expect(await page.answerTo(1)).toMatchObject({ type: "answer" });
  page.send({ id: 2, do: "call", method: "getShells", params: {} });
  expect(await page.answerTo(2)).toMatchObject({ type: "refused", code: "scope_forbids" });
  page.send({ id: 3, do: "call", method: "constructor", params: {} });
  expect(await page.answerTo(3)).toMatchObject({ type: "refused", code: "scope_forbids" });
  expect(page.executed).toEqual([["sendChat", { message: "hi" }, "plugin"]]);
  using reader = bridged({ role: "reader" });
  reader.send({ id: 1, do: "call", method: "sendChat", params: { message: "hi" } });
  expect(await reader.answerTo(1)).toMatchObject({ type: "refused", code: "role_forbids" });
  using asking = bridged({ record: { ...plugin, asks: true } });
  asking.send({ id: 1, do: "call", method: "sendChat", params: { message: "hi" } });
  expect(await asking.answerTo(1)).toMatchObject({ type: "refused", code: "scope_forbids" });
});

test("delivers the manifest's events, and no broadcast named like a relay event", async () => {
  using page = bridged();
  page.tell({ type: "plugin.event", data: { type: "chat.message", data: "feigned", from: null } });
  page.tell({ type: "plugin.event", data: { type: "other", data: 1, from: null } });
  page.tell({ type: "plugin.event", data: { type: "build.done", data: { ok: true }, from: null } });
  await until("an event", () => page.heard.some(({ type }) => type === "event"));
  expect(page.heard.filter(({ type }) => type === "event")).toEqual([
    { type: "event", event: { type: "build.done", data: { ok: true }, from: null } },
  ]);
});

test("rejects calls above the rate, then reports a flood; ignores messages after disposal", async () => {
  const page = bridged();
  for (let id = 1; id <= 400; id++) page.send({ id, do: "call", method: "sendChat", params: {} });
  await until("a flood", () => page.floods() > 0);
  expect(page.executed.length).toBeLessThan(60);
  await until("a refusal", () => page.heard.some(({ code }) => code === "limit_reached"));
  page[Symbol.dispose]();
  expect(page.listeners.size).toBe(0);
});

test("what is no longer allowed when it is answered is not answered", async () => {
  const answers: (() => void)[] = [];
  const record = { ...plugin };
  const { port1, port2 } = new MessageChannel();
  const heard: unknown[] = [];
  port1.onmessage = ({ data }) => heard.push(data);
  using _bridge = openPluginBridge(port2, {
    plugin: () => record,
    role: () => "admin",
    theme: { scheme: "dark", tokens: {} },
    execute: () => new Promise((resolve) => answers.push(() => resolve("what was said"))),
    onEvent: () => () => undefined,
    onFlood: () => undefined,
  });
  port1.postMessage({ id: 1, do: "call", method: "sendChat", params: {} });
  await until("the call", () => answers.length === 1);
  Object.assign(record, { allowed: [] });
  answers[0]?.();
  await until("the refusal", () => JSON.stringify(heard).includes("scope_forbids"));
  expect(JSON.stringify(heard)).not.toContain("what was said");
  port1.close();
});
