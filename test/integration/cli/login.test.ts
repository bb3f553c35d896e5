import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { builtProgram } from "./built-program.ts";

/** No keychain can be reached. */
const nowhere = { DBUS_SESSION_BUS_ADDRESS: "disabled:" };

let program: Awaited<ReturnType<typeof builtProgram>>;
let relay: ReturnType<typeof watched>;
beforeAll(async () => {
  program = await builtProgram();
  relay = watched(program.start(["serve", "--port", "0", "--client"]));
  await until("the relay to be up", () => relay.out().includes("Try next"));
});
afterAll(async () => {
  relay.child.kill("SIGTERM");
  await relay.ended();
  program[Symbol.dispose]();
});

test("without a keychain nobody is asked and nothing is written; the sentence says what to do instead", async () => {
  const said = relay.out().length;
  const login = await program.run(["login"], nowhere);
  expect(login).toMatchObject({ code: 1, out: "" });
  expect(login.err).toMatch(/No keychain can be reached .*export SERVICE_TOKEN=\$\(service login --print\)/);
  expect(relay.out().slice(said)).not.toContain("Login:");
  const logout = await program.run(["logout"], nowhere);
  expect(logout).toMatchObject({ code: 1, err: expect.stringContaining("No keychain can be reached") });
});

test("`login --print` shows the code here and at the relay; `approve` lets it in, and the key works", async () => {
  const login = watched(program.start(["login", "--print"], nowhere));
  const code = await until("the code", () => /Code: (\S+)/.exec(login.err())?.[1]);
  await until("the relay to tell it", () => relay.out().includes(`service approve ${code}`));
  expect(await program.run(["approve", code])).toMatchObject({ code: 0, err: "" });
  expect(await login.ended()).toBe(0);
  expect(login.out()).toMatch(/^pb_[\w-]{43}\n$/);
  expect(login.err()).not.toContain("pb_");
  const env = { ...nowhere, SERVICE_TOKEN: login.out().trim() };
  expect(await program.run(["func", "list-shells"], env)).toEqual({ code: 0, out: "[]\n", err: "" });
  expect(JSON.parse((await program.run(["status"], env)).out)).toMatchObject({
    key: "from SERVICE_TOKEN",
    keyName: expect.stringMatching(/^login of service on /),
    scope: "everything",
  });
  const { relay: url } = JSON.parse((await program.run(["status"], env)).out) as { relay: string };
  const token = await program.run(["token", "--scope", "plugins:install", "--url", url], env);
  expect(token).toMatchObject({ code: 0, out: expect.stringMatching(/^pbt_[\w-]{43}\n$/) });
});

test("`approve --deny` ends the login with a sentence", async () => {
  const login = watched(program.start(["login", "--print"], nowhere));
  const code = await until("the code", () => /Code: (\S+)/.exec(login.err())?.[1]);
  expect(await program.run(["approve", code, "--deny"])).toMatchObject({ code: 0 });
  expect([await login.ended(), login.out()]).toEqual([3, ""]);
  expect(login.err()).toContain("The user has denied this login.");
});

test("`approve` needs neither a keychain nor a key where SERVICE_URL is the relay of this user", async () => {
  const { url } = JSON.parse(readFileSync(join(program.folder, "data", "relay.json"), "utf8")) as { url: string };
  const login = watched(program.start(["login", "--print"], nowhere));
  const code = await until("the code", () => /Code: (\S+)/.exec(login.err())?.[1]);
  const elsewhere = await program.run(["approve", code], { ...nowhere, SERVICE_URL: "http://127.0.0.1:1" });
  expect(elsewhere).toMatchObject({ code: 3, out: "", err: expect.stringContaining("No API key") });
  expect(await program.run(["approve", code], { ...nowhere, SERVICE_URL: url })).toEqual({
    code: 0,
    out: "Allowed: the program that waits is logged in now.\n",
    err: "",
  });
  expect(await login.ended()).toBe(0);
});

test("a key that is none is refused, and the relay of this user is not called without one in its place", async () => {
  const { url } = JSON.parse(readFileSync(join(program.folder, "data", "relay.json"), "utf8")) as { url: string };
  const env = { ...nowhere, SERVICE_URL: url, SERVICE_TOKEN: "pb_ of another" };
  expect(await program.run(["keys", "create", "--name", "mistaken"], env)).toEqual({
    code: 3,
    out: "",
    err: expect.stringContaining("SERVICE_TOKEN: this is not an API key"),
  });
});

test("no key at all: the sentence leads to `service login`", async () => {
  const refused = await program.run(["func", "list-shells"], nowhere);
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining("`service login` gets one") });
});

test("status says how far a narrow key reaches", async () => {
  const made = await program.run(["keys", "create", "--name", "bot", "--read-only", "--expires", "1h"]);
  const env = { ...nowhere, SERVICE_TOKEN: made.out.trim() };
  const status = JSON.parse((await program.run(["status"], env)).out) as Record<string, unknown>;
  expect(status).toMatchObject({ keyName: "bot", scope: "read-only", goodUntil: expect.stringMatching(/^20/) });
  const refused = await program.run(["func", "create-shell"], env);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^This key is read-only/) });
});

function watched(child: ChildProcess) {
  let out = "";
  let err = "";
  child.stdout?.on("data", (piece) => (out += String(piece)));
  child.stderr?.on("data", (piece) => (err += String(piece)));
  const closed = once(child, "close");
  return {
    child,
    out: () => out,
    err: () => err,
    ended: async () => ((await closed) as [number | null])[0],
  };
}
