import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openLog } from "../../../../../main/entry/logging/open-log.ts";
import { newSecret } from "../../../../../main/relay/access/digest.ts";
import { until } from "../../../../support/until.ts";

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "patchbay-log-"));
});
afterEach(() => {
  rmSync(data, { recursive: true, force: true });
});

const current = () => readFileSync(join(data, "logs", "current.log"), "utf8");
const records = () =>
  current()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("one JSON object a line, from the level on, in files that only the user can read", async () => {
  const log = await openLog(data, { level: "info" });
  log.debug("not this");
  log.info("started", { url: "http://127.0.0.1:1" });
  expect(records()).toEqual([
    { level: "info", time: expect.stringMatching(/^\d{4}-/), url: "http://127.0.0.1:1", msg: "started" },
  ]);
  expect(statSync(join(data, "logs")).mode & 0o777).toBe(0o700);
  expect(statSync(join(data, "logs", "current.log")).mode & 0o777).toBe(0o600);
});

test("debug is there when it is asked for, and warnings go to the terminal too", async () => {
  const terminal = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const log = await openLog(data, { level: "debug" });
  log.debug("a detail");
  log.warn("look");
  expect(records().map(({ msg }) => msg)).toEqual(["a detail", "look"]);
  expect(terminal.mock.calls.map(([line]) => JSON.parse(String(line)).msg)).toEqual(["look"]);
});

test("no secret is ever written, wherever it stands", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const log = await openLog(data, { level: "debug" });
  const secrets = ["pb", "pbt", "pbs", "pbi"].map(newSecret);
  for (const secret of secrets) {
    log.debug(`in words: ${secret}`, { url: `http://x/s/1#${secret}`, headers: { "x-service-token": secret } });
    log.error("in an error", { error: new Error(`refused ${secret}`, { cause: new Error(secret) }) });
    log.info("by name", { token: secret, nested: { secret, list: [secret] } });
  }
  log.info("short", { key: "hunter2", request: { token: "hunter2" } });
  const text = current();
  for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 20));
  expect(text).not.toContain("hunter2");
  expect(text).toContain("pb_[hidden]");
  expect(records()).toHaveLength(13);
});

test("files are closed when they are full, and only the last ones are kept, also those of earlier runs", async () => {
  const files = () => readdirSync(join(data, "logs")).filter((name) => /^patchbay\.\d+\.log$/.test(name));
  for (let run = 0; run < 2; run += 1) {
    const log = await openLog(data, { fileSize: "2k" });
    for (let line = 0; line < 120; line += 1) {
      log.info("x".repeat(100), { run, line });
      await new Promise((resolve) => setImmediate(resolve));
    }
    log.info("the last", { run });
  }
  await until("old files to be removed", () => files().length <= 5);
  expect(files().length).toBeGreaterThan(2);
  expect(files()).not.toContain("patchbay.1.log");
  expect(records().at(-1)).toMatchObject({ run: 1, msg: "the last" });
  for (const name of files()) expect(statSync(join(data, "logs", name)).size).toBeLessThan(3 * 1024);
});
