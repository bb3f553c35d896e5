import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn as spawnPty } from "@lydell/node-pty";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startKeyring } from "../../../tools/setup/keyring.mjs";
import { type OtherMachine, startOtherMachine, startUserMachine, type UserMachine } from "../../support/machines.ts";
import { type PrivateBus, startPrivateBus } from "../../support/private-bus.ts";
import { until } from "../../support/until.ts";

let bus: PrivateBus;
let keyring: Awaited<ReturnType<typeof startKeyring>>;
let folder: string;
let here: UserMachine;
let box: OtherMachine;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "keyring-"));
  bus = await startPrivateBus();
  env = { DBUS_SESSION_BUS_ADDRESS: bus.address };
  const signal = AbortSignal.timeout(30_000);
  keyring = await startKeyring({ address: bus.address, runtime: folder, keyrings: folder, signal });
  [here, box] = await Promise.all([startUserMachine(), startOtherMachine()]);
});

afterAll(async () => {
  await box[Symbol.asyncDispose]();
  here[Symbol.dispose]();
  await keyring.stop();
  await bus[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("a piped key is kept in the keychain alone, used by name, and gone with its remote", async () => {
  const added = await here.runProcess(["remotes", "add", "box", "--url", box.relay.url], {
    env,
    input: `${box.key}\n`,
  });
  expect(added).toMatchObject({ code: 0, err: "" });
  for (const file of readdirSync(here.data, { recursive: true, encoding: "utf8", withFileTypes: true })) {
    if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toContain(box.key);
  }
  expect(await here.runProcess(["func", "list-tiles", "--on", "box"], { env })).toEqual({
    code: 0,
    out: "[]\n",
    err: "",
  });
  expect(await here.runProcess(["status", "--on", "box"], { env })).toMatchObject({
    out: expect.stringContaining("from keychain"),
  });

  expect(await here.runProcess(["remotes", "rename", "box", "server"], { env })).toMatchObject({ code: 0 });
  expect(await here.runProcess(["sessions", "--on", "server"], { env })).toMatchObject({ code: 0 });

  const { out } = await here.runProcess(["keys", "create", "--name", "second", "--on", "server"], { env });
  const update = await here.runProcess(["remotes", "update", "server", "--key"], { env, input: out });
  expect(update).toMatchObject({ code: 0 });
  expect((await here.runProcess(["status", "--on", "server"], { env })).out).toContain('"keyName":"second"');

  expect(await here.runProcess(["remotes", "remove", "server"], { env })).toMatchObject({
    code: 0,
    out: expect.stringContaining("its key from the keychain"),
  });
});

test("a typed key is asked for without echo", async () => {
  const terminal = spawnPty(
    process.execPath,
    [join(here.folder, "dist/cli/main.js"), "remotes", "add", "typed", "--url", box.relay.url],
    {
      cols: 200,
      rows: 24,
      env: { PATH: process.env.PATH ?? "", HOME: here.folder, PATCHBAY_DATA: here.data, ...env },
    },
  );
  let text = "";
  terminal.onData((piece) => (text += piece));
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  await until("the question", () => text.includes("API key for typed: "));
  terminal.write(`${box.key}\r`);
  expect([await ended, text]).toEqual([0, expect.stringContaining("Added typed")]);
  expect(text).not.toContain(box.key);
  expect(await here.runProcess(["sessions", "--on", "typed"], { env })).toMatchObject({ code: 0 });
});

test("a login gets the key where the relay is reached on loopback", { tags: "slow" }, async () => {
  const login = here.start(["remotes", "add", "asked", "--url", box.relay.url, "--login"], env);
  let told = "";
  login.stderr?.on("data", (piece) => (told += String(piece)));
  const ended = new Promise((resolve) => login.once("close", resolve));
  const code = await until("the code", () => /Code: (\S+)/.exec(told)?.[1]);
  const owner = { SERVICE_URL: box.relay.url, SERVICE_TOKEN: box.key };
  expect(await here.runProcess(["approve", code], { env: owner })).toMatchObject({ code: 0 });
  expect(await ended).toBe(0);
  expect(await here.runProcess(["sessions", "--on", "asked"], { env })).toMatchObject({ code: 0 });
});

test("a program in a restricted shell does not get the keychain's keys of remotes", { tags: "slow" }, async () => {
  await here.runProcess(["remotes", "add", "mine", "--url", box.relay.url], { env, input: box.key });
  const made = await here.runProcess(["func", "create-shell", "--on", "mine", "--no-tile"], { env });
  const { shellId } = JSON.parse(made.out) as { shellId: number };
  // Stands for a shell whose relay does not let it create keys.
  const inShell = { ...env, SERVICE_SHELL_ID: String(shellId), SERVICE_URL: box.relay.url, SERVICE_TOKEN: "pb_wrong" };
  for (const words of [
    ["sessions", "--on", "mine"],
    ["remotes", "remove", "mine"],
    ["remotes", "rename", "mine", "other"],
  ]) {
    expect(await here.runProcess(words, { env: inShell }), words.join(" ")).toMatchObject({ code: 3, out: "" });
  }
  const all = await here.runProcess(["remotes"], { env: inShell });
  expect(JSON.parse(all.out)).toContainEqual(
    expect.objectContaining({ machine: "mine", state: "reachable", key: "unknown" }),
  );
});
