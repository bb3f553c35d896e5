/**
 * `npm run test:stable [-- RUNS] [SUITE …]`: runs the suites of `npm test`, or those named (`slow` too), repeatedly with files
 * and tests in random order, the last three times beside two processes that keep the processor busy. Prints each test
 * that failed; repeats no failed test.
 */
import { spawn } from "node:child_process";
import { checkout } from "./setup/checkout.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { prepare } from "./setup/prepare.mjs";
import { SetUpError } from "./setup/set-up-error.mjs";
import { countsOf, failedTests } from "./setup/test-counts.mjs";
import { startTestEnvironment } from "./setup/test-environment.mjs";
import { quickTests, SLOW_TESTS, vitestOnce } from "./setup/vitest.mjs";

const USUAL = /** @type {const} */ (["unit", "integration", "security", "e2e"]).map(quickTests);
const SUITES = [...USUAL, SLOW_TESTS];
const LOADED_RUNS = 3;
const BUSY_PROCESSES = 2;

await mainProgram(async (context) => {
  const { runs, suites } = wanted(process.argv.slice(2));
  const runtime = await prepare("test", context);
  /** @type {Map<string, number>} */
  const failures = new Map();
  let passed = 0;
  for (let round = 1; round <= runs; round += 1) {
    const isLoaded = round > runs - LOADED_RUNS && runs > LOADED_RUNS;
    const seed = Math.floor(Math.random() * 2 ** 31);
    const stopLoad = isLoaded ? startLoad() : () => undefined;
    try {
      for (const suite of shuffled(suites)) {
        context.log(`run ${round} of ${runs}: ${suite.name}, seed ${seed}${isLoaded ? ", beside a load" : ""}`);
        const result = await runSuite(suite, seed, runtime, context);
        passed += result.passed;
        for (const name of result.failed) failures.set(name, (failures.get(name) ?? 0) + 1);
      }
    } finally {
      stopLoad();
    }
  }
  const lines = [...failures].map(([name, times]) => `  ${times} of ${runs}: ${name}`);
  const total = [...failures.values()].reduce((sum, times) => sum + times, 0);
  process.stdout.write(
    [`failed at least once: ${failures.size}`, ...lines, `${passed} passed, ${total} failed\n`].join("\n"),
  );
  return failures.size === 0 ? 0 : 1;
});

/**
 * @param {import("./setup/vitest.mjs").Suite} suite
 * @param {number} seed
 * @param {import("./setup/electron-runtime.mjs").ElectronRuntime} runtime
 * @param {import("./setup/run.mjs").Context} context
 */
async function runSuite(suite, seed, runtime, context) {
  const place = await startTestEnvironment(runtime, { desktop: suite.name !== "unit", ...context });
  try {
    const shuffle = ["--sequence.shuffle.files", "--sequence.shuffle.tests", `--sequence.seed=${seed}`];
    const { report, exitCode } = await vitestOnce(suite, shuffle, place, context);
    const { passed, failed } = countsOf(report, exitCode, suite.filter);
    const names = failedTests(report, checkout).map(({ file, name }) => `${file} > ${name}`);
    // A failure outside of every test has no name.
    return { passed, failed: names.length < failed ? [...names, `${suite.name}: outside a test`] : names };
  } finally {
    await place.stop();
  }
}

/** @returns {() => void} stops the load */
function startLoad() {
  const busy = Array.from({ length: BUSY_PROCESSES }, () =>
    spawn(process.execPath, ["--eval", "for (;;) {}"], { stdio: "ignore" }),
  );
  return () => {
    for (const child of busy) child.kill("SIGKILL");
  };
}

/** @param {readonly string[]} words */
function wanted(words) {
  const [first = "10"] = words;
  const runs = Number(first);
  if (!Number.isInteger(runs) || runs < 1) throw new SetUpError(`"${first}" is not a number of runs.`);
  const names = words.slice(1);
  const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0)
    throw new SetUpError(`No suite "${unknown.join('", "')}"; there are ${SUITES.map(({ name }) => name).join(", ")}.`);
  return { runs, suites: names.length === 0 ? USUAL : SUITES.filter(({ name }) => names.includes(name)) };
}

/** @template T @param {readonly T[]} list @returns {T[]} */
function shuffled(list) {
  return list
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
