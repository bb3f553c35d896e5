import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

test("each row of the threat model names tests of `npm run test:security`, and each of those tests has its row", () => {
  const rows = readFileSync(join(root, "SECURITY.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| Threat |"));
  const named = rows.flatMap((row) => {
    const [, cell = ""] = /\| ([^|]+) \|$/.exec(row) ?? [];
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, title]) => title);
  });
  expect(rows.filter((row) => !/`[^`]+` \|$/.test(row))).toEqual([]);
  const folder = join(root, "test/security");
  const titles = readdirSync(folder)
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), "utf8").matchAll(/^\s*test(?:\.runIf\(.*\))?\(\s*"([^"]+)"/gm),
    ])
    .map(([, title]) => title);
  expect(rows.length).toBeGreaterThan(15);
  expect(named.toSorted()).toEqual(titles.toSorted());
});
