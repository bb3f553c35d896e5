import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Receipt } from "../../core/protocol/receipts.ts";
import { allAdapters } from "../../main/agents/adapters/all.ts";
import { createPricing } from "../../main/agents/pricing.ts";
import { openAccount } from "../../main/agents/session-account.ts";
import { startAgentRelay } from "../support/agent-relay.ts";

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

/** 50,000 tokens of input at 3 dollars a million. */
const TURN = 0.15;
const LIMIT = 0.5;
const Budgets = z.object({
  result: z.object({
    budgets: z.array(z.object({ uses: z.array(z.object({ spent: z.number(), state: z.string() })) })),
  }),
});

test("a runaway loop of prompts is held within one turn of its limit, at the sum that ccusage counts", async () => {
  await using lab = await startAgentRelay();
  const { relay } = lab;
  const shell = await lab.shell();
  await lab.start("claude", shell);
  const set = await relay.request("PUT", "/v1/budgets/agent", { body: { limit: LIMIT } });
  expect(set.status).toBe(200);
  const isHeld = ({ waitsFor }: Receipt) => waitsFor?.includes("is held") === true;
  let turns = 0;
  for (;;) {
    const { id } = await lab.send(shell, `[tokens 50000] turn ${turns}`);
    if (isHeld(await lab.receiptOf(id, (receipt) => receipt.state === "started" || isHeld(receipt)))) break;
    turns += 1;
  }
  const { text } = await relay.request("GET", "/v1/budgets");
  const [use] = Budgets.parse(JSON.parse(text)).result.budgets.flatMap(({ uses }) => uses);
  expect(use?.state).toBe("held");
  expect(turns).toBe(4);
  expect(use?.spent).toBeGreaterThanOrEqual(LIMIT);
  expect(use?.spent).toBeLessThan(LIMIT + TURN);
  const sum = (await ccusage("claude", lab.home)).reduce((all, { totalCost = 0 }) => all + totalCost, 0);
  expect(use?.spent).toBeCloseTo(sum, 9);
  expect(relay.errors).toEqual([]);
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
