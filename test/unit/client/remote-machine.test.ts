import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RelayUnreachable } from "../../../client/errors.ts";
import { RemoteClient } from "../../../client/remote-client.ts";
import { checkReachable, findRemoteKey, readHealth, userOf } from "../../../client/remote-machine.ts";
import { newRemoteId, type Remote, RemoteExistsError, Remotes, remoteKeyAccount } from "../../../client/remotes.ts";
import { freePort } from "../../support/free-port.ts";
import { ok, startFakeRelay } from "../cli/fake-relay.ts";

const addedAt = "2026-03-14T10:00:00.000Z";
let data: string;
let remotes: Remotes;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "patchbay-remotes-"));
  remotes = new Remotes(data);
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const record = (url = "https://box.example:7717") => ({ id: newRemoteId(), url, addedAt });
function added(name: string, url?: string): Remote {
  remotes.add(name, record(url));
  const found = remotes.find(name);
  if (found === undefined || "damaged" in found) throw new Error("not added");
  return found;
}

describe("the remotes of a data folder", () => {
  test("are none at first; each is found by its name", () => {
    expect([remotes.list(), remotes.names(), remotes.find("box")]).toEqual([[], [], undefined]);
    const [box, desk] = [added("box"), added("desk", "http://192.0.2.7")];
    expect(remotes.list()).toEqual([box, desk]);
    expect(box).toMatchObject({ name: "box", url: "https://box.example:7717", addedAt });
    expect(remotes.names()).toEqual(["box", "desk"]);
    for (const name of ["BOX", "../box", "", "-x"]) expect(remotes.find(name)).toBeUndefined();
  });

  test("have names of their own: one is neither added nor renamed over another", () => {
    const [box, desk] = [added("box"), added("desk")];
    expect(() => remotes.add("box", record())).toThrow(new RemoteExistsError("There is a remote called box already."));
    expect(() => remotes.rename("box", "desk")).toThrow(RemoteExistsError);
    expect(remotes.list()).toEqual([box, desk]);
    remotes.rename("box", "tower");
    expect(remotes.names()).toEqual(["desk", "tower"]);
    expect(remotes.find("tower")).toMatchObject({ id: box.id });
    remotes.remove("tower");
    expect(remotes.names()).toEqual(["desk"]);
  });

  test("are changed as a whole, and remember when they last answered", () => {
    const box = added("box");
    remotes.update("box", { ...box, url: "http://192.0.2.9" });
    expect(remotes.find("box")).toMatchObject({ id: box.id, url: "http://192.0.2.9" });
    remotes.noteSeen("box", new Date(addedAt));
    expect(remotes.find("box")).toMatchObject({ lastSeen: addedAt });
    // One that was removed meanwhile does not come back.
    remotes.noteSeen("gone");
    expect(remotes.names()).toEqual(["box"]);
  });

  test("have an id each, by which the keychain keeps the key", () => {
    const box = added("box");
    expect(remoteKeyAccount(box)).toBe(`remote:${box.id}`);
    expect(new Set(Array.from({ length: 50 }, newRemoteId)).size).toBe(50);
    expect(newRemoteId()).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe("the key of a remote", () => {
  const env = { SERVICE_TOKEN_MY_BOX: "pb_env", SERVICE_TOKEN: "pb_local", PATCHBAY_DATA: "/nowhere" };
  const nothing = { PATCHBAY_DATA: "/nowhere" };

  test("is the one that is given, else that of the environment for it, else that of the keychain", async () => {
    const box = added("my-box");
    const kept = async (account: string) => (account === remoteKeyAccount(box) ? "pb_kept" : undefined);
    expect(await findRemoteKey(box, { token: "pb_given", env, kept })).toEqual({ token: "pb_given", from: "--token" });
    expect(await findRemoteKey(box, { env, kept })).toEqual({ token: "pb_env", from: "SERVICE_TOKEN_MY_BOX" });
    const empty = { ...nothing, SERVICE_TOKEN_MY_BOX: "" };
    expect(await findRemoteKey(box, { env: empty, kept })).toEqual({ token: "pb_kept", from: "keychain" });
  });

  test.each<[string, Parameters<typeof findRemoteKey>[1], string]>([
    [
      "is given with a space",
      { token: "pb x", env },
      "--token: this is not an API key; `patchbay keys create` prints one.",
    ],
    [
      "stands in the environment with a line end",
      { env: { SERVICE_TOKEN_MY_BOX: "pb\n" } },
      "SERVICE_TOKEN_MY_BOX: this is not an API key; `patchbay keys create` prints one.",
    ],
    [
      "is nowhere",
      { env: nothing, kept: async () => undefined },
      "No key for my-box: `service remotes update my-box --key` takes one into the keychain; or set SERVICE_TOKEN_MY_BOX to one.",
    ],
  ])("that %s is told", async (_what, lookup, message) => {
    await expect(findRemoteKey(added("my-box"), lookup)).rejects.toMatchObject({ reason: "no_key", message });
  });
});

describe("whether a remote is there", () => {
  const health = { ok: true, version: "1.2.3" };

  test("is asked without a key, and noted", async () => {
    await using relay = await startFakeRelay((_, response) => void response.end(JSON.stringify(health)));
    const box = added("box", `${relay.url}/base/`);
    utimesSync(join(data, "remotes", "box.json"), new Date(addedAt), new Date(addedAt));
    expect(await checkReachable(box, { data, env: {} })).toEqual(health);
    expect(relay.received).toMatchObject([{ method: "GET", url: "/base/v1/health" }]);
    expect(relay.received[0]?.headers).not.toHaveProperty("x-service-token");
    expect(remotes.find("box")).not.toMatchObject({ lastSeen: addedAt });
  });

  test("is told with the time since which it is away", async () => {
    const box = { ...added("box", `http://127.0.0.1:${await freePort()}`), lastSeen: addedAt };
    await expect(checkReachable(box, { data, env: {} })).rejects.toThrow(
      new RelayUnreachable(`box (${box.url}) does not answer: nothing listens there. It is away since ${addedAt}.`),
    );
  });

  test.each<[string, number, unknown]>([
    ["another program", 200, "hello"],
    ["a relay that is not well", 503, health],
    ["a relay without a version", 200, { ok: true }],
    ["one that denies it", 200, { ...health, ok: false }],
  ])("is not said by %s", async (_what, status, body) => {
    await using relay = await startFakeRelay(
      (_, response) => void response.writeHead(status).end(JSON.stringify(body)),
    );
    await expect(readHealth(relay.url, { name: "box" })).rejects.toThrow(
      `What answers at ${relay.url} is not a Patchbay relay: check the address.`,
    );
  });

  test("is known after the time that a remote has to answer", async () => {
    await using relay = await startFakeRelay(() => undefined);
    await expect(readHealth(relay.url, { name: "box" })).rejects.toThrow(
      /does not answer: (nothing for 2\.5 s|no data)/,
    );
  });
});

test("the user of a key is asked for, and what names none is no relay", async () => {
  let user: object = { user: "ann" };
  await using relay = await startFakeRelay((_, response) => ok(response, user));
  const client = new RemoteClient({ url: relay.url, token: "k" });
  expect(await userOf(client)).toBe("ann");
  user = {};
  await expect(userOf(client)).rejects.toThrow("is not a Patchbay relay");
});
