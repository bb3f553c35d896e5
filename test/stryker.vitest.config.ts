import { join, relative, sep } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = join(import.meta.dirname, "..");

/**
 * Runs the test file that stands nearest to the changed source first: mostly it is the one that fails, and the first
 * failure ends the run.
 */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [changed = ""] = this.ctx.config.related ?? [];
    const source = relative(root, changed).split(sep);
    const distance = ({ moduleId }: TestSpecification) => {
      const test = relative(join(root, "test", "unit"), moduleId).split(sep);
      const shared = test.findIndex(
        (part, at) => part.replace(/\.test\.tsx?$/, "") !== source[at]?.replace(/\.tsx?$/, ""),
      );
      return shared === -1 ? 0 : source.length - shared;
    };
    return [...files].sort((a, b) => distance(a) - distance(b));
  }
}

/** The unit tests alone: Stryker runs those that reach a mutant, in one process. */
export default defineConfig({
  test: {
    include: ["test/unit/**/*.test.{ts,tsx}"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    isolate: false,
    restoreMocks: true,
    sequence: { sequencer: NearestFirst },
  },
});
