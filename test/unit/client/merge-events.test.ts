import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Machine, MachineAnswer } from "../../../client/ask-machines.ts";
import { followEvents, type MachineEvent, readKeptEvents } from "../../../client/merge-events.ts";
import type { TestRelay } from "../../support/test-relay.ts";
import { until } from "../../support/until.ts";
import { ok, sessions, startFakeRelay } from "../cli/fake-relay.ts";
import { startPaperRelay } from "../main/relay/paper-relay.ts";

let relay: TestRelay;
let events: MachineEvent[];
beforeEach(async () => {
  relay = await startPaperRelay();
  events = [];
});
afterEach(() => relay[Symbol.asyncDispose]());

const machine = (more: Partial<Machine> = {}): Machine => ({
  ...{ name: "box", url: relay.url, lastSeen: null, peer: { name: "box" }, noteSeen: () => undefined },
  key: async () => relay.key,
  ...more,
});
const say = (text: string, session: string = relay.session) => {
  const { state } = relay.relay.sessions.get(session);
  state.emit({ type: "plugin.event", data: { type: "said", data: text, from: null } });
  state.emit({ type: "client.left", data: { client: { id: 1 } } } as never);
};
const said = () =>
  events.flatMap(({ machine: name, session, type, data }) =>
    type === "plugin.event" ? [`${name}/${session}: ${(data as { data: string }).data}`] : [],
  );
const sessionOf = (id: string) => ({ ...sessions[0], id, name: id });
const onEvent = (event: MachineEvent) => void events.push(event);

describe("the kept events of a machine", () => {
  test("are those of all its sessions, each with its machine and session", async () => {
    const second = relay.relay.sessions.create(relay.relay.user, "second");
    say("one");
    say("two", second.id);
    const report = await readKeptEvents(machine(), { types: undefined, onEvent });
    expect(report).toMatchObject({ machine: "box", state: "reachable", key: "valid", value: [{}, {}] });
    expect(report).not.toHaveProperty("problem");
    expect(said().sort()).toEqual(["box/default: one", "box/second: two"]);
    expect(events.map(({ type }) => type).filter((type) => type === "client.left")).toHaveLength(2);
  });

  test("are of some types only, where some are asked for", async () => {
    say("one");
    await readKeptEvents(machine(), { types: ["plugin.event"], onEvent });
    expect(events.map(({ type }) => type)).toEqual(["plugin.event"]);
  });

  test("are none of a machine that refuses the key, and the report says so", async () => {
    const report = await readKeptEvents(machine({ key: async () => "pb_wrong" }), { types: undefined, onEvent });
    expect(report).toMatchObject({ state: "reachable", key: "rejected", problem: expect.stringMatching(/key/) });
    expect(report).not.toHaveProperty("value");
    expect(events).toEqual([]);
  });

  test("that cannot all be read are told as incomplete", async () => {
    let asked = 0;
    const key = async () => (asked++ === 0 ? relay.key : "pb_wrong");
    const report = await readKeptEvents(machine({ key }), { types: undefined, onEvent });
    expect(report.problem).toMatch(/^Its events are incomplete: box refuses its key: /);
  });
});

describe("following a machine", () => {
  let abort: AbortController;
  let answers: MachineAnswer<unknown>[];
  let following: Promise<void>;
  let own: Map<string, number>;
  const follow = (more: Partial<Machine> = {}, types?: readonly string[]) => {
    abort = new AbortController();
    answers = [];
    own = new Map(relay.relay.sessions.all().map(({ id, state }) => [id, state.events.listeners]));
    following = followEvents(machine(more), {
      ...{ types, onEvent, signal: abort.signal },
      onChange: (answer) => void answers.push(answer),
    });
  };
  /** Streams of a session that are open, besides the relay's own. */
  const streams = (session: string = relay.session) =>
    relay.relay.sessions.get(session).state.events.listeners - (own.get(session) ?? 0);
  const untilFollowed = (session: string = relay.session) => until("the stream", () => streams(session) > 0);
  afterEach(async () => {
    abort.abort();
    await following;
  });

  test("tells what happens from now on in all its sessions, until it is ended", async () => {
    const second = relay.relay.sessions.create(relay.relay.user, "second");
    say("before");
    follow({}, ["plugin.event"]);
    await untilFollowed();
    await untilFollowed(second.id);
    say("one");
    say("two", second.id);
    await until("both", () => events.length === 2);
    expect(said().sort()).toEqual(["box/default: one", "box/second: two"]);
    expect(answers).toEqual([]);
    abort.abort();
    await following;
    await until("the end of the streams", () => streams(second.id) === 0);
  });

  test("says when the machine is away and when it is back, and goes on after the last event", async () => {
    const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "changing" });
    let key = secret;
    follow({ key: async () => key });
    await untilFollowed();
    say("one");
    await until("the first", () => said().length === 1);
    relay.relay.keys.revoke("changing");
    say("missed");
    await until("the refusal", () => answers.length === 1);
    expect(answers[0]).toMatchObject({ key: "rejected" });
    key = relay.key;
    await until("the machine to be back", () => answers.length === 2, 20_000);
    expect(answers[1]).toMatchObject({ state: "reachable", key: "valid" });
    await until("what was missed", () => said().includes("box/default: missed"));
    expect(said()).toEqual(["box/default: one", "box/default: missed"]);
  }, 40_000);

  test("says at once that a machine does not answer", async () => {
    follow({ key: async () => "pb_wrong" });
    await until("the report", () => answers.length === 1);
    expect(answers[0]).toMatchObject({ machine: "box", key: "rejected" });
    expect(events).toEqual([]);
  });

  test("lets the stream of a session go that is listed no more, also where the machine keeps it open", async () => {
    const listed = [["First00012345678", "Ending0012345678"], ["Second0012345678"]];
    const open = new Set<string>();
    await using server = await startFakeRelay(({ url }, response) => {
      if (url === "/v1/sessions") return ok(response, (listed.length > 1 ? listed.shift() : listed[0])?.map(sessionOf));
      if (url === "/v1/health") return void response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
      const id = /\/sessions\/(\w+)/.exec(url)?.[1] ?? url;
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      if (id.startsWith("Ending")) return void response.end();
      response.write(": open\n\n");
      open.add(id);
      response.on("close", () => open.delete(id));
    });
    follow({ url: server.url });
    await until("the session that is new", () => open.has("Second0012345678"), 20_000);
    await until("the end of the first", () => open.size === 1, 20_000);
  }, 60_000);
});
