import { expect, test } from "vitest";
import {
  addCounts,
  closingLines,
  countsOf,
  failedTests,
  noCounts,
  repeatFailed,
} from "../../../../tools/setup/test-counts.mjs";

const green = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] };
const brokenFile = { name: "/root/test/b.test.ts", status: "failed", assertionResults: [] };
const failedFile = {
  name: "/root/test/a.test.ts",
  status: "failed",
  assertionResults: [
    { status: "failed", fullName: "group loses a key", failureMessages: ["\u001b[31mError: no key\u001b[39m\n  at x"] },
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
  expect(countsOf(report, exitCode)).toMatchObject({ ...counts, flaky: [] });
});

test("a test of another suite is not skipped, and one that is skipped within its suite is", () => {
  const tests = [
    { status: "passed", fullName: "quick", tags: [] },
    { status: "skipped", fullName: "quick and skipped", tags: [] },
    { status: "skipped", fullName: "slow", tags: ["slow"] },
    { status: "skipped", fullName: "slow, too", tags: ["slow"] },
  ];
  const file = { name: "/root/test/a.test.ts", status: "passed", assertionResults: tests };
  const report = { ...green, numPassedTests: 1, numPendingTests: 3, numTodoTests: 0, testResults: [file] };
  expect(countsOf(report, 0, "!slow")).toMatchObject({ skipped: 1, leftOut: 2 });
  expect(countsOf(report, 0, "slow")).toMatchObject({ skipped: 2, leftOut: 1 });
  expect(countsOf(report, 0)).toMatchObject({ skipped: 3, leftOut: 0 });
});

const reason = "Error: no key\n  at x";
const lostKey = { file: "test/a.test.ts", name: "group loses a key", reason };
const failure = { name: "test/a.test.ts > group loses a key", reason };

test("failed tests are named by file and full name", () => {
  expect(failedTests(red, "/root")).toEqual([lostKey]);
});

test("a failed test that passes alone counts as passed and is named as flaky", async () => {
  const counts = await repeatFailed(countsOf(red, 1), failedTests(red, "/root"), async () => true);
  expect(counts).toEqual({ passed: 6, failed: 0, skipped: 2, leftOut: 0, failures: [], flaky: [failure] });
});

test("a test that fails twice stays failed, and is named", async () => {
  const counts = await repeatFailed(countsOf(red, 1), failedTests(red, "/root"), async () => false);
  expect(counts).toEqual({ ...countsOf(red, 1), failures: [failure] });
});

test("with many failures none runs again", async () => {
  const many = Array.from({ length: 21 }, () => lostKey);
  const counts = { ...noCounts, failed: many.length };
  const repeated = await repeatFailed(counts, many, () => Promise.reject(new Error("ran")));
  expect(repeated).toEqual({ ...counts, failures: many.map(() => failure) });
});

test("a file that does not load is named with its reason", () => {
  const report = { ...green, testResults: [{ ...brokenFile, message: "no such module" }] };
  expect(countsOf(report, 1).failures).toEqual([{ name: "/root/test/b.test.ts", reason: "no such module" }]);
});

test("the closing lines name what failed, what is flaky and what is left out above the counts", () => {
  const sum = addCounts(
    { ...noCounts, passed: 2, failures: [failure] },
    { ...noCounts, passed: 3, failed: 1, skipped: 2, leftOut: 584, flaky: [{ name: "a > b" }] },
  );
  expect(closingLines(sum).split("\n")).toEqual([
    "failed:",
    "  test/a.test.ts > group loses a key",
    "      Error: no key",
    "        at x",
    "flaky: 1",
    "  a > b",
    "left to npm run test:slow: 584 tests",
    "5 passed, 1 failed, 2 skipped",
  ]);
  expect(closingLines({ ...noCounts, leftOut: 7 }, "npm test")).toBe(
    "flaky: 0\nleft to npm test: 7 tests\n0 passed, 0 failed, 0 skipped",
  );
  expect(closingLines(noCounts)).toBe("flaky: 0\n0 passed, 0 failed, 0 skipped");
});
