import { expect, test } from "vitest";
import { addCounts, closingLine, countsOf } from "../../../scripts/setup/test-counts.mjs";

const green = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] };
const brokenFile = { status: "failed", assertionResults: [] };
const failedTest = { status: "failed", assertionResults: [{ status: "failed" }] };

test.each([
  ["a green run", green, 0, { passed: 5, failed: 0, skipped: 2 }],
  [
    "a failed test",
    { ...green, numFailedTests: 1, testResults: [failedTest] },
    1,
    { passed: 5, failed: 1, skipped: 2 },
  ],
  ["a file that does not load", { ...green, testResults: [brokenFile] }, 1, { passed: 5, failed: 1, skipped: 2 }],
  ["an error outside every test", green, 1, { passed: 5, failed: 1, skipped: 2 }],
  ["a run that died before its report", undefined, 139, { passed: 0, failed: 1, skipped: 0 }],
  ["nothing run", undefined, 0, { passed: 0, failed: 0, skipped: 0 }],
])("%s is counted", (_name, report, exitCode, counts) => {
  expect(countsOf(report, exitCode)).toEqual(counts);
});

test("the closing line has all counts, and the skipped ones only where there are some", () => {
  const sum = addCounts({ passed: 2, failed: 0, skipped: 0 }, { passed: 3, failed: 1, skipped: 0 });
  expect(closingLine(sum)).toBe("5 passed, 1 failed");
  expect(closingLine({ ...sum, skipped: 2 })).toBe("5 passed, 1 failed, 2 skipped");
});
