import { expect, test } from "vitest";
import { jsonOrUndefined } from "../../../../core/protocol/json-value.ts";

test("a text that is no JSON has no value", () => {
  expect(['{"a":1}', "{", "", undefined].map(jsonOrUndefined)).toEqual([{ a: 1 }, undefined, undefined, undefined]);
});
