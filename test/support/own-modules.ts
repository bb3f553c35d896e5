import { afterAll, vi } from "vitest";

/**
 * Gives a test file modules of its own, for what it mocks in them: files of one process share theirs. To be called in
 * `vi.hoisted`, so before the file's imports.
 */
export function ownModules(): void {
  vi.resetModules();
  afterAll(() => vi.resetModules());
}
