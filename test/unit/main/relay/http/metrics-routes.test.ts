import { describe, expect, test } from "vitest";
import { routeNames } from "../../../../../main/relay/http/metrics-routes.ts";
import { until } from "../../../../support/until.ts";
import { startPaperRelay } from "../paper-relay.ts";

test("the owner reads figures of what happened, by route, method and outcome", async () => {
  await using relay = await startPaperRelay();
  await using one = await relay.join({ kind: "desktop" });
  await relay.command("createShell", {}, one.id);
  await relay.command("getTiles");
  await relay.post({ method: "focusTile", params: { key: 99 } });
  await relay.post({ method: "nonsense", params: {} });
  await relay.request("GET", "/v1/../etc/passwd");
  const { status, text, headers } = await relay.request("GET", "/v1/metrics");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const value = (line: string) =>
    Number(
      text
        .split("\n")
        .find((one) => one.startsWith(`${line} `))
        ?.split(" ")[1],
    );
  const route = 'route="/v1/sessions/:session/remote/command"';
  expect(value(`patchbay_http_requests_total{method="POST",${route},status="200"}`)).toBe(2);
  expect(value(`patchbay_http_requests_total{method="GET",route="other",status="404"}`)).toBe(1);
  expect(value('patchbay_command_duration_seconds_count{method="getTiles",outcome="ok"}')).toBe(1);
  expect(value('patchbay_command_duration_seconds_count{method="focusTile",outcome="unknown_tile"}')).toBe(1);
  expect(value('patchbay_command_duration_seconds_count{method="unknown",outcome="unknown_method"}')).toBe(1);
  expect(value("patchbay_clients")).toBe(1);
  expect(value("patchbay_shells_running")).toBe(1);
  expect(value("patchbay_sessions")).toBe(1);
  expect(value("patchbay_events_kept")).toBeGreaterThan(0);
  expect(value("patchbay_store_bytes")).toBeGreaterThan(1000);
  expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  expect(text).not.toContain(relay.session);
  expect(text).not.toContain(relay.key);
});

test("nobody else does: no key, a restricted key, a shell's token", async () => {
  await using relay = await startPaperRelay();
  const { keys, user } = relay.relay;
  const readOnly = keys.create({ owner: user, name: "reader", restrictions: { readOnly: true } }).secret;
  const other = keys.create({ owner: "somebody-else", name: "other" }).secret;
  const { token } = keys.createShellToken(user, relay.session, 1 as never);
  const ask = async (secret: string) =>
    (await relay.request("GET", "/v1/metrics", { headers: { "X-Service-Token": secret } })).status;
  expect(await ask("")).toBe(401);
  expect(await ask("pb_wrong")).toBe(401);
  expect(await ask(readOnly)).toBe(403);
  expect(await ask(token)).toBe(403);
  expect(await ask(other)).toBe(403);
  expect((await relay.request("POST", "/v1/metrics")).status).toBe(405);
});

test("the description names it", async () => {
  await using relay = await startPaperRelay();
  const { paths } = JSON.parse((await relay.request("GET", "/v1/openapi.json")).text) as { paths: object };
  expect(paths).toMatchObject({ "/v1/health": { get: { security: [] } }, "/v1/metrics": { get: {} } });
});

test("another user's key sees no figures, and a parameter is refused", async () => {
  await using relay = await startPaperRelay();
  const { keys } = relay.relay;
  const other = keys.create({ owner: "somebody-else", name: "other" }).secret;
  const refused = await relay.request("GET", "/v1/metrics", { headers: { "X-Service-Token": other } });
  expect([refused.status, refused.text]).toEqual([403, "Only the relay's owner may see this.\n"]);
  const { headers, text } = await relay.request("GET", "/v1/metrics");
  expect([headers.get("cache-control"), headers.get("content-length")]).toEqual([
    "no-store",
    String(Buffer.byteLength(text)),
  ]);
});

describe("the name of a route", () => {
  const patterns = ["/v1/sessions", "/v1/sessions/:session/events", "/v1/sessions/:session/shells/:shell/output", "/"];

  test.each([
    ["/v1/sessions", "/v1/sessions"],
    ["/v1/sessions/", "/v1/sessions"],
    ["/v1/sessions?a=/b/c", "/v1/sessions"],
    ["/v1/sessions/abc/events?follow=true", "/v1/sessions/:session/events"],
    ["/v1/sessions/abc/shells/1/output", "/v1/sessions/:session/shells/:shell/output"],
    ["/", "/"],
    ["/v1/sessions/abc", "other"],
    ["/v1/sessions/abc/EVENTS", "other"],
    ["/x/v1/sessions", "/v1/sessions"],
    ["/xx/v1/sessions", "other"],
    ["/x", "other"],
    ["", "other"],
  ])("of %j is %j", (url, name) => {
    expect(routeNames(patterns, "/x")(url)).toBe(name);
  });

  test("has no base path where there is none", () => {
    expect(routeNames(patterns, "")("/v1/sessions")).toBe("/v1/sessions");
    expect(routeNames(patterns, "")("/x/v1/sessions")).toBe("other");
  });
});

test("requests of pages, of unknown paths and methods, and those that were given up are counted as such", async () => {
  await using relay = await startPaperRelay({ basePath: "/x" });
  const root = relay.url.replace(/\/x$/, "");
  await fetch(`${root}/s/any`);
  await fetch(`${relay.url}/s/any/guest`);
  await fetch(`${root}/nothing/at/all`);
  await fetch(`${root}/v1/health`, { method: "PROPFIND" });
  const abort = new AbortController();
  const events = await fetch(`${relay.url}/v1/sessions/${relay.session}/events`, {
    headers: { "X-Service-Token": relay.key },
    signal: abort.signal,
  });
  abort.abort();
  await events.text().catch(() => undefined);
  const figures = async () => (await relay.request("GET", "/v1/metrics")).text;
  const has = (text: string, method: string, route: string, status: number) =>
    text.includes(`patchbay_http_requests_total{method="${method}",route="${route}",status="${status}"} 1\n`);
  const given = "/v1/sessions/:session/events";
  await until("the request that was given up", async () => has(await figures(), "GET", given, 499));
  const text = await figures();
  expect([
    has(text, "GET", "/s/:session/guest", 200),
    has(text, "GET", "other", 404),
    has(text, "other", "/v1/health", 405),
    /route="\/s\/:session",status="\d+"\} 1\n/.test(text),
  ]).toEqual([true, true, true, true]);
});
