import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { debianPackage } from "../../tools/package/debian.mjs";
import { changes, filesBelow } from "./files-below.ts";
import { given } from "./given.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "patchbay-twice-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A small stand-in for the unpacked app, made at some time of its own. */
function appOf(name: string, time: number): string {
  const app = path.join(folder, name);
  mkdirSync(path.join(app, "bin"), { recursive: true });
  writeFileSync(path.join(app, "bin", "patchbay"), "#!/bin/sh\n", { mode: 0o700 });
  writeFileSync(path.join(app, "chrome-sandbox"), "", { mode: 0o755 });
  utimesSync(path.join(app, "bin", "patchbay"), time, time);
  return app;
}

test("two builds of one checkout, in two places, are the same in every file", async () => {
  const [one, other] = await Promise.all([filesBelow(given("PATCHBAY_UNPACKED")), filesBelow(given("PATCHBAY_AGAIN"))]);
  expect(one.size).toBeGreaterThan(40);
  expect(changes(one, other)).toEqual([]);
});

test("the same files of the same commit give the same package, whenever and wherever it is made", async () => {
  const seconds = 1_700_000_000;
  const made: Buffer[] = [];
  for (const [name, time] of [
    ["one", seconds + 10],
    ["two", seconds + 5000],
  ] as const) {
    const to = path.join(folder, `${name}-made`);
    mkdirSync(to);
    const parts = { app: appOf(name, time), version: "1.2.3", seconds, to, signal: AbortSignal.timeout(60_000) };
    made.push(readFileSync(await debianPackage(parts)));
    expect(readdirSync(to)).toEqual([expect.stringMatching(/^patchbay_1\.2\.3_\w+\.deb$/)]);
  }
  expect(made[0]?.equals(made[1] ?? Buffer.alloc(0))).toBe(true);
});
