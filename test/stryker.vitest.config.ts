import { defineConfig } from "vitest/config";

/** The unit tests alone: Stryker runs those that reach a mutant, in one process. */
export default defineConfig({
  test: {
    include: ["test/unit/**/*.test.{ts,tsx}"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    isolate: false,
    restoreMocks: true,
  },
});
