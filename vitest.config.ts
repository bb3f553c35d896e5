import { defineConfig } from "vitest/config";
import { TEST_WORKERS } from "./tools/setup/test-environment.mjs";

interface Kind {
  readonly testTimeout: number;
  readonly more?: string[];
  /** It starts our programs: bundles them before the first test. */
  readonly programs?: boolean;
  /** Each file loads its own modules. Without it files in one process share them, which takes half the time for `unit`. */
  readonly isolate?: boolean;
  /** Number of files that run beside each other, where it is smaller than elsewhere: what is killed has to start again in time. */
  readonly workers?: number;
}

/** Unit has no processes, integration has relays and shells, e2e Electron and browsers; chaos kills for minutes, agents installs programs. */
function project(name: string, { testTimeout, more = [], programs = false, isolate = true, workers }: Kind) {
  return {
    test: {
      name,
      include: [`test/${name}/**/*.test.{ts,tsx}`, ...more],
      testTimeout,
      setupFiles: programs ? ["test/support/own-desktop.ts"] : [],
      globalSetup: programs ? ["test/support/bundle-programs.ts"] : [],
      retry: 0,
      isolate,
      hookTimeout: 60_000,
      restoreMocks: true,
      // Vitest asks for a group of its own where the number of workers differs.
      ...(workers === undefined ? {} : { maxWorkers: workers, sequence: { groupOrder: 1 } }),
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers: TEST_WORKERS,
    tags: [
      {
        name: "slow",
        description: "Left to `npm run test:slow`, so that `npm test` ends within minutes: see CONTRIBUTING.md.",
      },
    ],
    // Sources are transformed once for all suites and runs; the cache is in node_modules, by content.
    experimental: { fsModuleCache: true },
    coverage: {
      provider: "v8",
      include: ["core/**", "main/**", "client/**", "cli/**", "renderer/**"],
      reporter: ["text-summary", "lcov"],
    },
    projects: [
      project("unit", { testTimeout: 20_000, isolate: false }),
      project("integration", {
        testTimeout: 60_000,
        more: ["test/contract/**/*.test.ts"],
        programs: true,
        isolate: false,
      }),
      project("e2e", { testTimeout: 120_000, programs: true, isolate: false }),
      project("security", { testTimeout: 120_000, programs: true, isolate: false }),
      project("chaos", { testTimeout: 300_000, programs: true, workers: 2 }),
      project("agents", { testTimeout: 300_000, programs: true }),
      project("screen-reader", { testTimeout: 300_000 }),
      project("conformance", { testTimeout: 900_000 }),
      project("versions", { testTimeout: 120_000, programs: true }),
      // What they test is named by tools/package/test-package.mjs, which makes it first.
      ...(process.env.PATCHBAY_DEB === undefined ? [] : [project("package", { testTimeout: 300_000 })]),
    ],
  },
});
