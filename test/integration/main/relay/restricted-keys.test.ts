import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { KeyRestrictions } from "../../../../core/protocol/key-restrictions.ts";
import { runLocal } from "../../../support/run-local.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";

/** What each key may: a command of every kind, and everything beside the commands. 200 stands for any good answer. */
const doors = {
  "getShells by a shortcut": (relay: TestRelay, key: string) => relay.get("shells", token(key)),
  getLayout: command("getLayout", {}),
  "list-tiles": command("getTiles", {}),
  toast: command("toast", { message: "x" }),
  sendChat: command("sendChat", { message: "x" }),
  createShell: command("createShell", { tile: false }),
  "writeToShell 1": command("writeToShell", { id: 1, data: "x" }),
  closeTile: command("closeTile", { tile: 1 }),
  resetLayout: command("resetLayout", {}),
  whoami: http("GET", "/v1/whoami"),
  events: http("GET", "events?follow=false"),
  "sessions list": http("GET", "/v1/sessions"),
  "sessions create": http("POST", "/v1/sessions", { name: "x" }),
  "session rename": http("PATCH", "", { name: "x" }),
  "plugins list": http("GET", "plugins"),
  "plugins remove": http("DELETE", "plugins/none"),
  "invites list": http("GET", "invites"),
  "invites create": http("POST", "invites", {}),
  audit: http("GET", "/v1/audit"),
} as const;

const refusedTo = (...names: (keyof typeof doors)[]) =>
  Object.fromEntries(Object.keys(doors).map((name) => [name, names.includes(name as never) ? 403 : 200]));

describe("a restricted key is let in where its scope reaches, and refused with 403 elsewhere", () => {
  const beside = [
    "sessions create",
    "session rename",
    "plugins remove",
    "invites list",
    "invites create",
    "audit",
  ] as const;
  test.each<[string, KeyRestrictions, Record<string, number>]>([
    ["none", {}, { ...refusedTo(), "plugins remove": 404 }],
    [
      "read-only",
      { readOnly: true },
      refusedTo("toast", "sendChat", "createShell", "writeToShell 1", "closeTile", "resetLayout", ...beside),
    ],
    ["own shells", { ownShells: true }, refusedTo("writeToShell 1", "closeTile", "resetLayout", ...beside)],
    [
      "methods get*, list*",
      { methods: ["get*", "list*"] },
      {
        ...refusedTo(
          "toast",
          "sendChat",
          "createShell",
          "writeToShell 1",
          "closeTile",
          "resetLayout",
          "events",
          ...beside,
        ),
        "invites list": 200,
      },
    ],
    ["methods *", { methods: ["*"] }, { ...refusedTo("invites create", "audit"), "plugins remove": 404 }],
    ["secrets hidden", { secrets: "hide" }, { ...refusedTo("invites create", "audit"), "plugins remove": 404 }],
    ["nothing", { methods: [] }, { ...refusedTo(...(Object.keys(doors) as (keyof typeof doors)[])), whoami: 200 }],
  ])("%s", async (_, restrictions, expected) => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    await relay.command("createShell");
    await relay.command("splitShell");
    const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "bot", restrictions });
    const seen: Record<string, number> = {};
    for (const [name, open] of Object.entries(doors)) {
      const answer = await open(relay, secret);
      seen[name] = answer.status === 201 ? 200 : answer.status;
      if (answer.status !== 403) continue;
      expect(answer.headers.get("x-service-error"), name).toBe("scope_forbids");
      expect(answer.text, name).toMatch(/^This key .*keys create --name NAME/);
    }
    expect(seen).toEqual(expected);
    expect(await socketStatus(relay, secret)).toBe(Object.keys(restrictions).length === 0 ? 101 : 403);
  });
});

test("a key for own shells changes those that it made, and what was made from them, also after a restart", async () => {
  await using relay = await startTestRelay();
  const client = await relay.join({ place: "desktop" });
  const theirs = await relay.command<{ shellId: number; key: number }>("createShell");
  const { secret } = relay.relay.keys.create({
    owner: relay.relay.user,
    name: "bot",
    restrictions: { ownShells: true },
  });
  const bot = async (method: string, params: object) => {
    const { status, text } = await relay.post({ method, params }, token(secret));
    return status === 200 ? (JSON.parse(text) as { result: { shellId: number; key: number } }).result : status;
  };
  const made = await bot("createShell", {});
  if (typeof made === "number") throw new Error(`createShell: ${made}`);
  expect(await bot("writeToShell", { id: made.shellId, data: "true\\n" })).toEqual({ id: made.shellId, queued: 0 });
  expect(await bot("renameTile", { key: made.key, name: "bot" })).toEqual({ key: made.key });
  expect(await bot("splitShell", { tile: made.key })).toMatchObject({ shellId: made.shellId + 1 });
  // No default leads to another's: the focus may be anywhere.
  await relay.command("focusTile", { key: theirs.key });
  expect(await bot("renameTile", { name: "x" })).toBe(403);
  expect(await bot("runCommand", { command: "x" })).toBe(403);
  expect(await bot("closeShell", { id: theirs.shellId })).toBe(403);
  const another = relay.relay.keys.create({
    owner: relay.relay.user,
    name: "other bot",
    restrictions: { ownShells: true },
  }).secret;
  const foreign = await relay.post({ method: "closeShell", params: { id: made.shellId } }, token(another));
  expect(foreign.status).toBe(403);
  await client.leave();
  await relay.restart();
  await using _again = await relay.join({ place: "desktop" });
  expect(await bot("closeTile", { tile: made.key })).toEqual({ key: made.key });
  expect(await bot("closeShell", { id: made.shellId })).toMatchObject({ id: made.shellId });
});

test("two callers never share the answer of one Idempotency-Key", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { secret } = relay.relay.keys.create({
    owner: relay.relay.user,
    name: "bot",
    restrictions: { readOnly: true },
  });
  const body = { method: "createShell", params: { tile: false } };
  const same = { "Idempotency-Key": "one" };
  expect((await relay.post(body, same)).status).toBe(200);
  expect((await relay.post(body, { ...same, ...token(secret) })).status).toBe(403);
  const again = await relay.post(body, same);
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
});

test("`keys create` makes such keys, and `keys list` shows their scope, last use and end", async () => {
  await using relay = await startTestRelay({ commandTimeoutMs: 50 });
  const keys = (...words: string[]) => runLocal("keys", ...words, "--data", relay.folder);
  const scope = ["--read-only", "--methods", "get*, list-shells", "--own-shells", "--expires", "30d"];
  const made = await keys("create", "--name", "bot", ...scope);
  expect([made.code, made.err]).toEqual([0, ""]);
  const secret = made.out.trim();
  expect((await relay.get("shells", token(secret))).status).toBe(504);
  expect((await relay.request("GET", "/v1/sessions", { headers: token(secret) })).status).toBe(403);
  const listed = JSON.parse((await keys("list", "--json")).out) as Record<string, unknown>[];
  const row = listed.find(({ name }) => name === "bot");
  expect(row).toMatchObject({
    restrictions: { readOnly: true, ownShells: true, methods: ["get*", "list-shells"] },
    lastUsedAt: expect.stringMatching(/^20/),
  });
  const days = (Date.parse(String(row?.expiresAt)) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  expect(row).not.toHaveProperty("digest");
  for (const [words, sentence] of [
    [["create", "--name", "x", "--methods", "getShels"], /no method fits "getShels". Did you mean getShells\?/],
    [["create", "--name", "x", "--methods", ","], /expected names such as/],
    [["create", "--name", "x", "--expires", "soon"], /--expires: expected a time such as/],
    [["list", "--read-only"], /belong to `keys create`/],
  ] as const) {
    expect(await keys(...words)).toMatchObject({ code: 2, err: expect.stringMatching(sentence) });
  }
});

function token(key: string): Record<string, string> {
  return { "X-Service-Token": key };
}

function command(method: string, params: object) {
  return (relay: TestRelay, key: string) => relay.post({ method, params }, token(key));
}

/** A path of its own, or one below the session's. */
function http(verb: string, path: string, body?: object) {
  return (relay: TestRelay, key: string) => {
    const below = path === "" ? "" : `/${path}`;
    const whole = path.startsWith("/") ? path : `/v1/sessions/${relay.session}${below}`;
    return relay.request(verb, whole, { headers: token(key), ...(body === undefined ? {} : { body }) });
  };
}

function socketStatus({ url, session }: TestRelay, key: string): Promise<number | undefined> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/sessions/${session}/socket`, { headers: token(key) });
  return new Promise((resolve) => {
    socket.on("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.on("unexpected-response", (request, response) => {
      request.destroy();
      resolve(response.statusCode);
    });
    socket.on("error", () => undefined);
  });
}
