import { defineConfig } from "vitest/config";

interface Kind {
  readonly testTimeout: number;
  /** Real processes on a shared machine are late at times; a test that is broken fails every time. */
  readonly retry: number;
  readonly more?: string[];
}

/** Unit has no processes, integration has relays and shells, e2e Electron and browsers; chaos kills for minutes. */
function project(name: string, { testTimeout, retry, more = [] }: Kind) {
  return {
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`, ...more],
      testTimeout,
      retry,
      hookTimeout: 60_000,
      restoreMocks: true,
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project("unit", { testTimeout: 20_000, retry: 0 }),
      project("integration", { testTimeout: 60_000, retry: 1, more: ["test/contract/**/*.test.ts"] }),
      project("e2e", { testTimeout: 120_000, retry: 2 }),
      project("security", { testTimeout: 120_000, retry: 1 }),
      project("chaos", { testTimeout: 300_000, retry: 0 }),
      // What they test is named by scripts/test-package.mjs, which makes it first.
      ...(process.env.PATCHBAY_DEB === undefined ? [] : [project("package", { testTimeout: 300_000, retry: 0 })]),
    ],
  },
});
