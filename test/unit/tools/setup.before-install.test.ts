import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../../..");

/** Modules that are loaded with this one before any of its code runs, and the packages that they name. */
function loadedWith(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const source = readFileSync(join(root, file), "utf8");
  const statements = source.matchAll(/^(?:import|export)\s+(?:[^;"'`]*?\sfrom\s+)?"([^"]+)"/gm);
  const specifiers = [...statements].map(([, name = ""]) => name);
  return specifiers.flatMap((name) => {
    if (name.startsWith("node:")) return [];
    return name.startsWith(".") ? loadedWith(join(dirname(file), name), seen) : [`${file} -> ${name}`];
  });
}

// On a fresh machine these run before `npm ci` has installed anything.
test.each([
  "tools/start.mjs",
  "tools/test.mjs",
  "tools/part.mjs",
  "tools/system-packages.mjs",
  "tools/test-stable.mjs",
  "tools/package/dist.mjs",
  "tools/bench/bench.mjs",
])("%s loads no package before the set-up has installed them", (script) => {
  expect(loadedWith(script)).toEqual([]);
});
