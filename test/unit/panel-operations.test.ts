import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { listProcedures, procedureOf } from "../../core/procedures/index.ts";

const root = resolve(import.meta.dirname, "../..");
/** Sources of the panel, but for its host in a browser, which calls procedures over HTTP with a key. */
const sources = readdirSync(join(root, "renderer/tray"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/words[/\\]|^start[/\\]/.test(file))
  .map((file) => readFileSync(join(root, "renderer/tray", file), "utf8"));
const forPanel = listProcedures().filter(({ spec }) => spec.panel === true);

test("the panel calls only procedures that are declared for it, and each of those", () => {
  const called = sources.flatMap((source) =>
    [...source.matchAll(/\b(?:call|ask|command)\(\s*(?:id, )?"(\w+)"/g)].map(([, name = ""]) => name),
  );
  expect(called.length).toBeGreaterThan(20);
  expect(called.filter((name) => procedureOf(name)?.spec.panel !== true)).toEqual([]);
  expect(forPanel.filter(({ name }) => !sources.some((source) => source.includes(`"${name}"`)))).toEqual([]);
});
