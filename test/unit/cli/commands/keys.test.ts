import { expect, test } from "vitest";
import { ok, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

const record = {
  id: "k1",
  owner: "me",
  name: "ci",
  scheme: "api",
  scopes: [],
  restrictions: { readOnly: true },
  createdAt: "2026-11-21T04:00:00Z",
  expiresAt: null,
  lastUsedAt: null,
};
const made = { ...record, secret: "pb_secret" };

test.each([
  ["create --name ci --read-only", made, "pb_secret\n"],
  ["revoke ci", record, "Key ci is revoked.\n"],
])("keys %s prints a line, and the whole record with --json", async (line, result, shown) => {
  await using relay = await startFakeRelay((_, response) => ok(response, result));
  const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "k" };
  const words = ["keys", ...line.split(" ")];
  expect(await runCli(words, { env })).toEqual({ code: 0, out: shown, err: "" });
  const json = await runCli([...words, "--json"], { env });
  expect(JSON.parse(json.out)).toEqual(result);
});

test("keys create sends a long name whole, for the relay to refuse: no emoji of it is divided", async () => {
  const name = `${"a".repeat(99)}🦀b`;
  await using relay = await startFakeRelay((_, response) => ok(response, made));
  const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "k" };
  expect(await runCli(["keys", "create", "--name", name], { env })).toMatchObject({ code: 0 });
  expect(relay.received.at(-1)?.body).toMatchObject({ name });
});

test("keys create takes `hide` for secrets, and no other word", async () => {
  await using relay = await startFakeRelay((_, response) => ok(response, made));
  const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "k" };
  const create = (wish: string) => runCli(["keys", "create", "--name", "ci", "--secrets", wish], { env });
  expect(await create("hide")).toMatchObject({ code: 0 });
  expect(relay.received.at(-1)?.body).toMatchObject({ restrictions: { secrets: "hide" } });
  expect(await create("keep")).toMatchObject({ code: 2 });
});
