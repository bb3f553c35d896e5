import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { RecordingOptions } from "../../../../core/protocol/history.ts";
import type { ShellEvent } from "../../../../core/protocol/shell-host.ts";
import { HistoryKeeper } from "../../../../main/entry/history-keeper.ts";
import { HistoryRows } from "../../../../main/relay/store/history-rows.ts";
import { openStore } from "../../../../main/relay/store/open-store.ts";
import { HistoryRecorder } from "../../../../main/shells/history/recorder.ts";
import { listSegments } from "../../../../main/shells/history/trim.ts";
import type { KeychainEntry } from "../../../../main/system/keychain.ts";
import { until } from "../../../support/until.ts";
import { owner, PrintingShell } from "../shells/history/history-lab.ts";

const DEFAULTS = { unencrypted: false, days: 30, maxBytes: 1024 ** 3 };
const nothing = () => undefined;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A keychain that holds its secrets in a map, or that cannot be reached. */
function keychainOf(secrets: Map<string, string> | undefined) {
  return (account: string): KeychainEntry => {
    if (secrets === undefined) throw new Error("no secret service");
    return {
      getPassword: async () => secrets.get(account),
      setPassword: async (secret) => void secrets.set(account, secret),
      deleteCredential: async () => secrets.delete(account),
    };
  };
}

/** A program in the place of the index: it notes what it is asked. */
const NOTING_INDEX = `
const { appendFileSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
parentPort.on("message", (call) => {
  appendFileSync(workerData.file, JSON.stringify(call) + "\\n");
  parentPort.postMessage({ id: call.id, result: [] });
});`;

function keeperLab(data = mkdtempSync(join(tmpdir(), "keeper-"))) {
  folders.push(...(folders.includes(data) ? [] : [data]));
  const { database } = openStore(data);
  const recorder = new HistoryRecorder({ log: () => undefined, quietMs: 0 });
  const told: RecordingOptions[] = [];
  const keeperWith = (secrets: Map<string, string> | undefined) =>
    new HistoryKeeper({
      rows: new HistoryRows(database),
      folder: join(data, "history"),
      relayId: "lab",
      user: "ann",
      runs: () => [],
      player: "",
      // The settings, the key and the segments need no index.
      indexProgram: join(data, "none"),
      log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
      entryOf: keychainOf(secrets),
      shells: () => ({
        record: async (options) => {
          told.push(options);
          recorder.configure(options);
        },
        flush: (options) => recorder.flush(options),
      }),
    });
  return {
    data,
    recorder,
    told,
    keeperWith,
    async [Symbol.asyncDispose]() {
      await recorder.dispose();
      database.close();
    },
  };
}

describe("the key", () => {
  test("is made once, kept in the keychain, and read from there at the next start", async () => {
    await using lab = keeperLab();
    const secrets = new Map<string, string>();
    const first = lab.keeperWith(secrets);
    expect(await first.start(DEFAULTS)).toMatchObject({ choice: "on", encrypted: true });
    const [key] = secrets.values();
    expect(Buffer.from(key ?? "", "base64")).toHaveLength(32);
    new PrintingShell(lab.recorder).print("kept for later\r\n");
    await lab.recorder.flush();

    const next = lab.keeperWith(secrets);
    expect((await next.status()).recording).toBe(false);
    await next.resume();
    expect(lab.told.at(-1)).toMatchObject({ key, folder: join(lab.data, "history") });
    expect((await next.reader.read(owner, { since: 0 }))?.output).toBe("kept for later\r\n");
    expect(await next.status()).toMatchObject({ recording: true, unreadable: [], segments: 1 });
  });

  test("that cannot be kept stops the start, unless the owner does without; nothing is decided by the refusal", async () => {
    await using lab = keeperLab();
    const keeper = lab.keeperWith(undefined);
    await expect(keeper.start(DEFAULTS)).rejects.toThrow(
      /No keychain can be reached \(no secret service\).*--unencrypted/,
    );
    expect(await keeper.status()).toMatchObject({ choice: "unasked", recording: false });
    expect(lab.told).toEqual([]);
    expect(await keeper.start({ ...DEFAULTS, unencrypted: true })).toMatchObject({ choice: "on", encrypted: false });
    expect(lab.told).toMatchObject([{ key: null }]);
  });

  test("that cannot be read records nothing in clear instead, and says why", async () => {
    await using lab = keeperLab();
    await lab.keeperWith(new Map()).start(DEFAULTS);
    lab.told.length = 0;
    const keeper = lab.keeperWith(undefined);
    await keeper.resume();
    expect(lab.told).toEqual([]);
    expect(await keeper.status()).toMatchObject({
      choice: "on",
      recording: false,
      trouble: expect.stringContaining("cannot be read from the keychain (no secret service)"),
    });
  });

  test("that cannot be read has nothing recorded in clear by a change of other settings either", async () => {
    await using lab = keeperLab();
    await lab.keeperWith(new Map()).start(DEFAULTS);
    lab.told.length = 0;
    const keeper = lab.keeperWith(undefined);
    await keeper.resume();
    await keeper.recordSession("another", false);
    expect(lab.told).toMatchObject([{ folder: null, except: ["another"] }]);
    new PrintingShell(lab.recorder).print("not in clear\r\n");
    await lab.recorder.flush();
    expect(await keeper.status()).toMatchObject({ recording: false, segments: 0 });
  });

  test("is not asked for where recording was declined and nothing was recorded", async () => {
    await using lab = keeperLab();
    await lab.keeperWith(undefined).stop();
    lab.told.length = 0;
    const keeper = lab.keeperWith(undefined);
    await keeper.resume();
    expect(lab.told).toMatchObject([{ folder: null, key: null }]);
    expect(await keeper.status()).toMatchObject({ choice: "off", trouble: null });
  });

  test("that was lost leaves segments unreadable, which the status names", async () => {
    await using lab = keeperLab();
    await lab.keeperWith(new Map()).start(DEFAULTS);
    new PrintingShell(lab.recorder).print("lost with its key\r\n");
    await lab.recorder.flush();
    const keeper = lab.keeperWith(new Map());
    await keeper.resume();
    expect(await keeper.reader.read(owner, { since: 0 })).toBeUndefined();
    const file = join(owner.session, "1", "000000000000000.seg");
    expect((await keeper.status()).unreadable).toEqual([{ file, why: "another key" }]);
    writeFileSync(join(lab.data, "history", file), "something else");
    expect((await keeper.status()).unreadable).toEqual([{ file, why: "no segment" }]);
  });
});

test("what a shell has printed last is indexed when it has ended, also together with its host", async () => {
  await using lab = keeperLab();
  writeFileSync(join(lab.data, "none"), NOTING_INDEX);
  const notes = join(lab.data, "history-index.db");
  writeFileSync(notes, "");
  await using keeper = lab.keeperWith(undefined);
  await keeper.start({ ...DEFAULTS, unencrypted: true });
  const added = () =>
    readFileSync(notes, "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { method: string; owner?: { shell: number } }]))
      .flatMap(({ method, owner }) => (method === "add" ? [owner?.shell] : []));
  const receivers: ((event: ShellEvent) => void)[] = [];
  const host = {
    onEvent(receiver: (event: ShellEvent) => void) {
      receivers.push(receiver);
      return () => undefined;
    },
  };
  keeper.watch("s_test", host, () => undefined);
  const tell = (event: ShellEvent) => {
    for (const receive of receivers) receive(event);
  };
  tell({ kind: "exited", id: 1, exitCode: 0, signal: null });
  tell({ kind: "lost", id: 2 });
  await until("both", () => added().length === 2);
  expect(added()).toEqual([1, 2]);
});

describe("what was recorded", () => {
  test("of a shell is forgotten at once while it prints, and it is recorded on", async () => {
    await using lab = keeperLab();
    const keeper = lab.keeperWith(new Map());
    await keeper.start(DEFAULTS);
    const shell = new PrintingShell(lab.recorder);
    const other = new PrintingShell(lab.recorder, undefined, { session: owner.session, shell: 2 });
    shell.print("one\r\n");
    other.print("other\r\n");
    expect(await keeper.forget({ session: owner.session, shell: 1 })).toMatchObject({ segments: 1 });
    shell.print("two\r\n");
    expect(await keeper.reader.read(owner, { since: 5 })).toBeUndefined();
    await lab.recorder.flush();
    expect(await keeper.reader.read(owner, { since: 0 })).toMatchObject({ output: "two\r\n", missed: 5 });
    expect((await keeper.reader.read({ ...owner, shell: 2 }, { since: 0 }))?.output).toBe("other\r\n");
    expect(await keeper.forget({})).toMatchObject({ segments: 2 });
    expect(await keeper.status()).toMatchObject({ segments: 0, bytes: 0, oldest: null });
  });

  test("has its index in the bound, of which segments get the rest", async () => {
    await using lab = keeperLab();
    const keeper = lab.keeperWith(new Map());
    writeFileSync(join(lab.data, "history-index.db"), Buffer.alloc(1_000_000));
    await keeper.start(DEFAULTS);
    expect(lab.told).toMatchObject([{ maxBytes: DEFAULTS.maxBytes - 1_000_000 }]);
    expect(await keeper.status()).toMatchObject({ bytes: 0, indexBytes: 1_000_000, maxBytes: DEFAULTS.maxBytes });
    const shell = new PrintingShell(lab.recorder);
    for (const text of ["a", "b", "c"]) {
      shell.print(text.repeat(300_000));
      await lab.recorder.flush({ rotate: true });
    }
    const segments = () => listSegments(join(lab.data, "history"));
    await until("compression", async () => (await segments()).every(({ file }) => file.endsWith(".segz")));
    // Half of the bound at least, for the segments.
    const { bytes } = await keeper.status();
    await keeper.trim({ days: undefined, maxBytes: 2 * bytes });
    expect((await keeper.status()).segments).toBe(3);
    await keeper.trim({ days: undefined, maxBytes: 2 * bytes - 2 });
    expect((await keeper.status()).segments).toBe(2);
  });

  test("is trimmed by the narrower of the bounds", async () => {
    await using lab = keeperLab();
    const keeper = lab.keeperWith(new Map());
    await keeper.start(DEFAULTS);
    new PrintingShell(lab.recorder).print("one\r\n");
    expect(await keeper.trim({ days: undefined, maxBytes: undefined })).toEqual({ segments: 0, bytes: 0 });
    expect(await keeper.trim({ days: undefined, maxBytes: 0 })).toMatchObject({ segments: 1 });
    await until("nothing left", async () => (await keeper.status()).segments === 0);
  });
});
