import { describe, expect, test } from "vitest";
import { RemoteClient } from "../../../client/remote-client.ts";
import { agentsOf, listAgents, listSessions, questionsOf, withSessionNames } from "../../../client/session-rows.ts";
import { ok, type Received, refuse, startFakeRelay } from "../cli/fake-relay.ts";

const open = [
  { id: "Abcdefgh12345678", name: "default" },
  { id: "Zyxwvuts87654321", name: "empty", userCount: 0 },
  { id: "Mnopqrst12345678", name: "far", relay: "box", userCount: 2 },
];

type Answer = Parameters<typeof startFakeRelay>[0];

async function clientOf(answer: Answer) {
  const relay = await startFakeRelay((received, response) => {
    if (received.url === "/v1/sessions") ok(response, open);
    else answer(received, response);
  });
  return { relay, client: new RemoteClient({ url: relay.url, token: "k" }) };
}
const isOf = ({ url }: Received, index: number) => url.includes(open[index]?.id ?? "nowhere");

describe("rows of sessions", () => {
  test("name their session, with its relay where another one of the fleet serves it", async () => {
    const { relay, client } = await clientOf((received, response) =>
      ok(response, [{ id: isOf(received, 0) ? 1 : 2, session: "x" }]),
    );
    await using _relay = relay;
    expect(await listAgents(client)).toEqual([
      { session: "default", id: 1 },
      { session: "box/far", id: 2 },
    ]);
    // A session without a client has no known agents, so it is not asked.
    expect(relay.received.map(({ url }) => url)).toHaveLength(3);
    expect(relay.received[1]?.headers["x-service-timeout"]).toBe("1.5");
  });

  test.each([
    ["no_client", 504, 0],
    ["unknown_session", 404, 0],
    ["relay_away", 504, 2],
  ])("are none of a session that answers %s", async (code, status, index) => {
    const { relay, client } = await clientOf((received, response) => {
      if (isOf(received, index)) refuse(response, status, code, "No.");
      else ok(response, [{ id: 7 }]);
    });
    await using _relay = relay;
    const rows = await agentsOf(client, await listSessions(client));
    expect(rows).toEqual([{ session: index === 0 ? "box/far" : "default", id: 7 }]);
  });

  test.each([
    ["relay_away", 504],
    ["not_owner", 403],
  ])("are told as failed where a session of the relay itself answers %s", async (code, status) => {
    const { relay, client } = await clientOf((received, response) => {
      if (isOf(received, 0)) refuse(response, status, code, "No.");
      else ok(response, []);
    });
    await using _relay = relay;
    await expect(agentsOf(client, await listSessions(client))).rejects.toMatchObject({ code });
  });

  test("of open questions are asked of every session, also without a client", async () => {
    const { relay, client } = await clientOf((_, response) => ok(response, [{ id: 1 }]));
    await using _relay = relay;
    const lists = await questionsOf(client, await listSessions(client));
    expect(lists.map(({ session, rows }) => [session.name, rows])).toEqual([
      ["default", [{ id: 1 }]],
      ["empty", [{ id: 1 }]],
      ["far", [{ id: 1 }]],
    ]);
  });

  test("of another form are of no relay", async () => {
    const { relay, client } = await clientOf((_, response) => ok(response, "agents"));
    await using _relay = relay;
    await expect(listAgents(client)).rejects.toThrow(
      `What answers at ${relay.url} is not a Patchbay relay: check the address.`,
    );
  });
});

test("at most 200 sessions of a relay are read, and people are taken to be there where it does not say", async () => {
  const many = Array.from({ length: 201 }, (_, index) => ({ id: `s-${index}`, name: "x" }));
  await using relay = await startFakeRelay((_, response) => ok(response, many));
  const sessions = await listSessions(new RemoteClient({ url: relay.url, token: "k" }));
  expect(sessions).toHaveLength(200);
  expect(sessions[0]).toEqual({ id: "s-0", name: "x", userCount: 1 });
});

test("a row says since when its session's relay is away", () => {
  const session = { id: "s", name: "far", userCount: 1, relay: "box", awaySince: "2026-01-01T00:00:00.000Z" };
  expect(withSessionNames([{ session, rows: [{ id: 1 }] }])).toEqual([
    { session: "box/far", awaySince: "2026-01-01T00:00:00.000Z", id: 1 },
  ]);
});
