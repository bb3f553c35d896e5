import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { brokenSource, failedFiles, orderOf, verdictOf } from "../../../tools/mutants/mutant.mjs";

/** As tools/mutants/mutant.mjs describes it. */
interface Mutant {
  readonly file: string;
  readonly guard: string;
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
}

const root = resolve(import.meta.dirname, "../../..");
const folder = resolve(root, "test/mutants");

async function listMutants(): Promise<Mutant[]> {
  const lists = readdirSync(folder).map((name) => import(pathToFileURL(resolve(folder, name)).href));
  return (await Promise.all(lists)).flatMap((list: { default: Mutant[] }) => list.default);
}

describe("the list of guards", () => {
  test("names text that stands exactly once in its file, and tests that exist", async () => {
    const mutants = await listMutants();
    expect(mutants.length).toBeGreaterThan(80);
    const wrong = mutants.flatMap((mutant) => {
      const source = readFileSync(resolve(root, mutant.file), "utf8");
      const times = source.split(mutant.find).length - 1;
      const missing = mutant.tests.filter((file) => !existsSync(resolve(root, file)));
      return times === 1 && missing.length === 0 ? [] : [[mutant.file, mutant.guard, times, ...missing]];
    });
    expect(wrong).toEqual([]);
  });

  test("breaks no page or window for tests that run the app or a browser, which have what was built before", async () => {
    const ofApp = (await listMutants()).filter(({ file }) => /^(renderer|preload|main\/desktop)\//.test(file));
    expect(ofApp.length).toBeGreaterThan(0);
    expect(ofApp.flatMap(({ tests }) => tests).filter((file) => /^test\/(e2e|security)\//.test(file))).toEqual([]);
  });

  test("names each guard once", async () => {
    const names = (await listMutants()).map(({ file, guard }) => `${file}: ${guard}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

describe("a mutant", () => {
  const mutant: Mutant = { file: "a.ts", guard: "a guard", find: "if (x) throw", replace: "", tests: [] };

  test("is refused when its text does not stand there exactly once", () => {
    expect(brokenSource("1; if (x) throw; 2;", mutant)).toBe("1; ; 2;");
    expect(() => brokenSource("1;", mutant)).toThrow("0 times");
    expect(() => brokenSource("if (x) throw; if (x) throw;", mutant)).toThrow("2 times");
  });

  test("runs tests without programs first", () => {
    const projects = ["e2e", "security", "unit", "integration"];
    expect(projects.sort((one, other) => orderOf(one) - orderOf(other))).toEqual([
      "unit",
      "integration",
      "security",
      "e2e",
    ]);
  });

  test("counts as killed only by a test that failed", () => {
    const report = (status: string, ...tests: string[]) => ({
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      testResults: [
        { name: "a.test.ts", status, assertionResults: tests.map((own) => ({ status: own, fullName: "one" })) },
      ],
    });
    expect(verdictOf([report("failed", "passed", "failed")]).verdict).toBe("killed");
    expect(verdictOf([report("passed", "passed", "passed")]).verdict).toBe("survived");
    expect(verdictOf([report("failed")]).verdict).toBe("broken");
    expect(verdictOf([report("passed", "skipped")]).verdict).toBe("broken");
    expect(verdictOf([]).verdict).toBe("broken");
    expect(failedFiles([report("failed", "failed"), report("passed", "passed")])).toEqual(["a.test.ts"]);
  });
});
