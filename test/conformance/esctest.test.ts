import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { publishedRows } from "./published.ts";
import { type Side, type Sides, startSides } from "./sides.ts";

const OUTCOMES = { "Passed.": "passed", "Fails as": "known", "Skipped ": "skipped", "*** TEST": "failed" } as const;
type Outcome = (typeof OUTCOMES)[keyof typeof OUTCOMES];

/** The whole suite takes three minutes on a machine without load. */
const SUITE_MS = 800_000;
const RUNNER = path.join(import.meta.dirname, "run-esctest.py");

/** The relay, the browser and its pages start within this time on a busy machine. */
const START_MS = 120_000;

let sides: Sides;

beforeAll(async () => {
  sides = await startSides({ cols: 80, rows: 25 });
}, START_MS);

afterAll(() => sides?.stop());

test("every test of esctest2 has the outcome in Patchbay that it has in xterm.js alone", async () => {
  const [alone, own] = await Promise.all([runEsctest(sides.alone), runEsctest(sides.own)]);
  const different = [...alone].filter(([name, outcome]) => own.get(name) !== outcome);
  expect(different.map(([name, outcome]) => `${name}: ${outcome} alone, ${own.get(name)} in Patchbay`)).toEqual([]);
  expect(own.size).toBe(alone.size);

  const counted = (["passed", "failed", "known", "skipped"] as const).map((outcome) => [
    outcome,
    ...[alone, own].map((outcomes) => String([...outcomes.values()].filter((one) => one === outcome).length)),
  ]);
  expect(publishedRows(counted.map(([outcome]) => outcome ?? ""))).toEqual(counted);
});

/** Runs the whole suite in a terminal. */
async function runEsctest({ name, type }: Side): Promise<Map<string, Outcome>> {
  const suite = process.env.PATCHBAY_ESCTEST;
  if (suite === undefined) throw new Error("no esctest2; `npm run test:conformance` fetches it");
  const [log, errors, done] = ["log", "errors", "done"].map((end) => path.join(sides.folder, `${name}.${end}`));
  if (log === undefined || errors === undefined || done === undefined) throw new Error("unreachable");
  await type(`python3 '${RUNNER}' '${suite}/esctest' '${log}' 2> '${errors}'; touch '${done}'\n`);
  await until(`the end of esctest2 in ${name}`, () => existsSync(done), SUITE_MS);
  const failed = readFileSync(errors, "utf8");
  if (failed !== "") throw new Error(`esctest2 in ${name}: ${failed}`);
  return outcomesIn(readFileSync(log, "latin1"));
}

/** Reads the outcome of each test from a log of esctest2. */
function outcomesIn(log: string): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const part of log.split(/^Run test: /m).slice(1)) {
    const [name = "", ...lines] = part.split("\n");
    const outcome = lines.map((line) => Object.entries(OUTCOMES).find(([start]) => line.startsWith(start))?.[1]);
    outcomes.set(name.trim(), outcome.find((one) => one !== undefined) ?? "failed");
  }
  return outcomes;
}
