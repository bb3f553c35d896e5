import { defineConfig } from "vitest/config";

/** Three kinds of test: unit has no processes, integration has relays and shells, e2e has Electron and browsers. */
function project(name: string, testTimeout: number, more: string[] = []) {
  return {
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`, ...more],
      testTimeout,
      hookTimeout: 60_000,
      restoreMocks: true,
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project("unit", 20_000),
      project("integration", 60_000, ["test/contract/**/*.test.ts"]),
      project("e2e", 120_000),
    ],
  },
});
