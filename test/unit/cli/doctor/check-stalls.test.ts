import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CheckContext } from "../../../../cli/doctor/check-context.ts";
import { checkStalls } from "../../../../cli/doctor/check-stalls.ts";
import { RelayFile } from "../../../../core/protocol/relay-file.ts";
import { stallFile } from "../../../../main/system/stall-file.ts";

test("doctor tells what a relay that hangs is doing, and how often it was held up", async () => {
  const data = mkdtempSync(join(tmpdir(), "patchbay-doctor-"));
  try {
    const context = contextOf(data);
    const write = (content: object) => writeFileSync(stallFile(data), JSON.stringify(content));
    const never = { state: "ok", found: "The relay was never held up for over a second." };
    expect(await checkStalls({ ...context, relay: undefined })).toEqual({ state: "ok", found: "No relay runs." });
    expect(await checkStalls(context)).toEqual(never);
    const stalls = { pid: process.pid, count: 2, longestMs: 2345 };
    write({ ...stalls, pid: process.pid + 1 });
    expect(await checkStalls(context)).toEqual(never);
    write(stalls);
    expect(await checkStalls(context)).toMatchObject({
      state: "note",
      found: expect.stringContaining("2 times for over a second; the longest took 2.3 s"),
    });
    write({
      ...stalls,
      ongoing: { since: "2026-11-24T10:00:00.000Z", stack: ["match (main.js:1:2)", "main (main.js:9:1)"] },
    });
    expect(await checkStalls(context)).toMatchObject({
      state: "problem",
      found: `The relay (process ${process.pid}) has answered nothing since 2026-11-24T10:00:00.000Z, in match (main.js:1:2).`,
      advice: expect.stringContaining(`kill -9 ${process.pid}`),
    });
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

function contextOf(data: string): CheckContext {
  const relay = RelayFile.parse({
    url: "http://127.0.0.1:1",
    pid: process.pid,
    version: "1.0.0",
    startedAt: "2026-11-24T09:00:00.000Z",
    session: "11111111-1111-4111-8111-111111111111",
    keyAccount: "cli",
  });
  return { data, env: {}, relay };
}
