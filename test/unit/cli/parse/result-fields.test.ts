import { expect, test } from "vitest";
import { z } from "zod";
import { resultFields } from "../../../../cli/parse/result-fields.ts";
import { specs } from "../../../../core/commands/specs.ts";

test("the fields of the records of a list, of a record, and of objects in them", () => {
  const record = z.object({ id: z.int(), from: z.object({ name: z.string() }), at: z.string().nullable() });
  const fields = ["id", "from", "from.name", "at"];
  expect(resultFields(z.array(record))).toEqual(fields);
  expect(resultFields(record)).toEqual(fields);
  expect(resultFields(z.object({ tiles: z.array(record) }))).toEqual(fields);
  expect(resultFields(z.object({ tiles: z.array(record), key: z.int() }))).toEqual(["tiles", "key"]);
});

test("any field where they vary, and `value` for what is no record", () => {
  expect(resultFields(z.object({ data: z.unknown() }))).toEqual(["data", "data.*"]);
  expect(resultFields(z.array(z.int()))).toEqual(["value"]);
});

test("schemas that a declaration names are followed", () => {
  expect(resultFields(specs.getTiles.result)).toEqual(expect.arrayContaining(["key", "type", "id", "active", "title"]));
});
