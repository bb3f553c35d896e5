import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { methodNames, specs } from "../../../core/commands/specs.ts";
import { freePort } from "../../support/free-port.ts";
import { type OtherMachine, startOtherMachine, startUserMachine, type UserMachine } from "../../support/machines.ts";
import { otherAddress } from "../../support/other-address.ts";
import { runCli } from "../../unit/cli/run-cli.ts";

let here: UserMachine;
let box: OtherMachine;
/** The key of `box` in the environment, because no keychain can be reached. */
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  [here, box] = await Promise.all([startUserMachine(), startOtherMachine()]);
  env = { SERVICE_TOKEN_BOX: box.key };
  const added = await here.run(["remotes", "add", "box", "--url", box.relay.url], { env });
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^Added box .*version .*, as /) });
});

afterAll(async () => {
  await box[Symbol.asyncDispose]();
  here[Symbol.dispose]();
});

const record = (name: string) => join(here.data, "remotes", `${name}.json`);

describe("adding, renaming and removing", () => {
  test("the record is private, whole, and without the key", () => {
    expect(statSync(record("box")).mode & 0o777).toBe(0o600);
    expect(statSync(join(here.data, "remotes")).mode & 0o777).toBe(0o700);
    const text = readFileSync(record("box"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ url: box.relay.url });
    expect(text).not.toContain(box.key);
    expect(readdirSync(join(here.data, "remotes"))).toContain("box.json");
  });

  test.each(["", "Box", "a_b", "-x", "../x", "x".repeat(33), "local", "a b", "x.json"])(
    "the name %j is refused",
    async (name) => {
      const refused = await here.run(["remotes", "add", "--url", box.relay.url, "--", name]);
      expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining("expected 1 to 32 of a-z") });
    },
  );

  test.each([
    ["nonsense", "expected an address"],
    ["ftp://127.0.0.1", "expected an address"],
    ["http://192.0.2.7:7717", "readable on the way"],
    ["http://127.0.0.1.evil.example:7717", "readable on the way"],
    ["https://me:secret@192.0.2.7", "without a user"],
    ["https://192.0.2.7/?key=1", "without a user"],
  ])("the address %s is refused", async (url, reason) => {
    const refused = await here.run(["remotes", "add", "pi", "--url", url]);
    expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining(reason) });
    expect(existsSync(record("pi"))).toBe(false);
  });

  test("without a keychain nothing is written, and the sentence says what to do instead", async () => {
    const words = ["remotes", "add", "pi", "--url", box.relay.url];
    const refused = await here.runProcess(words, { input: `${box.key}\n` });
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/No keychain .*SERVICE_TOKEN_PI/) });
    expect(existsSync(record("pi"))).toBe(false);
  });

  test("a key that the remote refuses is not kept, nor is one for an address where no relay is", async () => {
    const wrong = { SERVICE_TOKEN_PI: `pb_${"A".repeat(43)}` };
    const refused = await here.run(["remotes", "add", "pi", "--url", box.relay.url], { env: wrong });
    expect(refused).toMatchObject({ code: 3, out: "", err: expect.stringContaining("pi refuses its key") });
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const away = await here.run(["remotes", "add", "pi", "--url", nobody], { env: wrong });
    expect(away).toMatchObject({ code: 5, out: "", err: expect.stringContaining("nothing listens there") });
    expect(existsSync(record("pi"))).toBe(false);
  });

  test("of several additions of one name at the same time one succeeds", { tags: "slow" }, async () => {
    const more = { SERVICE_TOKEN_TWIN: box.key };
    const words = ["remotes", "add", "twin", "--url", box.relay.url];
    const done = await Promise.all([1, 2, 3].map(() => here.runProcess(words, { env: more })));
    expect(done.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
    expect(done.find(({ code }) => code === 2)?.err).toContain("There is a remote called twin already.");
    expect(readdirSync(join(here.data, "remotes")).filter((file) => file.startsWith("."))).toEqual([]);

    expect(await here.run(["remotes", "rename", "twin", "box"])).toMatchObject({ code: 2 });
    expect(await here.run(["remotes", "rename", "twin", "second"])).toMatchObject({ code: 0 });
    expect((await here.run(["remotes", "names"])).out).toBe("box\nsecond\n");
    const renamed = { SERVICE_TOKEN_SECOND: box.key };
    expect(await here.run(["sessions", "--on", "second"], { env: renamed })).toMatchObject({ code: 0 });
    expect(await here.run(["remotes", "remove", "second"])).toMatchObject({ code: 0 });
    expect(await here.run(["remotes", "remove", "second"])).toMatchObject({ code: 2 });
    expect((await here.run(["remotes", "names"])).out).toBe("box\n");
  });

  test("a damaged record is named, used by nothing, and can be removed", async () => {
    writeFileSync(record("torn"), '{"id":');
    expect(await here.run(["sessions", "--on", "torn"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("The record of the remote torn cannot be read"),
    });
    const listed = await here.run(["remotes"], { env });
    expect(listed).toMatchObject({ code: 0, err: expect.stringContaining("torn cannot be read") });
    expect(await here.run(["remotes", "remove", "torn"])).toMatchObject({ code: 0 });
    expect(existsSync(record("torn"))).toBe(false);
  });
});

describe("one machine", () => {
  const reads = methodNames
    .filter((method) => specs[method].role === "reader" && specs[method].params.safeParse({}).success)
    .flatMap((method) => specs[method].cli.flatMap(({ name, args = [] }) => (args.length === 0 ? [name] : [])));

  // The time of a key's last use, and of a shell's last output, differ from call to call.
  const stable = (text: string) => text.replace(/"(?:lastUsed|active)At":"[^"]*"/g, "").replace(/"[a-z]*Ms":\d+/gi, "");

  test.each(reads)("func %s gives there what it gives at its address", { tags: "slow" }, async (name) => {
    const place = { HOME: here.folder, PATCHBAY_DATA: here.data };
    const there = await runCli(["func", name, "--on", "box"], { env: { ...place, ...env } });
    const at = { SERVICE_URL: box.relay.url, SERVICE_TOKEN: box.key };
    const direct = await runCli(["func", name], { env: { ...place, ...at } });
    expect({ ...there, out: stable(there.out) }).toEqual({ ...direct, out: stable(direct.out) });
  });

  test.each([
    ["func", "list-tiles"],
    ["sessions"],
    ["events"],
    ["agents"],
    ["audit", "--text", "nothing that was ever done"],
    ["keys", "list"],
    ["plugins"],
    ["budgets"],
    ["shell-host"],
    ["func", "close-shell", "12345"],
    ["func", "list-tiles", "--client", "77"],
    ["func", "list-tiles", "--session", "no such"],
  ])("%j gives there what it gives at its address", async (...words) => {
    const there = await here.run([...words, "--on", "box"], { env });
    const direct = await here.run(words, { env: { SERVICE_URL: box.relay.url, SERVICE_TOKEN: box.key } });
    expect({ ...there, out: stable(there.out) }).toEqual({ ...direct, out: stable(direct.out) });
  });

  test("a command line runs there, with its output and exit code", async () => {
    await here.run(["func", "create-shell", "--on", "box"], { env });
    const line = ["func", "run", "--on", "box", "--wait", "echo $PATCHBAY_DATA$HOME; sh -c 'exit 7'"];
    expect(await here.run(line, { env })).toMatchObject({
      code: 7,
      out: expect.stringContaining(join(box.lab.data, "..")),
    });
    const before = await here.run(["--on", "box", "status"], { env });
    expect(JSON.parse(before.out)).toMatchObject({
      machine: "box",
      relay: box.relay.url,
      key: "from SERVICE_TOKEN_BOX",
    });
  });

  test("a path of this machine is refused, a full one is used", async () => {
    const words = ["func", "create-shell", "--on", "box", "--no-tile", "--cwd"];
    expect(await here.run([...words, "below"], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining("full path of box"),
    });
    expect(await here.run([...words, "/"], { env })).toMatchObject({ code: 0 });
  });

  test("an unknown name is a usage error with a suggestion, and reaches no other relay", async () => {
    const local = { SERVICE_URL: box.relay.url, SERVICE_TOKEN: box.key };
    for (const words of [
      ["func", "list-tiles"],
      ["sessions"],
      ["status"],
      ["doctor"],
      ["keys", "list"],
      ["events"],
      ["audit"],
    ]) {
      const refused = await here.run([...words, "--on", "bxo"], { env: local });
      expect(refused, words.join(" ")).toMatchObject({ code: 2, out: "" });
      expect(refused.err).toContain('--on: no remote is called "bxo". Did you mean box? There are: box.');
    }
    expect(await here.run(["sessions", "--on", ""], { env: local })).toMatchObject({ code: 2 });
    expect(await here.run(["sessions"], { env: { ...local, SERVICE_ON: "bxo" } })).toMatchObject({
      code: 2,
      err: expect.stringContaining("SERVICE_ON: no remote"),
    });
  });

  test("SERVICE_ON is a default: an option that names a relay comes before it", async () => {
    const on = { ...env, SERVICE_ON: "box", SERVICE_URL: "http://127.0.0.1:1", SERVICE_TOKEN: box.key };
    const [{ id }] = JSON.parse((await here.run(["sessions"], { env: on })).out) as [{ id: string }];
    expect(id).toBe(box.relay.session);
    expect(await here.run(["sessions", "--on", "local"], { env: on })).toMatchObject({
      code: 5,
      err: expect.stringContaining("127.0.0.1:1"),
    });
    expect(await here.run(["sessions", "--url", "http://127.0.0.1:2"], { env: on })).toMatchObject({ code: 5 });
    const both = await here.run(["sessions", "--on", "box", "--url", box.relay.url], { env });
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining("--on and --url both name a relay") });
  });

  test("what belongs to this machine's relay is not sent there", async () => {
    const mine = {
      SERVICE_TOKEN: "pb_of-this-machine",
      SERVICE_SESSION: "elsewhere",
      SERVICE_SHELL_ID: "1",
      SERVICE_CLIENT: "9",
    };
    expect(await here.run(["func", "list-tiles", "--on", "box"], { env: { ...mine, ...env } })).toMatchObject({
      code: 0,
      err: "",
    });
    const noKey = await here.runProcess(["func", "list-tiles", "--on", "box"], { env: { SERVICE_TOKEN: box.key } });
    expect(noKey).toMatchObject({ code: 3, err: expect.stringContaining("No key for box") });
  });

  test("doctor checks every remote, or the one that is named", async () => {
    const one = await here.run(["doctor", "--on", "box"], { env });
    expect(one.code).toBe(0);
    expect(JSON.parse(one.out)).toEqual([
      { check: "remote box", state: "ok", found: expect.stringContaining(`answers at ${box.relay.url}`) },
    ]);
    const all = JSON.parse((await here.run(["doctor"], { env })).out) as { check: string }[];
    expect(all.map(({ check }) => check)).toEqual(expect.arrayContaining(["data folder", "remote box"]));
    const rejected = { SERVICE_TOKEN_BOX: `pb_${"A".repeat(43)}` };
    const bad = await here.run(["doctor", "--on", "box"], { env: rejected });
    expect(bad).toMatchObject({ code: 1, out: expect.stringContaining("--key") });
  });
});

test("a revoked key is reported as such, with the machine's name", async () => {
  const { out } = await here.run(["keys", "create", "--name", "brief", "--on", "box"], { env });
  const brief = { SERVICE_TOKEN_BOX: out.trim() };
  const state = async () => {
    const [row] = JSON.parse((await here.run(["remotes", "--json"], { env: brief })).out) as [object];
    return row;
  };
  expect(await state()).toMatchObject({ machine: "box", state: "reachable", key: "valid", awaySince: null });
  await here.run(["keys", "revoke", "brief", "--on", "box"], { env });
  expect(await here.run(["sessions", "--on", "box"], { env: brief })).toMatchObject({
    code: 3,
    out: "",
    err: expect.stringContaining("box refuses its key"),
  });
  expect(await state()).toMatchObject({ machine: "box", state: "reachable", key: "rejected" });
});

test("a certificate of no known authority is pinned by its fingerprint, and no other is called", {
  tags: "slow",
}, async () => {
  const port = await freePort();
  const address = otherAddress();
  await using tls = await startOtherMachine(["--client", "--listen", `0.0.0.0:${port}`]);
  const url = `https://${address}:${port}`;
  const [, fingerprint = ""] = /SHA-256 ([0-9A-F:]+)/.exec(tls.relay.said()) ?? [];
  const key = { SERVICE_TOKEN_TLS: tls.key };
  const add = (...words: string[]) => here.run(["remotes", "add", "tls", "--url", url, ...words], { env: key });

  expect(await add()).toMatchObject({ code: 1, out: "", err: expect.stringContaining(fingerprint) });
  expect(await add("--fingerprint", "AB".repeat(32))).toMatchObject({
    code: 1,
    err: expect.stringContaining("another certificate"),
  });
  expect(await add("--fingerprint", "AB")).toMatchObject({ code: 2 });
  expect(existsSync(record("tls"))).toBe(false);
  expect(await add("--fingerprint", `sha256:${fingerprint.replaceAll(":", "").toLowerCase()}`)).toMatchObject({
    code: 0,
  });
  expect(await here.run(["func", "list-tiles", "--on", "tls"], { env: key })).toMatchObject({ code: 0, err: "" });

  // The same address with another certificate: as an attacker on the way, and as a renewal.
  await tls.relay.stop();
  rmSync(join(tls.lab.data, "tls.pem"));
  const again = await tls.lab.serve(["--client", "--listen", `0.0.0.0:${port}`]);
  const refused = await here.runProcess(["func", "list-tiles", "--on", "tls"], {
    env: { ...key, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
  });
  expect(refused).toMatchObject({ code: 5, out: "", err: expect.stringContaining("not the expected one") });
  const listed = JSON.parse((await here.run(["remotes"], { env: key })).out) as { machine: string }[];
  expect(listed.find(({ machine }) => machine === "tls")).toMatchObject({ state: "untrusted", key: "unknown" });

  const [, renewed = ""] = /SHA-256 ([0-9A-F:]+)/.exec(again.said()) ?? [];
  expect(renewed).not.toBe(fingerprint);
  const updated = await here.run(["remotes", "update", "tls", "--fingerprint", renewed], { env: key });
  expect(updated).toMatchObject({ code: 0 });
  expect(await here.run(["func", "list-tiles", "--on", "tls"], { env: key })).toMatchObject({ code: 0, err: "" });
  await here.run(["remotes", "remove", "tls"]);
});

test("--data names the folder that keeps the remotes", async () => {
  const other = join(here.folder, "copied");
  mkdirSync(join(other, "remotes"), { recursive: true });
  writeFileSync(join(other, "remotes", "box.json"), readFileSync(record("box")));
  const found = await here.run(["sessions", "--on", "box", "--data", other], { env });
  expect(found).toMatchObject({ code: 0, err: "" });
});
