import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { Client } from "../../../../../core/client/client.ts";
import { socketLink } from "../../../../../core/client/socket-link.ts";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { KEY_PROTOCOL } from "../../../../../core/protocol/page-credentials.ts";
import { type FleetLab, startFleetLab } from "../../../../support/fleet-lab.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";

let lab: FleetLab;
let laptop: TestRelay;
let box: TestRelay;

beforeAll(async () => {
  lab = await startFleetLab(["laptop", "box"]);
  laptop = lab.relay("laptop");
  box = lab.relay("box");
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

interface Opened {
  readonly response: IncomingMessage;
  readonly text: () => string;
  close(): void;
}

/** Opens a stream of the box's session at a relay. */
async function open(relay: TestRelay, below: string, headers: Record<string, string> = {}): Promise<Opened> {
  const url = `${relay.url}/v1/sessions/${box.session}${below}`;
  const request = httpRequest(url, { headers: { "X-Service-Token": box.key, ...headers } });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  response.on("error", () => undefined);
  return { response, text: () => text, close: () => request.destroy() };
}

test("a subscriber at any relay gets the events of the session with its numbers, and resumes after one at another", async () => {
  await using _client = await box.join();
  const { events: log } = box.relay.sessions.get(box.session).state;
  const before = log.listeners;
  const [direct, foreign] = [await open(box, "/events"), await open(laptop, "/events")];
  expect(foreign.response.headers["x-service-relay"]).toBe("box");
  expect(foreign.response.headers["content-type"]).toBe(direct.response.headers["content-type"]);
  for (const message of ["one", "two", "three"]) await box.command("sendChat", { message });
  await until("the events", () => foreign.text().includes("three") && direct.text().includes("three"));
  const events = (text: string) => text.slice(text.indexOf("id: "));
  expect(events(foreign.text())).toBe(events(direct.text()));
  const [first = ""] = [...foreign.text().matchAll(/^id: (.+)\nevent: chat.message/gm)].map(([, id]) => id);
  foreign.close();
  const resumed = await open(laptop, "/events?follow=false", { "Last-Event-ID": first });
  await once(resumed.response, "end");
  expect(resumed.text()).not.toContain('"one"');
  expect(resumed.text()).toMatch(/"two"[\s\S]*"three"/);
  const lost = await open(laptop, "/events?follow=false", { "Last-Event-ID": "0123456789ab:7" });
  await once(lost.response, "end");
  expect(lost.text()).toContain("event: gap");
  direct.close();
  // The next test counts the subscriptions.
  await until("the subscriptions to end", () => log.listeners === before);
});

test("the relay of the session forgets a subscriber that is gone from another relay", async () => {
  const { events } = box.relay.sessions.get(box.session).state;
  const before = events.listeners;
  const streams = await Promise.all([1, 2, 3].map(() => open(laptop, "/events")));
  await until("the subscriptions", () => events.listeners === before + 3);
  for (const stream of streams) stream.close();
  await until("the subscriptions to end", () => events.listeners === before);
});

test("a subscriber that does not read holds up neither others nor the broker", async () => {
  await using _client = await box.join();
  const { shellId } = await box.command<{ shellId: number }>("createShell");
  const path = `/shells/${shellId}/output?since=0`;
  const slow = await open(laptop, path);
  slow.response.pause();
  const fast = await open(laptop, path);
  await box.command("writeToShell", { id: shellId, data: "seq 1 700000; echo the-'end'\n" });
  await until("the fast one to have all", () => fast.text().includes("the-end"), 60_000);
  const { status } = await laptop.request("GET", `/v1/sessions/${box.session}/remote/shells`, {
    headers: { "X-Service-Token": box.key },
  });
  expect(status).toBe(200);
  expect(lab.broker.said()).not.toMatch(/slow consumer/i);
  expect(slow.response.destroyed).toBe(false);
  fast.close();
  slow.close();
});

test("a client at another relay joins the session, executes its commands and shows its terminals", async () => {
  const client = new Client(
    {
      kind: "browser",
      device: "far",
      toast: () => "toast",
      notify: () => "native",
      viewport: () => ({ cols: 80, rows: 24 }),
    },
    undefined,
  );
  const socket = new WebSocket(`${laptop.url.replace("http", "ws")}/v1/sessions/${box.session}/socket`, {
    headers: { "X-Service-Token": box.key },
  });
  socket.binaryType = "arraybuffer";
  const link = socketLink(socket);
  const [response] = (await once(socket, "upgrade")) as [IncomingMessage];
  expect(response.headers["x-service-relay"]).toBe("box");
  await client.connect(link);
  const users = await box.command<{ device: string }[]>("getUsers");
  expect(users).toMatchObject([{ device: "far" }]);
  const { shellId } = await box.command<{ shellId: ShellId }>("createShell");
  let output = "";
  client.terminals.subscribe(shellId, {
    bytes(bytes, acknowledge) {
      output += Buffer.from(bytes).toString("utf8");
      acknowledge();
    },
    missed: () => undefined,
  });
  await box.command("writeToShell", { id: shellId, data: "echo seen from 'afar'\n" });
  await until("the output", () => output.includes("seen from afar"));
  client.disconnect("the test is over");
  await until("the relay to notice", () => box.relay.sessions.get(box.session).clients.size === 0);
});

test("a page opens its socket with its key as a subprotocol, directly and at another relay, which does not pass it on", async () => {
  for (const relay of [box, laptop]) {
    const address = `${relay.url.replace("http", "ws")}/v1/sessions/${box.session}/socket`;
    const socket = new WebSocket(address, [KEY_PROTOCOL, box.key], { origin: relay.url });
    await once(socket, "open");
    expect(socket.protocol).toBe(KEY_PROTOCOL);
    socket.close();
    await once(socket, "close");
    const wrong = new WebSocket(address, [KEY_PROTOCOL, "pb_wrong"], { origin: relay.url });
    wrong.on("error", () => undefined);
    const [, response] = (await once(wrong, "unexpected-response")) as [unknown, IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(401);
  }
});

test.each([
  ["no key", { "X-Service-Token": "" }, 401],
  ["a wrong key", { "X-Service-Token": "pb_wrong" }, 401],
  ["another origin", { Origin: "https://evil.example" }, 403],
])("a client with %s is refused at another relay as at its own", async (_what, headers, expected) => {
  const refusal = async (relay: TestRelay) => {
    const socket = new WebSocket(`${relay.url.replace("http", "ws")}/v1/sessions/${box.session}/socket`, {
      headers: { "X-Service-Token": box.key, ...headers },
    });
    socket.on("error", () => undefined);
    const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
    response.resume();
    return [response.statusCode, response.headers["x-service-error"]];
  };
  const foreign = await refusal(laptop);
  expect(foreign).toEqual(await refusal(box));
  expect(foreign[0]).toBe(expected);
});
