import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkout } from "./checkout.mjs";
import { runModule } from "./run.mjs";
import { countsOf, failedTests, repeatFailed } from "./test-counts.mjs";

/** @typedef {"unit" | "integration" | "e2e" | "security" | "chaos" | "package" | "agents" | "screen-reader" | "conformance"} Project a project of vitest.config.ts */

/**
 * Runs one project of the tests and counts its results. Each test that failed runs once more, alone, at the end; one that
 * passes then counts as passed and is reported as flaky.
 * @param {Project} project
 * @param {readonly string[]} args further arguments for Vitest
 * @param {import("./test-environment.mjs").TestEnvironment} place
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./test-counts.mjs").Counts>}
 */
export async function runVitest(project, args, place, context) {
  const { report, exitCode } = await vitestOnce(project, args, place, context);
  return repeatFailed(countsOf(report, exitCode), failedTests(report, checkout), async ({ file, name }) => {
    context.log(`tests: again, alone: ${file} > ${name}`);
    const pattern = `^${escapeRegExp(name)}$`;
    const again = await vitestOnce(project, [file, "--testNamePattern", pattern], place, context);
    return again.exitCode === 0 && (again.report?.numPassedTests ?? 0) > 0;
  });
}

/**
 * Runs one project of the tests once. A project without tests passes, and the log says so.
 * @param {Project} project
 * @param {readonly string[]} args further arguments for Vitest
 * @param {import("./test-environment.mjs").TestEnvironment} place
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<{ report: import("./test-counts.mjs").VitestReport | undefined, exitCode: number }>}
 */
export async function vitestOnce(project, args, { folder, env }, { log, signal }) {
  if (!hasTests(path.join(checkout, "test", project))) {
    log(`there are no ${project} tests`);
    return { report: undefined, exitCode: 0 };
  }
  const file = path.join(folder, `${project}-${randomUUID()}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const exitCode = await runModule("vitest/vitest.mjs", ["run", "--project", project, ...reporters, ...args], {
    signal,
    env,
  });
  return { report: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined, exitCode };
}

/** @param {string} text */
function escapeRegExp(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** @param {string} folder */
function hasTests(folder) {
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith(".test.ts"))
  );
}
