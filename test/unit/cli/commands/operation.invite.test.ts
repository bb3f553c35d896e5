import { expect, test } from "vitest";
import { ok, refuse, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

const here = "http://127.0.0.1:7717/s/Abcdefgh12345678#pbi_x";
const far = "https://192.0.2.7:7718/s/Abcdefgh12345678#pbi_x";
const envOf = (url: string) => ({ SERVICE_URL: url, SERVICE_TOKEN: "k", SERVICE_SESSION: "Abcdefgh12345678" });

test("makes a link, for this machine or with --outside for others", async () => {
  await using relay = await startFakeRelay(({ body }, response) => {
    const { outside } = body as { outside: boolean };
    ok(response, { id: "1", url: outside ? far : here, urls: [here, far] });
  });
  const env = envOf(relay.url);
  expect((await runCli(["invite"], { env, isTTY: true })).out).toBe(`${here}\n`);
  const words = ["invite", "--outside", "--role", "reader", "--ttl", "600", "--uses", "3"];
  expect((await runCli(words, { env, isTTY: true })).out).toBe(`${far}\n`);
  expect(relay.received.map(({ body }) => body)).toEqual([
    { role: "writer", ttl: 3600, uses: 1, outside: false },
    { role: "reader", ttl: 600, uses: 3, outside: true },
  ]);
  const { out } = await runCli(["invite", "--json"], { env, isTTY: true });
  expect(JSON.parse(out)).toMatchObject({ url: here, urls: [here, far] });
});

test("the relay's refusal is told as it came", async () => {
  await using relay = await startFakeRelay((_, response) => refuse(response, 400, "invalid_request", "Only --listen."));
  expect(await runCli(["invite", "--outside"], { env: envOf(relay.url) })).toEqual({
    code: 1,
    out: "",
    err: "Only --listen.\n",
  });
});
