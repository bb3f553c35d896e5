import path from "node:path";
import { stripVTControlCharacters } from "node:util";

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped includes tests that are only planned
 * @property {number} leftOut tests that the filter leaves to another suite
 * @property {readonly Failure[]} failures what failed, as far as it has a name
 * @property {readonly Failure[]} flaky tests that failed and then passed alone; they count as passed
 */

/**
 * @typedef {object} Failure
 * @property {string} name of a test, after its file; or of a check
 * @property {string} [reason] the first lines of what it printed
 */

/**
 * @typedef {object} FailedTest
 * @property {string} file
 * @property {string} name
 * @property {string} reason
 */

/**
 * @typedef {object} VitestReport the part of Vitest's JSON report that is read here
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} [numTodoTests]
 * @property {FileReport[]} testResults one row per file
 */

/**
 * @typedef {object} FileReport
 * @property {string} name
 * @property {string} status
 * @property {string} [message] why the file did not load
 * @property {{ status: string, fullName: string, tags?: readonly string[], failureMessages?: string[] | null }[]} assertionResults
 */

/** @typedef {"slow" | "!slow"} TagFilter which tests run, by the tag of vitest.config.ts */

/** @type {Counts} */
export const noCounts = { passed: 0, failed: 0, skipped: 0, leftOut: 0, failures: [], flaky: [] };

/** Enough for the difference that an assertion prints. */
const REASON_LINES = 12;

/**
 * Counts a run of Vitest. A file that did not load counts as one failure, and so does a run that failed outside its tests
 * (no report, an unhandled error): a failed run never counts zero failures. A test that the filter leaves out belongs to
 * another suite: it is not skipped.
 * @param {VitestReport | undefined} report
 * @param {number} exitCode
 * @param {TagFilter} [filter]
 * @returns {Counts}
 */
export function countsOf(report, exitCode, filter) {
  const broken = report?.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const failed = (report?.numFailedTests ?? 0) + (broken?.length ?? 0);
  const isOutside = failed === 0 && exitCode !== 0;
  const others = leftOut(report, filter);
  const files = (broken ?? []).map(({ name, message = "" }) => ({ name, reason: firstLines(message) }));
  return {
    passed: report?.numPassedTests ?? 0,
    failed: isOutside ? 1 : failed,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0) - others,
    leftOut: others,
    failures: isOutside ? [{ name: `outside every test: Vitest ended with ${exitCode}` }] : files,
    flaky: [],
  };
}

/** @param {VitestReport | undefined} report @param {TagFilter | undefined} filter */
function leftOut(report, filter) {
  if (filter === undefined) return 0;
  const tests = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const wantsSlow = filter === "slow";
  return tests.filter(({ status, tags = [] }) => status === "skipped" && tags.includes("slow") !== wantsSlow).length;
}

/**
 * The tests of a report that failed. A file that did not load has none.
 * @param {VitestReport | undefined} report
 * @param {string} root the folder that file names are relative to
 * @returns {FailedTest[]}
 */
export function failedTests(report, root) {
  return (report?.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => ({
        file: path.relative(root, file).replaceAll(path.sep, "/"),
        name: fullName,
        reason: firstLines((failureMessages ?? []).join("\n")),
      })),
  );
}

/** @param {string} text */
function firstLines(text) {
  return stripVTControlCharacters(text).split("\n").slice(0, REASON_LINES).join("\n");
}

/**
 * With more failures than this the change is broken rather than the tests unstable: running each again would only delay
 * the answer.
 */
const MOST_REPEATED = 20;

/**
 * Runs each failed test once more. One that passes then counts as passed and is named as flaky.
 * @param {Counts} counts
 * @param {readonly FailedTest[]} failed
 * @param {(test: FailedTest) => Promise<boolean>} passesAlone
 * @returns {Promise<Counts>}
 */
export async function repeatFailed(counts, failed, passesAlone) {
  /** @type {Failure[]} */
  const flaky = [];
  const failures = [...counts.failures];
  for (const test of failed) {
    const isFlaky = failed.length <= MOST_REPEATED && (await passesAlone(test));
    (isFlaky ? flaky : failures).push({ name: `${test.file} > ${test.name}`, reason: test.reason });
  }
  return { ...counts, passed: counts.passed + flaky.length, failed: counts.failed - flaky.length, failures, flaky };
}

/** @param {Counts} a @param {Counts} b @returns {Counts} */
export function addCounts(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    leftOut: a.leftOut + b.leftOut,
    failures: [...a.failures, ...b.failures],
    flaky: [...a.flaky, ...b.flaky],
  };
}

/**
 * The last lines of a run: what failed, which tests are flaky, each with its reason, how many tests are left to another suite,
 * then the counts. They come last because a long log is often kept by its end alone.
 * @param {Counts} counts
 * @param {string} [others] command that runs the tests that are left out
 */
export function closingLines({ passed, failed, skipped, leftOut, failures, flaky }, others = "npm run test:slow") {
  return [
    ...(failures.length > 0 ? ["failed:", ...failures.flatMap(failureLines)] : []),
    `flaky: ${flaky.length}`,
    ...flaky.flatMap(failureLines),
    ...(leftOut > 0 ? [`left to ${others}: ${leftOut} tests`] : []),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].join("\n");
}

/** @param {Failure} failure */
function failureLines({ name, reason }) {
  return [`  ${name}`, ...(reason ? reason.split("\n").map((line) => `      ${line}`) : [])];
}
