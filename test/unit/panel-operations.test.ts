import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { isOperation, operationNames, operations } from "../../core/operations/index.ts";
import type { OperationSpec } from "../../core/operations/operation.ts";

const root = resolve(import.meta.dirname, "../..");
/** Sources of the panel, but for its host in a browser, which calls operations over HTTP with a key. */
const sources = readdirSync(join(root, "renderer/tray"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/words[/\\]|^start[/\\]/.test(file))
  .map((file) => readFileSync(join(root, "renderer/tray", file), "utf8"));
const forPanel = operationNames.filter((name) => {
  const spec: OperationSpec = operations[name];
  return spec.panel === true;
});

test("the panel calls only operations that are declared for it, and each of those", () => {
  const called = sources.flatMap((source) =>
    [...source.matchAll(/\b(?:call|ask)\(\s*"(\w+)"/g)].map(([, name = ""]) => name),
  );
  expect(called.length).toBeGreaterThan(20);
  expect(called.filter((name) => isOperation(name) && !forPanel.includes(name))).toEqual([]);
  expect(forPanel.filter((name) => !sources.some((source) => source.includes(`"${name}"`)))).toEqual([]);
});
