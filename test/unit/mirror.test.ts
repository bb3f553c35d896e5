import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const ENDINGS = ["", ".ts", ".tsx", ".mjs", ".css"];

/** Returns the source that a test is named for: a file or a folder, before `.aspect` where it has several tests. */
function sourceOf(name: string): string | undefined {
  const [whole = ""] = name.split(/\.test\.tsx?$/);
  const [source = ""] = whole.split(/\.(?=[^./]+$)/);
  const paths = [whole, source].flatMap((path) => ENDINGS.map((ending) => `${path}${ending}`));
  return paths.find((path) => existsSync(join(root, path)));
}

test("a unit test is named for the source file or folder that it tests", () => {
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    // Rules of the whole repository stand at the top.
    .filter((name) => /\.test\.tsx?$/.test(name) && name.includes("/"));
  expect(tests.length).toBeGreaterThan(300);
  expect(tests.filter((name) => sourceOf(name) === undefined)).toEqual([]);
});

test("what a name says is looked up: file, folder, and aspect", () => {
  expect(sourceOf("main/relay/budgets/governor.test.ts")).toBe("main/relay/budgets/governor.ts");
  expect(sourceOf("main/relay/questions/questions.policies.test.ts")).toBe("main/relay/questions/questions.ts");
  expect(sourceOf("main/relay/metrics.test.ts")).toBe("main/relay/metrics");
  expect(sourceOf("main/relay/budgets/no-such-file.test.ts")).toBeUndefined();
  expect(sourceOf("main/relay/budgets/no-such-file.policies.test.ts")).toBeUndefined();
});
