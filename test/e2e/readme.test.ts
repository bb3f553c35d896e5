import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { launchApp } from "../support/app.ts";
import { exampleScript, expectPromised } from "../support/readme-examples.ts";
import { until } from "../support/until.ts";

const CHECKOUT = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

test("the README's examples run against the app, whose session has a shell already", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "patchbay-reader-"));
  try {
    await using app = await launchApp({ firstRun: true });
    await app.window();
    await until("the app's own shell", async () => ((await app.call("getShells")) as unknown[]).length > 0);
    const script = exampleScript({ url: app.relay.url, session: app.session });
    const env = { PATH: process.env.PATH, HOME: folder, PATCHBAY_DATA: app.data };
    const { stdout, stderr } = await run("/bin/sh", ["-e", "-c", script], { cwd: CHECKOUT, env });
    expectPromised(stdout);
    // The lines of curl's progress are all that it says besides.
    expect(stderr.split(/[\r\n]+/).filter((line) => /error|warning|refused/i.test(line))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 90_000);
