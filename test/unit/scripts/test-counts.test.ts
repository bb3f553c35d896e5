import { expect, test } from "vitest";
import {
  addCounts,
  closingLines,
  countsOf,
  failedTests,
  noCounts,
  repeatFailed,
} from "../../../scripts/setup/test-counts.mjs";

const green = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] };
const brokenFile = { name: "/root/test/b.test.ts", status: "failed", assertionResults: [] };
const failedFile = {
  name: "/root/test/a.test.ts",
  status: "failed",
  assertionResults: [
    { status: "failed", fullName: "group loses a key" },
    { status: "passed", fullName: "group keeps a key" },
  ],
};
const red = { ...green, numFailedTests: 1, testResults: [failedFile] };

test.each([
  ["a green run", green, 0, { passed: 5, failed: 0, skipped: 2 }],
  ["a failed test", red, 1, { passed: 5, failed: 1, skipped: 2 }],
  ["a file that does not load", { ...green, testResults: [brokenFile] }, 1, { passed: 5, failed: 1, skipped: 2 }],
  ["an error outside every test", green, 1, { passed: 5, failed: 1, skipped: 2 }],
  ["a run that died before its report", undefined, 139, { passed: 0, failed: 1, skipped: 0 }],
  ["nothing run", undefined, 0, { passed: 0, failed: 0, skipped: 0 }],
])("%s is counted", (_name, report, exitCode, counts) => {
  expect(countsOf(report, exitCode)).toEqual({ ...counts, flaky: [] });
});

const lostKey = { file: "test/a.test.ts", name: "group loses a key" };

test("failed tests are named by file and full name", () => {
  expect(failedTests(red, "/root")).toEqual([lostKey]);
});

test("a failed test that passes alone counts as passed and is named as flaky", async () => {
  const counts = await repeatFailed(countsOf(red, 1), failedTests(red, "/root"), async () => true);
  expect(counts).toEqual({ passed: 6, failed: 0, skipped: 2, flaky: ["test/a.test.ts > group loses a key"] });
});

test("a test that fails twice stays failed", async () => {
  expect(await repeatFailed(countsOf(red, 1), failedTests(red, "/root"), async () => false)).toEqual(countsOf(red, 1));
});

test("with many failures none runs again", async () => {
  const many = Array.from({ length: 21 }, () => lostKey);
  const counts = { ...noCounts, failed: many.length };
  expect(await repeatFailed(counts, many, () => Promise.reject(new Error("ran")))).toEqual(counts);
});

test("the closing lines name what is flaky above the counts", () => {
  const sum = addCounts({ ...noCounts, passed: 2 }, { passed: 3, failed: 1, skipped: 2, flaky: ["a > b"] });
  expect(closingLines(sum)).toBe("flaky: 1\n  a > b\n5 passed, 1 failed, 2 skipped");
});
