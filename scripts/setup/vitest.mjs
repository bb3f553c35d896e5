import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkout } from "./checkout.mjs";
import { runModule } from "./run.mjs";
import { countsOf } from "./test-counts.mjs";

/**
 * Runs one project of the tests with Vitest and counts its results. A project that has no tests yet is left out and said so.
 * @param {"unit" | "integration" | "e2e" | "security" | "chaos" | "package"} project
 * @param {readonly string[]} args further arguments for Vitest
 * @param {import("./test-place.mjs").TestPlace} place
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./test-counts.mjs").Counts>}
 */
export async function runVitest(project, args, { folder, env }, { log, signal }) {
  if (!hasTests(path.join(checkout, "test", project))) {
    log(`there are no ${project} tests`);
    return countsOf(undefined, 0);
  }
  const file = path.join(folder, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await runModule("vitest/vitest.mjs", ["run", "--project", project, ...reporters, ...args], {
    signal,
    env,
  });
  return countsOf(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined, code);
}

/** @param {string} folder */
function hasTests(folder) {
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith(".test.ts"))
  );
}
