import { defineConfig } from "vitest/config";

interface Kind {
  readonly testTimeout: number;
  readonly more?: string[];
  /** It starts our programs: bundles them before the first test. */
  readonly programs?: boolean;
  /** Each file loads its own modules. Without it files that run in one process share them, which is twice as fast. */
  readonly isolate?: boolean;
}

/** Unit has no processes, integration has relays and shells, e2e Electron and browsers; chaos kills for minutes, agents installs programs. */
function project(name: string, { testTimeout, more = [], programs = false, isolate = true }: Kind) {
  return {
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`, ...more],
      testTimeout,
      globalSetup: programs ? ["test/support/bundle-programs.ts"] : [],
      retry: 0,
      isolate,
      hookTimeout: 60_000,
      restoreMocks: true,
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    coverage: {
      provider: "v8",
      include: ["core/**", "main/**", "cli/**", "renderer/**"],
      reporter: ["text-summary", "lcov"],
    },
    projects: [
      project("unit", { testTimeout: 20_000, isolate: false }),
      project("integration", { testTimeout: 60_000, more: ["test/contract/**/*.test.ts"], programs: true }),
      project("e2e", { testTimeout: 120_000, programs: true }),
      project("security", { testTimeout: 120_000, programs: true }),
      project("chaos", { testTimeout: 300_000, programs: true }),
      project("agents", { testTimeout: 300_000 }),
      project("screen-reader", { testTimeout: 300_000 }),
      // What they test is named by scripts/test-package.mjs, which makes it first.
      ...(process.env.PATCHBAY_DEB === undefined ? [] : [project("package", { testTimeout: 300_000 })]),
    ],
  },
});
