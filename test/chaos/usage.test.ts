import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { ask } from "./acknowledged.ts";

const KILLS = 8;
const ANSWERS = 25;

/**
 * Stands in for Claude Code, whose answers need its maker's service: known by the folder that it lies in, it adds an
 * answer to its transcript every few milliseconds for each line that it reads.
 */
const AGENT = `
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
const sessionId = "5f0c1d8e-3a52-4d0e-9c35-7a1f6f1f2b11";
const folder = join(process.env.HOME, ".claude", "projects", process.cwd().replace(/[^A-Za-z0-9]/g, "-"));
mkdirSync(folder, { recursive: true });
let count = 0;
createInterface({ input: process.stdin }).on("line", async (line) => {
  for (let rest = Number(line); rest > 0; rest -= 1) {
    count += 1;
    appendFileSync(join(folder, sessionId + ".jsonl"), JSON.stringify({
      type: "assistant", uuid: crypto.randomUUID(), sessionId, cwd: process.cwd(),
      timestamp: new Date().toISOString(), requestId: "req_" + count,
      message: { id: "msg_" + count, role: "assistant", model: "claude-opus-4-5",
        content: [{ type: "text", text: "." }], usage: { input_tokens: 100, output_tokens: 10 } },
    }) + "\\n");
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
});
process.stdout.write("agent ready\\n");
`;

interface Cost {
  readonly total: { readonly input: number; readonly output: number; readonly cost: number };
}

test(`what an agent has used is counted once, over ${KILLS} kills while it is being counted`, async () => {
  await using lab = await startServeLab();
  const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
  const agent = join(dirname(lab.data), "@anthropic-ai", "claude-code", "cli.mjs");
  mkdirSync(dirname(agent), { recursive: true });
  writeFileSync(agent, AGENT);
  const { shellId: id } = await ask<{ shellId: number }>(relay, "createShell", {
    command: `'${process.execPath}' '${agent}'`,
  });
  await until("the agent", async () => (await ask<unknown[]>(relay, "getAgents")).length === 1);
  let told = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await ask(relay, "writeToShell", { id, data: `${ANSWERS}\n` });
    // Some of it is counted, some is not yet, when the relay dies.
    await until("some of it", async () => (await ask<Cost>(relay, "getAgentCost")).total.input > told);
    told = (await ask<Cost>(relay, "getAgentCost")).total.input;
    await relay.now.kill();
    relay.now = await lab.serve(["--client"]);
    expect((await ask<Cost>(relay, "getAgentCost")).total.input).toBeGreaterThanOrEqual(told);
  }
  const calls = KILLS * ANSWERS;
  await until("all of it", async () => (await ask<Cost>(relay, "getAgentCost")).total.output >= calls * 10);
  const { total } = await ask<Cost>(relay, "getAgentCost");
  // The list price of this model: 5 dollars a million tokens in, 25 out.
  expect(total).toMatchObject({ input: calls * 100, output: calls * 10 });
  expect(total.cost).toBeCloseTo((calls * (100 * 5 + 10 * 25)) / 1e6, 6);
  expect(await relay.now.stop()).toBe(0);
}, 180_000);
