import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SetUpError } from "../setup/set-up-error.mjs";

/**
 * @typedef {object} Mutant one guard, and how it is broken
 * @property {string} file source file, relative to the checkout
 * @property {string} guard what the guard ensures, as the start of a sentence
 * @property {string} find text that stands exactly once in the file
 * @property {string} replace what stands there without the guard
 * @property {readonly string[]} tests test files of which one must fail
 */

/**
 * Lists the guards of one file.
 * @param {string} file
 * @param {readonly Omit<Mutant, "file">[]} mutants
 * @returns {Mutant[]}
 */
export function mutantsOf(file, mutants) {
  return mutants.map((mutant) => ({ file, ...mutant }));
}

/**
 * Breaks a guard in a copy of the checkout. Returns a function that restores it.
 * @param {string} copy
 * @param {Mutant} mutant
 */
export function applyMutant(copy, mutant) {
  const file = path.join(copy, mutant.file);
  const source = readFileSync(file, "utf8");
  writeFileSync(file, brokenSource(source, mutant));
  return () => writeFileSync(file, source);
}

/**
 * Returns the source without the guard.
 * @param {string} source
 * @param {Mutant} mutant
 * @throws {SetUpError} when the guard's text does not stand there exactly once: the list must follow the code
 */
export function brokenSource(source, { file, guard, find, replace }) {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new SetUpError(`${file} has the text of "${guard}" ${more.length + (after === undefined ? 0 : 1)} times.`);
  }
  return before + replace + after;
}

/** The project of vitest.config.ts that runs a test file. @param {string} test */
export function projectOf(test) {
  const [, folder = ""] = test.split("/");
  return folder === "contract" ? "integration" : folder;
}

/** The place of a project in a run: what starts no programs is the quickest to notice. @param {string} project */
export function orderOf(project) {
  return ["unit", "integration", "security", "e2e"].indexOf(project);
}

/** The test files that failed, as the reports name them. @param {readonly import("../setup/test-counts.mjs").VitestReport[]} reports */
export function failedFiles(reports) {
  return reports.flatMap(({ testResults }) =>
    testResults.flatMap(({ status, name }) => (status === "failed" ? [name] : [])),
  );
}

/**
 * Judges what the tests made of a mutant. `killed`: a test failed while another passed, or the only one failed. `broken`: a
 * file did not load, or every test failed, which says nothing about the guard.
 * @param {readonly import("../setup/test-counts.mjs").VitestReport[]} reports
 * @returns {{ verdict: "killed" | "survived" | "broken", by: string }}
 */
export function verdictOf(reports) {
  const files = reports.flatMap(({ testResults }) => testResults);
  const unloaded = files.find(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  if (unloaded !== undefined) return { verdict: "broken", by: `${path.basename(unloaded.name)} did not run` };
  const results = files.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.find(({ status }) => status === "failed");
  if (failed !== undefined) return { verdict: "killed", by: failed.fullName };
  return results.some(({ status }) => status === "passed")
    ? { verdict: "survived", by: "every test passed" }
    : { verdict: "broken", by: "no test ran" };
}
