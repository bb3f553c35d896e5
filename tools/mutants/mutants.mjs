/**
 * `npm run test:mutants [-- WORD …]`: breaks each guard that test/mutants/ lists, one at a time in each of a few copies of
 * this checkout, and runs the tests that must notice. Fails for each guard whose loss no test notices. With words: only
 * guards whose file or description contains one of them.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { checkout } from "../setup/checkout.mjs";
import { mainProgram } from "../setup/main-program.mjs";
import { prepare } from "../setup/prepare.mjs";
import { run } from "../setup/run.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { startTestEnvironment } from "../setup/test-environment.mjs";
import { applyMutant, failedFiles, orderOf, projectOf, verdictOf } from "./mutant.mjs";

/** @typedef {import("./mutant.mjs").Mutant} Mutant */

/** Most of a run is the start of Vitest and of relays, one after the other: copies side by side use both processors. */
const COPIES = 2;

await mainProgram(async (context) => {
  const mutants = wanted(await listMutants(), process.argv.slice(2));
  const runtime = await prepare("test", context);
  const place = await startTestEnvironment(runtime, { desktop: true, ...context });
  const copies = Array.from({ length: COPIES }, copyCheckout);
  try {
    const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))].sort();
    context.log(`mutants: ${mutants.length}; first their ${tests.length} test files without any`);
    const sound = await testReports(copies[0] ?? "", { tests, place, context });
    const unsound = failedFiles(sound).map((file) => path.relative(copies[0] ?? "", file));
    for (const file of unsound) context.log(`fails without a mutant, and so shows nothing: ${file}`);
    /** @type {string[]} */
    const survivors = [];
    const queue = mutants.entries();
    const work = async (/** @type {string} */ copy) => {
      for (const [index, mutant] of queue) {
        const restore = applyMutant(copy, mutant);
        try {
          const own = mutant.tests.filter((test) => !unsound.includes(test));
          const { verdict, by } = verdictOf(await testReports(copy, { tests: own, place, context, bail: true }));
          if (verdict !== "killed") survivors.push(`${mutant.file}: ${mutant.guard} (${by})`);
          context.log(`${index + 1}/${mutants.length} ${verdict}: ${mutant.file}: ${mutant.guard} (${by})`);
        } finally {
          restore();
        }
      }
    };
    await Promise.all(copies.map(work));
    const lines = survivors.map((name) => `  ${name}`);
    process.stdout.write(
      `${[`survivors: ${survivors.length}`, ...lines].join("\n")}\n${mutants.length - survivors.length} killed, ${survivors.length} survived\n`,
    );
    return survivors.length === 0 && unsound.length === 0 ? 0 : 1;
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
    await place.stop();
  }
});

/** @returns {Promise<Mutant[]>} */
async function listMutants() {
  const folder = path.join(checkout, "test", "mutants");
  const files = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  const lists = await Promise.all(files.map((name) => import(pathToFileURL(path.join(folder, name)).href)));
  return lists.flatMap((list) => list.default);
}

/** @param {Mutant[]} mutants @param {readonly string[]} words */
function wanted(mutants, words) {
  const chosen =
    words.length === 0
      ? mutants
      : mutants.filter(({ file, guard }) => words.some((word) => `${file}: ${guard}`.includes(word)));
  if (chosen.length === 0) throw new SetUpError(`No mutant matches ${words.join(" ")}.`);
  return chosen;
}

/** The sources without what Git ignores, because a mutant must never be in the checkout itself. */
function copyCheckout() {
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-mutants-"));
  const names = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: checkout })
    .toString()
    .split("\0")
    .filter((name) => name !== "" && existsSync(path.join(checkout, name)));
  for (const name of names) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    cpSync(path.join(checkout, name), path.join(folder, name));
  }
  for (const name of ["node_modules", "dist"]) symlinkSync(path.join(checkout, name), path.join(folder, name));
  return folder;
}

/**
 * Runs test files, those without programs first, and returns Vitest's reports, one for each project; with `bail` until one fails.
 * @param {string} copy
 * @param {{ tests: readonly string[], place: import("../setup/test-environment.mjs").TestEnvironment, context: import("../setup/run.mjs").Context, bail?: boolean }} wanted
 */
async function testReports(copy, { tests, place: { env }, context: { signal }, bail = false }) {
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-mutant-"));
  /** @type {import("../setup/test-counts.mjs").VitestReport[]} */
  const reports = [];
  const projects = [...new Set(tests.map(projectOf))].sort((one, other) => orderOf(one) - orderOf(other));
  try {
    for (const project of projects) {
      const file = path.join(folder, `${project}.json`);
      const own = tests.filter((test) => projectOf(test) === project);
      const until = bail ? ["--bail=1"] : [];
      const args = ["run", "--project", project, ...until, "--reporter=json", `--outputFile.json=${file}`, ...own];
      await run(process.execPath, [path.join(checkout, "node_modules", "vitest", "vitest.mjs"), ...args], {
        signal,
        cwd: copy,
        env: { ...env, PATCHBAY_BUNDLES: path.join(folder, "bundles") },
        stdio: "ignore",
      });
      if (!existsSync(file)) throw new SetUpError(`Vitest wrote no report for ${own.join(", ")}.`);
      reports.push(JSON.parse(readFileSync(file, "utf8")));
      if (bail && verdictOf(reports).verdict !== "survived") break;
    }
    return reports;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
