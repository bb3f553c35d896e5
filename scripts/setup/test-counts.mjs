import path from "node:path";

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped includes tests that are only planned
 * @property {readonly string[]} flaky tests that failed and then passed alone; they count as passed
 */

/**
 * @typedef {object} VitestReport the part of Vitest's JSON report that is read here
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} [numTodoTests]
 * @property {{ name: string, status: string, assertionResults: { status: string, fullName: string }[] }[]} testResults one row per file
 */

/** @type {Counts} */
export const noCounts = { passed: 0, failed: 0, skipped: 0, flaky: [] };

/**
 * Counts a run of Vitest. A file that did not load counts as one failure, and so does a run that failed outside its tests
 * (no report, an unhandled error): a failed run never counts zero failures.
 * @param {VitestReport | undefined} report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countsOf(report, exitCode) {
  const broken = report?.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const failed = (report?.numFailedTests ?? 0) + (broken?.length ?? 0);
  return {
    passed: report?.numPassedTests ?? 0,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    flaky: [],
  };
}

/**
 * The tests of a report that failed. A file that did not load has none.
 * @param {VitestReport | undefined} report
 * @param {string} root the folder that file names are relative to
 * @returns {{ file: string, name: string }[]}
 */
export function failedTests(report, root) {
  return (report?.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName }) => ({ file: path.relative(root, file).replaceAll(path.sep, "/"), name: fullName })),
  );
}

/**
 * With more failures than this the change is broken rather than the tests unstable: running each again would only delay
 * the answer.
 */
const MOST_REPEATED = 20;

/**
 * Runs each failed test once more. One that passes then counts as passed and is named as flaky.
 * @param {Counts} counts
 * @param {readonly { file: string, name: string }[]} failed
 * @param {(test: { file: string, name: string }) => Promise<boolean>} passesAlone
 * @returns {Promise<Counts>}
 */
export async function repeatFailed(counts, failed, passesAlone) {
  if (failed.length > MOST_REPEATED) return counts;
  /** @type {string[]} */
  const flaky = [];
  for (const test of failed) {
    if (await passesAlone(test)) flaky.push(`${test.file} > ${test.name}`);
  }
  return { ...counts, passed: counts.passed + flaky.length, failed: counts.failed - flaky.length, flaky };
}

/** @param {Counts} a @param {Counts} b @returns {Counts} */
export function addCounts(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    flaky: [...a.flaky, ...b.flaky],
  };
}

/** The last lines of a run: which tests are flaky, then the counts. @param {Counts} counts */
export function closingLines({ passed, failed, skipped, flaky }) {
  const names = flaky.map((name) => `  ${name}`);
  return [`flaky: ${flaky.length}`, ...names, `${passed} passed, ${failed} failed, ${skipped} skipped`].join("\n");
}
