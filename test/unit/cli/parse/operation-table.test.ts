import { expect, test } from "vitest";
import { allOperations } from "../../../../cli/parse/operation-table.ts";
import { operationNames } from "../../../../core/operations/index.ts";

test("the rows of all operations are derived once, since a relay asks for them with every command", () => {
  expect(allOperations()).toBe(allOperations());
  expect(allOperations().map(({ name }) => name)).toEqual(operationNames);
});
