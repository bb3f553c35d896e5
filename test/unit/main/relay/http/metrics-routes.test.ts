import { expect, test } from "vitest";
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
