import { expect, test } from "vitest";
import { bearerOf, startPluginRelay } from "./start-plugin-relay.ts";

const body = { manifest_url: "http://localhost:1/manifest.json", plugin_id: "agent-cost" };

test("an API key is no bearer token, and a bearer token no API key", async () => {
  await using relay = await startPluginRelay();
  const { session, apiKey, bearer } = relay;
  const refused = await relay.call("POST", `${session}/plugins`, bearerOf(apiKey), body);
  expect(refused).toMatchObject({
    status: 401,
    text: expect.stringContaining("service token --scope plugins:install"),
  });
  expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="patchbay"');
  const others = [
    relay.call("POST", `${session}/plugins`, { "X-Service-Token": apiKey }, body),
    relay.call("POST", `${session}/plugins`, { "X-Service-Token": bearer }, body),
    relay.call("POST", `${session}/plugins?token=${bearer}&access_token=${bearer}`, {}, body),
    relay.call("GET", `${session}/plugins`, { "X-Service-Token": bearer }),
    relay.call("GET", `${session}/plugins`, bearerOf(bearer)),
    relay.call("DELETE", `${session}/plugins/agent-cost`, bearerOf(bearer)),
    relay.call("DELETE", `${session}/plugins/agent-cost`, { "X-Service-Token": bearer }),
  ];
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 401));
});

test("a token needs the scope, must not be expired, and must be the owner's", async () => {
  await using relay = await startPluginRelay();
  const { keys, user } = relay.relay;
  const post = async (token: string, session: string = relay.session) => {
    const { status, headers } = await relay.call("POST", `${session}/plugins`, bearerOf(token), body);
    return [status, headers.get("x-service-error")];
  };
  const make = (wanted: Partial<Parameters<typeof keys.create>[0]>) =>
    keys.create({ owner: user, name: "t", scheme: "bearer", scopes: ["plugins:install"], ...wanted }).secret;
  expect(await post(make({ scopes: [] }))).toEqual([403, "scope_forbids"]);
  expect(await post(make({ ttlMs: 0 }))).toEqual([401, "unauthenticated"]);
  expect(await post(make({ owner: "somebody-else" }))).toEqual([403, "not_owner"]);
  expect(await post(make({}), "no-such-session")).toEqual([404, "unknown_session"]);
  expect(await post(make({}))).toEqual([502, "fetch_failed"]);
});

test("a shell's token may see the plugins and may not change them", async () => {
  await using relay = await startPluginRelay();
  const { token } = relay.relay.keys.createShellToken(relay.relay.user, relay.session, 1 as never);
  const headers = { "X-Service-Token": token };
  expect(await relay.call("GET", `${relay.session}/plugins`, headers)).toMatchObject({ status: 200 });
  expect(await relay.call("DELETE", `${relay.session}/plugins/x`, headers)).toMatchObject({ status: 403 });
  expect(await relay.call("POST", `${relay.session}/plugins`, bearerOf(token), body)).toMatchObject({ status: 401 });
});

test.each([
  [{}, "body.manifest_url: expected text, got nothing."],
  [{ manifest_url: body.manifest_url }, "body.plugin_id: expected text"],
  [{ plugin_id: "agent-cost" }, "body.manifest_url: "],
  [{ ...body, plugin_id: "Agent Cost" }, "body.plugin_id: expected 1 to 64 of a-z"],
  [{ ...body, plugin_id: 7 }, "body.plugin_id: "],
  [{ ...body, force: true }, "force"],
  [[], "body"],
])("the body %j is refused by name", async (wrong, message) => {
  await using relay = await startPluginRelay();
  const answer = await relay.call("POST", `${relay.session}/plugins`, bearerOf(relay.bearer), wrong);
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(message) });
});

test("other methods are told which there are", async () => {
  await using relay = await startPluginRelay();
  const put = await relay.call("PUT", `${relay.session}/plugins`, bearerOf(relay.bearer), body);
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  const post = await relay.call("POST", `${relay.session}/plugins/agent-cost`, bearerOf(relay.bearer), body);
  expect([post.status, post.headers.get("allow")]).toEqual([405, "DELETE"]);
});
