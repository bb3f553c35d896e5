import { expect, test } from "vitest";
import { Client } from "../../../../../core/client/client.ts";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { linkedPair, type ToClient, type ToRelay } from "../../../../../core/protocol/link.ts";
import type { SessionMirror } from "../../../../../core/protocol/mirror.ts";
import { freshState } from "../../../../../core/state/client-state.ts";
import { SessionBridge } from "../../../../../main/desktop/windows/session-bridge.ts";
import type { OnName } from "../../../../../preload/channel-names.ts";
import type { OnMessages } from "../../../../../preload/channels.ts";
import { applyChange } from "../../../../../renderer/window/window-host.ts";
import { until } from "../../../../support/until.ts";

const mirror = {
  session: { id: "session-1", name: "default", owner: "me", createdAt: "2026-11-21T10:00:00Z" },
  clients: [],
  shells: [],
  chat: [],
  tunnels: [],
  agents: [],
  adoptRequests: [],
  roleRequests: [],
  questions: [],
  restrictions: { restrictShells: false, requests: [], allowed: [] },
  plugins: [],
} as unknown as SessionMirror;
const shell = 1 as ShellId;

/** A client in a session whose relay is this test, and a page that keeps what it is sent. */
async function setUp() {
  const pair = linkedPair();
  const heard: ToRelay[] = [];
  pair.relay.onFrame((frame) => heard.push(frame));
  const client = new Client({
    kind: "desktop",
    device: "desktop",
    toast: () => "log",
    notify: () => "log",
    viewport: () => ({ cols: 80, rows: 24 }),
  });
  const joined = client.connect(pair.client);
  const say = (frame: ToClient) => pair.relay.send(frame);
  say({ type: "welcome", client: 1, name: "me", role: "admin", resume: "r", mirror, saved: undefined } as ToClient);
  await joined;
  const sent: { name: OnName; message: OnMessages[OnName] }[] = [];
  const bridge = new SessionBridge(client, { send: (name, message) => sent.push({ name, message }) });
  const changes = () => sent.filter(({ name }) => name === "session.changed").map(({ message }) => message);
  return { client, bridge, say, heard, sent, changes };
}

test("the page gets everything once, then only what changed, once a turn", async () => {
  const { client, bridge, say, changes } = await setUp();
  const before = client.state.now;
  expect(changes()).toEqual([{ state: before, mirror, self: client.self, connected: true }]);

  for (const text of ["a", "b"]) {
    const message = { id: text === "a" ? 1 : 2, from: { clientId: 1, name: "me" }, text, at: "2026-11-21T10:00:00Z" };
    say({ type: "diff", diff: { kind: "chat", message } } as ToClient);
  }
  await until("one more change", () => changes().length === 2);
  expect(changes()[1]).toEqual({ mirror: { chat: [{ ...chat(1, "a") }, { ...chat(2, "b") }] } });

  client.disconnect("test");
  await until("the end of the connection", () => changes().length === 3);
  expect(changes()[2]).toEqual({ connected: false });

  const nothing = { state: freshState, mirror: undefined, self: undefined, connected: false };
  const seen = changes().reduce<Parameters<typeof applyChange>[0]>(
    (snapshot, change) => applyChange(snapshot, change as Parameters<typeof applyChange>[1]),
    nothing,
  );
  expect(seen).toEqual({ state: client.state.now, mirror: client.mirror, self: client.self, connected: false });

  bridge[Symbol.dispose]();
  client.state.update((now) => ({ ...now, nextKey: now.nextKey + 1 }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(changes()).toHaveLength(3);
});

test("bytes are acknowledged to the relay only when the page has taken them in, oldest first", async () => {
  const { bridge, say, heard, sent } = await setUp();
  bridge.listen(7, shell);
  // Each is as much as is acknowledged at once.
  const [first, second] = [new Uint8Array(65_536).fill(1), new Uint8Array(70_000).fill(2)];
  say({ type: "bytes", shell, offset: 0, bytes: first });
  say({ type: "bytes", shell, offset: first.length, bytes: second });
  await until("both pieces", () => sent.filter(({ name }) => name === "session.bytes").length === 2);
  expect(sent.at(-1)).toEqual({ name: "session.bytes", message: { stream: 7, bytes: second, quiet: false } });
  const acknowledged = () => heard.flatMap((frame) => (frame.type === "acknowledge" ? [frame.bytes] : []));
  expect(acknowledged()).toEqual([]);

  bridge.acknowledge(7);
  await until("the first acknowledgement", () => acknowledged().length === 1);
  bridge.acknowledge(7);
  bridge.acknowledge(7);
  bridge.acknowledge(99);
  await until("the second acknowledgement", () => acknowledged().length === 2);
  expect(acknowledged()).toEqual([first.length, second.length]);
});

test("a page that goes away stops its streams", async () => {
  const { bridge, heard, say, sent } = await setUp();
  bridge.listen(1, shell);
  bridge[Symbol.dispose]();
  await until("unlisten", () => heard.some((frame) => frame.type === "unlisten" && frame.shell === shell));
  say({ type: "bytes", shell, offset: 0, bytes: Uint8Array.of(1) });
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent.some(({ name }) => name === "session.bytes")).toBe(false);
});

function chat(id: number, text: string) {
  return { id, from: { clientId: 1, name: "me" }, text, at: "2026-11-21T10:00:00Z" };
}
