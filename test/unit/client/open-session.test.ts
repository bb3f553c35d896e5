import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import { askAdmission, describeRefusal, openSession, type SessionAddress } from "../../../client/open-session.ts";
import { Client } from "../../../core/client/client.ts";
import { freePort } from "../../support/free-port.ts";
import { until } from "../../support/until.ts";
import { ok, refuse, startFakeRelay } from "../cli/fake-relay.ts";
import { startPaperRelay } from "../main/relay/paper-relay.ts";

afterEach(() => {
  vi.useRealTimers();
});

const session = "Abcdefgh12345678";
const peer = { name: "box" };

async function admission(answer: (response: ServerResponse) => void, more: Partial<SessionAddress> = {}) {
  await using relay = await startFakeRelay((_, response) => answer(response));
  const asked = askAdmission({ url: `${relay.url}/`, session, key: "pb_key", peer, ...more });
  const outcome = await asked.catch((error: Error) => error.message);
  return { outcome, received: relay.received };
}

const admitted = { session: "default", owner: "ann", name: "ann", role: "admin" };

describe("the question for admission", () => {
  test("asks at the socket's path with the key, and is answered by a relay that admits", async () => {
    const { outcome, received } = await admission((response) => ok(response, admitted));
    expect(outcome).toBe("admitted");
    expect(received).toMatchObject([
      {
        method: "GET",
        url: `/v1/sessions/${session}/socket`,
        headers: { "x-service-token": "pb_key", "x-service-timeout": "2" },
      },
    ]);
  });

  test.each<[string, (response: ServerResponse) => void, unknown]>([
    [
      "without that session",
      (r) => refuse(r, 404, "unknown_session", "No."),
      { refused: "box no longer has this session.", needsKey: false },
    ],
    [
      "that does not know the key",
      (r) => refuse(r, 401, "unauthenticated", "No."),
      { refused: describeRefusal("box"), needsKey: true },
    ],
    [
      "that forbids it to the key",
      (r) => refuse(r, 403, "not_owner", "Not yours."),
      { refused: "box refuses the session: Not yours.", needsKey: true },
    ],
    [
      "that refuses the request",
      (r) => refuse(r, 400, "invalid_request", "Wrong."),
      { refused: "box refuses the session: Wrong.", needsKey: false },
    ],
    ["that is away", (r) => refuse(r, 504, "relay_away", "It is away."), "box is away."],
    ["that fails", (r) => refuse(r, 500, "internal", "It failed."), "box: It failed."],
    ["that was guessed at too often", (r) => refuse(r, 429, "too_many_failures", "Wait."), "box: Wait."],
    ["of another program", (r) => ok(r, { other: 1 }), "What answers for box is not a Patchbay relay."],
    ["that is no JSON", (r) => void r.end("hello"), "What answers for box is not a Patchbay relay."],
  ])("is answered by a relay %s with what that means", async (_what, answer, expected) => {
    expect((await admission(answer)).outcome).toEqual(expected);
  });

  test("is for one relay of the fleet alone, where it names one", async () => {
    const by = (relay: string) => (response: ServerResponse) => ok(response, admitted, { "X-Service-Relay": relay });
    expect((await admission(by("desk"), { servedBy: "desk" })).outcome).toBe("admitted");
    for (const answer of [by("other"), (response: ServerResponse) => ok(response, admitted)])
      expect((await admission(answer, { servedBy: "desk" })).outcome).toBe(
        "desk does not serve this session in the fleet now.",
      );
  });

  test("fails while nothing listens", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(askAdmission({ url, session, key: "k", peer })).rejects.toThrow(
      `box (${url}) does not answer: nothing listens there.`,
    );
  });

  test("ends after the time in which a machine answers", async () => {
    await using relay = await startFakeRelay(() => undefined);
    const asked = askAdmission({ url: relay.url, session, key: "k", peer });
    await expect(asked).rejects.toThrow(/^box (does not answer: nothing for 2\.5 s\.|\(.*\) does not answer: no data)/);
  });
});

describe("a session of another machine", () => {
  test("is opened with its key as a client's connection", async () => {
    await using relay = await startPaperRelay();
    const opened = await openSession({ url: `${relay.url}/`, session: relay.session, key: relay.key, peer });
    if (!("link" in opened)) throw new Error(opened.refused);
    const client = new Client(
      {
        kind: "desktop",
        device: "far",
        toast: () => "toast",
        notify: () => "native",
        viewport: () => ({ cols: 80, rows: 24 }),
      },
      undefined,
    );
    await client.connect(opened.link);
    expect(await relay.command("getUsers")).toMatchObject([{ device: "far" }]);
    client.disconnect("the test is over");
    await until("the relay to notice", () => relay.relay.sessions.get(relay.session).clients.size === 0);
  });

  test("that is refused opens no connection", async () => {
    await using relay = await startPaperRelay();
    const refused = await openSession({ url: relay.url, session: relay.session, key: "pb_wrong", peer });
    expect(refused).toEqual({ refused: describeRefusal("box"), needsKey: true });
  });

  /** A relay that admits, and whose WebSockets the test holds. */
  async function startSockets(headers: readonly string[] = []) {
    const relay = await startFakeRelay((_, response) => ok(response, admitted, { "X-Service-Relay": "desk" }));
    const sockets = new WebSocketServer({ server: relay.server });
    sockets.on("headers", (sent) => void sent.push(...headers));
    return { relay, sockets };
  }

  test("is not opened at another relay of the fleet than the one that was asked", async () => {
    const { relay, sockets } = await startSockets(["X-Service-Relay: other"]);
    await using _relay = relay;
    const connected = once(sockets, "connection");
    const opened = openSession({ url: relay.url, session, key: "k", peer, servedBy: "desk" });
    await expect(opened).rejects.toThrow("desk does not serve this session in the fleet now.");
    const [socket] = await connected;
    if (socket.readyState !== socket.CLOSED) await once(socket, "close");
    sockets.close();
  });

  test("is closed when it is silent for 45 s, and not before", async () => {
    const { relay, sockets } = await startSockets();
    await using _relay = relay;
    const connected = once(sockets, "connection");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const opened = await openSession({ url: relay.url, session, key: "k", peer });
    const [socket] = await connected;
    if (!("link" in opened)) throw new Error(opened.refused);
    const closed = vi.fn();
    opened.link.onClose(closed);
    const ended = once(socket, "close");
    for (const ping of [true, false]) {
      await vi.advanceTimersByTimeAsync(44_999);
      // The answer shows that the ping was heard.
      if (ping) await Promise.all([once(socket, "pong"), socket.ping()]);
    }
    expect(closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(closed).toHaveBeenCalledOnce();
    sockets.close();
  });
});
