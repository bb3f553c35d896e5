import { expect, test } from "vitest";
import { ok, refuse, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

const envOf = (url: string) => ({ SERVICE_URL: url, SERVICE_TOKEN: "k" });

test("tells how the shell host is, and restarts it", async () => {
  await using relay = await startFakeRelay(({ method }, response) => {
    if (method === "GET") ok(response, { state: "hung", pid: 7, silentMs: 9000 });
    else ok(response, { pid: 8, ended: [{ session: "Abcdefgh12345678", shellId: 1, title: "vim" }] });
  });
  const env = envOf(relay.url);
  expect((await runCli(["shell-host"], { env, isTTY: true })).out).toMatch(/state: +hung\npid: +7\n/);
  expect((await runCli(["shell-host", "restart", "--force"], { env, isTTY: true })).out).toContain("vim");
  expect(relay.received.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["GET", "/v1/shell-host", undefined],
    ["POST", "/v1/shell-host/restart", { force: true }],
  ]);
});

test("names the shells that would end as the relay does, and refuses what it does not know", async () => {
  await using relay = await startFakeRelay((_, response) => refuse(response, 400, "invalid_request", "1 (vim) runs."));
  const env = envOf(relay.url);
  expect(await runCli(["shell-host", "restart"], { env })).toMatchObject({ code: 1, err: "1 (vim) runs.\n" });
  for (const words of [["stop"], ["status", "--force"], ["status", "more"]]) {
    expect((await runCli(["shell-host", ...words], { env })).code).toBe(2);
  }
});
