import { afterEach, expect, test, vi } from "vitest";
import type { CheckContext } from "../../../../cli/doctor/check-context.ts";
import { checkVersions } from "../../../../cli/doctor/check-versions.ts";

const { versions } = process;
afterEach(() => vi.unstubAllGlobals());

/** What the check finds under a program with these versions. */
function found(more: Partial<NodeJS.ProcessVersions>) {
  vi.stubGlobal("process", Object.create(process, { versions: { value: { ...versions, ...more } } }));
  return checkVersions({ relay: undefined } as CheckContext);
}

test("an older Node than the required one is a problem, with what to install", () => {
  expect(found({ node: "20.18.1" })).toMatchObject({ state: "problem", advice: expect.stringContaining("20.19") });
  expect(found({ node: "18.20.0" })).toMatchObject({ state: "problem" });
  expect(found({ node: "20.19.0" })).toMatchObject({ state: "ok" });
  expect(found({ node: "22.0.0" })).toMatchObject({ state: "ok" });
});

test("the Node of a package is none that its user could install", () => {
  expect(found({ node: "20.18.1", electron: "33.2.1" })).toMatchObject({ state: "ok" });
});
