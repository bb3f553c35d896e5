/** Mutation testing by `npm run test:stryker`: see tools/mutants/stryker.mjs. */
/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "test/stryker.vitest.config.ts" },
  coverageAnalysis: "perTest",
  concurrency: 1,
  // A constant of a module would need every test again for each of its mutants: half a minute to two.
  ignoreStatic: true,
  tempDirName: ".stryker",
  // Nothing is compiled, and Stryker's way to read these files needs an older TypeScript.
  tsconfigFile: "none.json",
  ignorePatterns: ["dist", "coverage", "tools"],
  reporters: ["clear-text", "progress-append-only", "json"],
  clearTextReporter: { reportTests: false },
  jsonReporter: { fileName: "coverage/stryker.json" },
  thresholds: { high: 95, low: 90, break: 90 },
};
