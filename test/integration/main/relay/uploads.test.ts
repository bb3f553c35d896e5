import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RelayOp } from "../../../../core/protocol/relay-ops.ts";
import { uploadLimits } from "../../../../core/protocol/uploads.ts";
import { enterAsGuest, type TestGuest } from "../../../support/guest.ts";
import type { PuppetClient } from "../../../support/puppet-client.ts";
import type { ScriptedClient } from "../../../support/scripted-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

const TEXT = "hello";

let relay: TestRelay;
let host: ScriptedClient;
let guest: TestGuest;
let tab: PuppetClient & { readonly id: number };
let shell: number;
/** Folder of the shell; empty before each test. */
let folder: string;

beforeAll(async () => {
  relay = await startTestRelay();
  folder = join(relay.folder, "work");
  mkdirSync(folder);
  host = await relay.join();
  shell = (await relay.command<{ shellId: number }>("createShell", { cwd: folder }, host.id)).shellId;
  guest = await enterAsGuest(relay, { name: "ann" });
  tab = await guest.tab();
});
afterAll(async () => {
  guest[Symbol.dispose]();
  await host[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
});
beforeEach(async () => {
  for (const name of readdirSync(folder)) await rm(join(folder, name), { recursive: true });
});

test("files arrive in the folder of the shell under names that are free, and nothing there is overwritten or followed", async () => {
  writeFileSync(join(folder, "a.txt"), "old");
  symlinkSync(join(relay.folder, "elsewhere"), join(folder, "b.txt"));
  const { upload } = await begin(["a.txt", "b.txt", "empty"], { folder, sizes: [5, 5, 0] });
  expect(visible()).toEqual(["a.txt", "b.txt"]);
  await send(upload, 0, "hel");
  expect(await send(upload, 0, "lo")).toEqual({ received: 5 });
  await send(upload, 1, TEXT);
  const { paths } = (await done("finishUpload", { upload })) as { paths: string[] };
  expect(paths).toEqual(["a (2).txt", "b (2).txt", "empty"].map((name) => join(folder, name)));
  expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual([TEXT, TEXT, ""]);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("old");
  expect(existsSync(join(relay.folder, "elsewhere"))).toBe(false);
  expect(lstatSync(paths[0] ?? "").mode & 0o111).toBe(0);
  expect(readdirSync(folder)).toHaveLength(5);
  const { text } = await relay.request("GET", "/v1/audit?text=startUpload");
  expect((JSON.parse(text) as { result: object[] }).result[0]).toMatchObject({
    who: "ann",
    credential: "guest",
    params: { shell, folder, files: expect.stringContaining('{"name":"a.txt","size":5}') },
    outcome: "ok",
  });
});

test.each([
  "../../../escape",
  "/etc/passwd",
  "..\\..\\x",
  "..",
  "\u0000",
  "a\nb",
  "-rf",
  "\u202Etxt.exe",
  "x".repeat(900),
])("a file that is called %j stays in its folder", async (name) => {
  const { upload } = await begin([name], { folder });
  await send(upload, 0, TEXT);
  const { paths } = (await done("finishUpload", { upload })) as { paths: string[] };
  expect(paths.map(dirname)).toEqual([folder]);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(paths[0]).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("without a folder the files are in a new one that only this user reads", async () => {
  const { upload, folder: made } = await begin(["photo.png"], {});
  await send(upload, 0, TEXT);
  const { paths } = (await done("finishUpload", { upload })) as { paths: string[] };
  expect(paths).toEqual([join(made, "photo.png")]);
  expect([lstatSync(made).mode & 0o777, lstatSync(paths[0] ?? "").mode & 0o777]).toEqual([0o700, 0o600]);
  await rm(made, { recursive: true });
});

test.each<[string, (upload: number) => Promise<unknown>]>([
  ["is cancelled", (upload) => done("cancelUpload", { upload })],
  ["sends more than it said", (upload) => refused("sendUpload", { upload, file: 0, data: base64("too long") })],
  ["sends its files in another order", (upload) => refused("sendUpload", { upload, file: 1, data: base64("x") })],
  ["is finished too early", (upload) => refused("finishUpload", { upload })],
])("nothing is left of an upload that %s", async (_how, end) => {
  const { upload } = await begin(["a", "b"], { folder, sizes: [5, 5] });
  await send(upload, 0, "hel");
  expect(readdirSync(folder)).toHaveLength(1);
  await end(upload);
  expect(readdirSync(folder)).toEqual([]);
  expect((await refused("sendUpload", { upload, file: 0, data: base64("lo") })).code).toBe("unknown_request");
});

test.each<[string, () => Promise<unknown>]>([
  ["may no longer type", async () => changeRole("reader")],
  ["is gone", async () => tab.link.close("the test says so")],
])("a running upload of someone who %s ends at once, and removes what it wrote", async (_how, end) => {
  const { upload, folder: made } = await begin(["a"], {});
  await send(upload, 0, "hel");
  await begin(["b"], { folder }).then(({ upload: other }) => send(other, 0, "hel"));
  await end();
  await until("both to be removed", () => !existsSync(made) && readdirSync(folder).length === 0);
  changeRole("writer");
  if (tab.closed !== undefined) tab = await guest.tab();
  expect((await refused("finishUpload", { upload })).code).toBe("unknown_request");
});

test("an upload is refused to those who can watch, beyond its bounds, and for another folder than the shell's", async () => {
  changeRole("reader");
  expect((await refused("startUpload", { shell, files: [{ name: "a", size: 1 }] })).code).toBe("role_forbids");
  changeRole("writer");
  const tooMany = Array.from({ length: uploadLimits.files + 1 }, () => ({ name: "a", size: 1 }));
  expect((await refused("startUpload", { shell, files: tooMany })).code).toBe("invalid_params");
  const tooLarge = Array.from({ length: 3 }, () => ({ name: "a", size: uploadLimits.fileBytes }));
  expect((await refused("startUpload", { shell, files: tooLarge })).code).toBe("limit_reached");
  const files = [{ name: "a", size: 1 }];
  expect((await refused("startUpload", { shell, folder: relay.folder, files })).code).toBe("invalid_request");
  expect((await refused("startUpload", { shell: 999, files })).code).toBe("unknown_shell");
  const open = [await begin(["a"], { folder }), await begin(["b"], { folder })];
  expect((await refused("startUpload", { shell, folder, files })).code).toBe("too_many_requests");
  using second = await enterAsGuest(relay, { name: "bob" });
  const other = await second.tab();
  expect(await other.ask("cancelUpload", { upload: open[0]?.upload })).toMatchObject({ type: "refused" });
  for (const { upload } of open) await done("cancelUpload", { upload });
  expect(readdirSync(folder)).toEqual([]);
});

interface Target {
  readonly folder?: string;
  readonly sizes?: readonly number[];
}

async function begin(names: readonly string[], { folder: wanted, sizes = names.map(() => 5) }: Target) {
  const files = names.map((name, index) => ({ name, size: sizes[index] ?? 0 }));
  const params = { shell, files, ...(wanted === undefined ? {} : { folder: wanted }) };
  return (await done("startUpload", params)) as { upload: number; folder: string };
}

function send(upload: number, file: number, text: string): Promise<unknown> {
  return done("sendUpload", { upload, file, data: base64(text) });
}

async function done(op: RelayOp, params: object): Promise<unknown> {
  const answer = await tab.ask(op, params);
  if (answer.type !== "answer") throw new Error(`${op} was refused: ${JSON.stringify(answer.error)}`);
  return answer.value;
}

async function refused(op: RelayOp, params: object): Promise<{ code: string }> {
  const answer = await tab.ask(op, params);
  if (answer.type !== "refused") throw new Error(`${op} was not refused`);
  return answer.error;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function visible(): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .sort();
}

function changeRole(role: "reader" | "writer"): void {
  const { guests } = relay.relay;
  const ann = guests.list(relay.session).find(({ name }) => name === "ann");
  if (ann !== undefined) guests.changeRole(relay.session, ann.id, role);
}
