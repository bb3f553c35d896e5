/** `npm test [-- check|unit|integration|security|fuzz|e2e …]`: does all set-up, then runs the checks and the tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { check } from "./check.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { prepare } from "./setup/prepare.mjs";
import { run } from "./setup/run.mjs";
import { SetUpError } from "./setup/set-up-error.mjs";
import { addCounts, closingLines, noCounts } from "./setup/test-counts.mjs";
import { startTestEnvironment } from "./setup/test-environment.mjs";
import { quickTests, runVitest } from "./setup/vitest.mjs";

/** Short, and on both processors of a small machine; each night `npm run test:fuzz` runs longer. */
const FUZZ_OPTIONS = ["--seconds", "2", "--jobs", "2"];
/** Suites that take too long, or install too much, for every run. */
const NOT_RUN = [
  "test:agents",
  "test:chaos",
  "test:conformance",
  "test:fresh",
  "test:mutants",
  "test:package",
  "test:screen-reader",
  "test:slow",
];

const PARTS = /** @type {const} */ (["check", "unit", "integration", "security", "fuzz", "e2e"]);

await mainProgram(async (context) => {
  const parts = wantedParts(process.argv.slice(2));
  const runtime = await prepare("test", context);
  // The suites start the same programs: the first of them bundles them for all.
  const bundles = mkdtempSync(path.join(tmpdir(), "patchbay-bundles-"));
  let counts = noCounts;
  try {
    for (const part of parts) counts = addCounts(counts, await runPart(part, { runtime, bundles, ...context }));
  } finally {
    rmSync(bundles, { recursive: true, force: true });
  }
  context.log(`not run, each a command of its own: ${NOT_RUN.map((name) => `npm run ${name}`).join(", ")}`);
  process.stdout.write(`${closingLines(counts)}\n`);
  return counts.failed === 0 ? 0 : 1;
});

/**
 * @param {typeof PARTS[number]} part
 * @param {import("./setup/run.mjs").Context & { runtime: import("./setup/electron-runtime.mjs").ElectronRuntime, bundles: string }} context
 * @returns {Promise<import("./setup/test-counts.mjs").Counts>}
 */
async function runPart(part, context) {
  if (part === "check") {
    const failed = await check(context);
    const failures = failed.map((name) => ({ name: `check: ${name}` }));
    return { ...noCounts, failed: failed.length, failures };
  }
  if (part === "fuzz") {
    const held = (await run(process.execPath, ["tools/fuzz/fuzz.mjs", ...FUZZ_OPTIONS], context)) === 0;
    return { ...noCounts, ...(held ? { passed: 1 } : { failed: 1, failures: [{ name: "fuzz" }] }) };
  }
  context.log(`tests: ${part}`);
  // A new environment for each suite, so that none depends on another.
  const place = await startTestEnvironment(context.runtime, { desktop: part !== "unit", ...context });
  try {
    place.env.PATCHBAY_BUNDLES = context.bundles;
    return await runVitest(quickTests(part), [], place, context);
  } finally {
    await place.stop();
  }
}

/** @param {readonly string[]} words @returns {readonly (typeof PARTS[number])[]} */
function wantedParts(words) {
  const unknown = words.filter((word) => !PARTS.some((part) => part === word));
  if (unknown.length > 0)
    throw new SetUpError(`There is no part "${unknown.join('", "')}" of the tests; there are ${PARTS.join(", ")}.`);
  return words.length === 0 ? PARTS : PARTS.filter((part) => words.includes(part));
}
