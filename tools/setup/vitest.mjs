import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { checkout } from "./checkout.mjs";
import { runModule } from "./run.mjs";
import { countsOf, failedTests, repeatFailed } from "./test-counts.mjs";
import { TEST_WORKERS } from "./test-environment.mjs";

/** @typedef {"unit" | "integration" | "e2e" | "security" | "chaos" | "package" | "agents" | "screen-reader" | "conformance"} Project a project of vitest.config.ts */

/**
 * @typedef {object} Suite tests that run together
 * @property {string} name
 * @property {readonly Project[]} projects
 * @property {import("./test-counts.mjs").TagFilter} [filter] default: all their tests
 * @property {number} [workers] processes that run files at the same time; default: TEST_WORKERS
 */

/** @type {Suite} The tests that `npm test` leaves out: see vitest.config.ts. */
export const SLOW_TESTS = { name: "slow", projects: ["unit", "integration", "security", "e2e"], filter: "slow" };

/** A project's tests as `npm test` runs them. @param {Project} project @returns {Suite} */
export function quickTests(project) {
  // Unit tests wait for nothing, and each process loads the sources for itself.
  const workers = project === "unit" ? { workers: Math.min(TEST_WORKERS, availableParallelism()) } : {};
  return { name: project, projects: [project], filter: "!slow", ...workers };
}

/** @param {Project} project @returns {Suite} */
export function allTests(project) {
  return { name: project, projects: [project] };
}

/**
 * Runs a suite and counts its results. Each test that failed runs once more, alone, at the end; one that passes then counts
 * as passed and is reported as flaky.
 * @param {Suite} suite
 * @param {readonly string[]} args further arguments for Vitest
 * @param {import("./test-environment.mjs").TestEnvironment} place
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./test-counts.mjs").Counts>}
 */
export async function runVitest(suite, args, place, context) {
  const { report, exitCode } = await vitestOnce(suite, args, place, context);
  const counts = countsOf(report, exitCode, suite.filter);
  return repeatFailed(counts, failedTests(report, checkout), async ({ file, name }) => {
    context.log(`tests: again, alone: ${file} > ${name}`);
    const pattern = `^${escapeRegExp(name)}$`;
    const again = await vitestOnce(suite, [file, "--testNamePattern", pattern], place, context);
    return again.exitCode === 0 && (again.report?.numPassedTests ?? 0) > 0;
  });
}

/**
 * Runs a suite once.
 * @param {Suite} suite
 * @param {readonly string[]} args further arguments for Vitest
 * @param {import("./test-environment.mjs").TestEnvironment} place
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<{ report: import("./test-counts.mjs").VitestReport | undefined, exitCode: number }>}
 */
export async function vitestOnce(
  { name, projects, filter, workers = TEST_WORKERS },
  args,
  { folder, env },
  { signal },
) {
  const file = path.join(folder, `${name}-${randomUUID()}.json`);
  const chosen = projects.flatMap((project) => ["--project", project]);
  const tags = filter === undefined ? [] : [`--tags-filter=${filter}`];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const words = ["run", ...chosen, ...tags, ...reporters, `--maxWorkers=${workers}`, ...args];
  // The build before it leaves `production` in the environment, for which React has no `act`.
  const exitCode = await runModule("vitest/vitest.mjs", words, { signal, env: { ...env, NODE_ENV: "test" } });
  return { report: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined, exitCode };
}

/** @param {string} text */
function escapeRegExp(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
