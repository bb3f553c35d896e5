// @vitest-environment happy-dom
import { expect, onTestFinished, test } from "vitest";
import { specOf } from "../../../../../core/commands/specs.ts";
import { BrowserHost } from "../../../../../renderer/tray/start/browser-host.ts";
import { RelayCalls } from "../../../../../renderer/tray/start/call-relay.ts";

const SESSION = "session-0000000a";
/** The host over a relay that keeps what it is asked. */
function browserHost() {
  const asked: { url: string; body: unknown }[] = [];
  const before = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = before;
  });
  globalThis.fetch = async (url, init) => {
    if (init?.body !== undefined) asked.push({ url: String(url), body: JSON.parse(String(init.body)) });
    return Response.json({ result: [] });
  };
  const base = new URL("http://127.0.0.1:7717/");
  const calls = new RelayCalls(base, "pb_key");
  const host = new BrowserHost({ calls, base, apiKey: "pb_key", window, onRefused: () => undefined });
  onTestFinished(() => host[Symbol.dispose]());
  return { host, asked, calls };
}

test.each([
  ["panel.answerAdopt", "answerAdopt", { request: 4, allow: true }],
  ["panel.answerRoleRequest", "answerRoleRequest", { request: 4, allow: false }],
  ["panel.restrictShells", "restrictShells", { on: true }],
  ["panel.answerAgent", "answerAgent", { request: 4, answer: "once" }],
  ["panel.forgetAgent", "forgetAgent", { agentType: "claude", folder: "/w" }],
] as const)("%s is the command %s, as it is declared", async (name, method, args) => {
  const { host, asked } = browserHost();
  await host.invoke(name, { id: SESSION, ...args } as Parameters<typeof host.invoke<typeof name>>[1]);
  expect(asked).toMatchObject([
    { url: `http://127.0.0.1:7717/v1/sessions/${SESSION}/remote/command`, body: { method } },
  ]);
  const [{ body } = { body: {} }] = asked;
  expect(() => specOf(method)?.params.parse(Reflect.get(Object(body), "params"))).not.toThrow();
});

test.each([401, 403])("a key that is refused with %i ends the host", async (status) => {
  const before = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = before;
  });
  globalThis.fetch = async () => new Response("This key does not open it.\n", { status });
  const base = new URL("http://127.0.0.1:7717/");
  const refused = new Promise((onRefused) => {
    const calls = new RelayCalls(base, "pb_key");
    const host = new BrowserHost({ calls, base, apiKey: "pb_key", window, onRefused });
    onTestFinished(() => host[Symbol.dispose]());
    void host.invoke("panel.start", undefined);
  });
  expect(await refused).toBe("This key does not open it.");
});

test("a command is aimed at a client in the request's body, where the relay reads it", async () => {
  const { asked, calls } = browserHost();
  await calls.command(SESSION, "answerAdopt", { request: 4 }, 7);
  await calls.command(SESSION, "answerAdopt", { request: 4 }, undefined);
  expect(asked.map(({ body }) => body)).toEqual([
    { method: "answerAdopt", params: { request: 4 }, target_client_id: 7 },
    { method: "answerAdopt", params: { request: 4 } },
  ]);
});
