import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { allAdapters } from "../../main/agents/adapters/all.ts";
import { createPricing } from "../../main/agents/pricing.ts";
import { openAccount } from "../../main/agents/session-account.ts";

/** The tool that people trust, on the same folders. Its known faults are named where they are left out. */
const run = promisify(execFile);
const fixtures = join(import.meta.dirname, "../fixtures/agents");
const version = "20.0.24";
/** It lists no session that is a paginated fork. */
const unlisted = new Set(["01a1fc09-31b0-7f72-90bf-d2774d053b78"]);
/** It has no price for this model. */
const unpriced = new Set(["claude-opus-5-5"]);

const Report = z.object({
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheCreationTokens: z.number().default(0),
      cacheReadTokens: z.number(),
      totalTokens: z.number(),
      totalCost: z.number().optional(),
      costUSD: z.number().optional(),
    }),
  ),
});

let folder: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-ccusage-")));
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", `ccusage@${version}`];
  await run("npm", install, { cwd: folder, timeout: 110_000 });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.for([
  ["claude", "claude"],
  ["codex", "codex"],
  ["gemini", "gemini"],
  ["claude", "legacy/claude-2.1.197"],
  ["codex", "legacy/codex-0.98"],
  ["gemini", "legacy/gemini-0.25"],
])("%s sessions of %s: the same tokens and cost as ccusage", async ([kind = "", home = ""]) => {
  const theirs = await ccusage(kind, join(fixtures, home));
  const ours = (await account(kind, join(fixtures, home))).filter(({ id, tokens }) => tokens > 0 && !unlisted.has(id));
  const rows = ours.map(({ id, models, ...mine }) => {
    const other = theirs.find(({ sessionId }) => sessionId.endsWith(id));
    const cost = other?.totalCost ?? other?.costUSD;
    return {
      id: id.slice(-12),
      ...mine,
      "ccusage tokens": other?.totalTokens,
      "ccusage cost": cost,
      comparable: !models.some((model) => unpriced.has(model)),
    };
  });
  console.table(rows);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row["ccusage tokens"]).toBe(row.tokens);
    if (row.comparable) expect(row["ccusage cost"]).toBeCloseTo(row.cost, 9);
  }
});

async function ccusage(kind: string, home: string) {
  const env = { HOME: home, PATH: process.env.PATH ?? "" };
  const args = [kind, "session", "--offline", "--json"];
  const { stdout } = await run(join(folder, "node_modules", ".bin", "ccusage"), args, { env });
  return Report.parse(JSON.parse(stdout)).sessions;
}

async function account(kind: string, homeFolder: string) {
  const adapter = allAdapters().find((one) => one.kind === kind);
  const home = adapter?.home((name) => (name === "HOME" ? homeFolder : undefined));
  if (adapter === undefined || home === undefined) throw new Error(`no adapter for ${kind}`);
  const price = createPricing(() => []);
  return Promise.all(
    adapter.sessions(home).map(async (id) => {
      const one = await openAccount({ adapter, home, sessionId: id, price, log: { problem: () => {} } });
      await one.update();
      const { input, output, cached, cost } = one.usage();
      return { id, tokens: input + output + cached, cost, models: one.ledger.byModel().map(({ model }) => model) };
    }),
  );
}
