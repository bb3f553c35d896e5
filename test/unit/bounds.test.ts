import { describe, expect, test } from "vitest";
import { fuzz as audit } from "../../fuzz/targets/audit.ts";
import { fuzz as manifest } from "../../fuzz/targets/manifest.ts";
import { fuzz as settings } from "../../fuzz/targets/settings.ts";
import { fuzz as titles } from "../../fuzz/targets/titles.ts";
import { steepGrowth } from "../support/growth.ts";

const KIB = 1024;

/** What reads text from outside, a size at which work that is not linear shows, and texts that have been, or would be, slow when repeated. */
const ENTRY_POINTS = [
  ["texts of the audit log", audit, 256 * KIB, ["a.", "a://b", "a://b@c", "pb_", "%61", "?", "#", " "]],
  [
    "titles and operating system commands",
    titles,
    16 * KIB,
    ["\u2733 ", " ", "(", ")", "a@", "/", ".", "[ ", "…", "%41"],
  ],
  ["manifests", manifest, 64 * KIB, ["[", "{", '{"a":', '"', "\\", " "]],
  ["settings", settings, 64 * KIB, ["[", "{", '{"theme":', '"', " "]],
] as const;

describe.each(ENTRY_POINTS)("%s", (_name, read, bound, units) => {
  test.each(units)("take linear time for any number of %j", async (unit) => {
    const inputs = new Map<number, Buffer>();
    const run = (size: number) => {
      const input = inputs.get(size) ?? Buffer.alloc(size, unit);
      inputs.set(size, input);
      read(input);
    };
    expect(await steepGrowth(run, bound)).toBeUndefined();
  });
});
