import { expect, test } from "vitest";
import { z } from "zod";
import { listProcedures } from "../../../../core/procedures/index.ts";
import type { RemoteError } from "../../../../core/protocol/errors.ts";
import { parseParams } from "../../../../core/protocol/parse-params.ts";

const schema = z.object({
  ratio: z.number().min(0.1).max(0.9).optional(),
  count: z.int().min(1).max(3).optional(),
  key: z.int().positive().optional(),
  size: z.int().min(0).optional(),
  name: z.string().min(1).max(5).optional(),
  text: z.string().optional(),
  line: z.string().min(1).optional(),
  kind: z.enum(["info", "error"]).default("info"),
  wait: z.boolean().optional(),
  list: z.array(z.enum(["a", "b"])).optional(),
  url: z.url().optional(),
  keyA: z.int().optional(),
  budget: z.number().positive().max(100).nullable().optional(),
  inner: z.object({ port: z.int().min(1).max(9) }).optional(),
  since: z.iso.datetime().nullable().optional(),
  times: z.array(z.iso.datetime()).optional(),
  day: z
    .string()
    .regex(/^[a-z]{3}$/, { error: "expected a day such as mon" })
    .optional(),
  custom: z
    .string()
    .refine((text) => text !== "bad", { error: "this one is bad" })
    .optional(),
});

function refusal(params: unknown, at?: string, by: z.ZodObject = schema): string {
  try {
    parseParams(by, params, at);
  } catch (error) {
    expect((error as RemoteError).code).toBe("invalid_params");
    return (error as RemoteError).message;
  }
  return "none";
}

test.each([
  [{ budget: 0 }, "params.budget: expected a number above 0 and at most 100, or null, got 0."],
  [{ budget: "5" }, 'params.budget: expected a number above 0 and at most 100, or null, got "5".'],
  [
    { since: "yesterdayish" },
    'params.since: expected a time such as 2026-01-31T09:00:00Z, or null, got "yesterdayish".',
  ],
  [{ times: ["soon"] }, 'params.times.0: expected a time such as 2026-01-31T09:00:00Z, got "soon".'],
  [{ day: "someday" }, "params.day: expected a day such as mon."],
  [{ ratio: 2 }, "params.ratio: expected a number from 0.1 to 0.9, got 2."],
  [{ ratio: "0.5" }, 'params.ratio: expected a number from 0.1 to 0.9, got "0.5".'],
  [{ ratio: null }, "params.ratio: expected a number from 0.1 to 0.9, got null."],
  [{ count: 1.5 }, "params.count: expected a whole number from 1 to 3, got 1.5."],
  [{ key: 0 }, "params.key: expected a whole number of at least 1, got 0."],
  [{ size: 2 ** 53 }, "params.size: expected a whole number of at least 0, got one beyond 9007199254740991."],
  [{ size: -1 }, "params.size: expected a whole number of at least 0, got -1."],
  [{ name: "" }, 'params.name: expected text of 1 to 5 characters, got "".'],
  [{ name: "too long" }, 'params.name: expected text of 1 to 5 characters, got "too long".'],
  [{ text: 1 }, "params.text: expected text, got 1."],
  [{ line: "" }, 'params.line: expected text of at least 1 character, got "".'],
  [{ kind: "warn" }, 'params.kind: expected one of info, error, got "warn".'],
  [{ wait: "yes" }, 'params.wait: expected true or false, got "yes".'],
  [{ list: "a" }, 'params.list: expected a list, got "a".'],
  [{ list: ["a", "c"] }, 'params.list.1: expected one of a, b, got "c".'],
  [{ url: "nowhere" }, 'params.url: expected a web address, got "nowhere".'],
  [{ inner: 1 }, "params.inner: expected an object, got 1."],
  [{ inner: { port: 10 } }, "params.inner.port: expected a whole number from 1 to 9, got 10."],
  [{ inner: {} }, "params.inner.port: expected a whole number from 1 to 9, got nothing."],
  [{ custom: "bad" }, "params.custom: this one is bad."],
  [{ key_a: "x" }, 'params.keyA: expected a whole number, got "x".'],
  [{ text: { a: 1 } }, "params.text: expected text, got an object."],
  [{ text: [1] }, "params.text: expected text, got a list."],
])("%j: %s", (params, sentence) => {
  expect(refusal(params)).toBe(sentence);
});

test.each([[null], [[]], ["text"], [1], [undefined]])("%j is no object of parameters", (params) => {
  expect(refusal(params)).toMatch(/^params: expected an object of parameters, got /);
});

test("the error for an unknown parameter lists the known ones", () => {
  expect(refusal({ ratoi: 0.5 })).toMatch(/^params\."ratoi": no such parameter; expected one of ratio, count, /);
  expect(() => parseParams(z.object({}), { x: 1 })).toThrow("this method takes none");
});

test("prototype keys are not parameters", () => {
  expect(refusal(JSON.parse('{"__proto__":{"polluted":true}}'))).toBe("params: no entry may be called __proto__.");
  expect(refusal({ constructor: 1 })).toContain("no such parameter");
  expect(refusal({ toString: 1 })).toContain("no such parameter");
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each(['{"any":{"__proto__":{"then":"rm"}}}', '{"any":[1,{"list":[{"\\u005f_proto__":null}]}]}'])(
  "an entry that schemas would leave out without a word is refused wherever it stands: %s",
  (json) => {
    expect(() => parseParams(z.object({ any: z.json() }), JSON.parse(json))).toThrow(
      "params: no entry may be called __proto__.",
    );
  },
);

test("more lists and objects than are checked quickly are refused, and many texts and numbers are not", () => {
  const any = z.object({ any: z.unknown() });
  const lists = (count: number) => ({ any: Array.from({ length: count - 2 }, () => []) });
  expect(() => parseParams(any, lists(30_000))).not.toThrow();
  const message = "params: expected at most 30000 lists and objects in all.";
  expect(() => parseParams(any, lists(30_001))).toThrow(message);
  expect(() => parseParams(any, { any: Array.from({ length: 100_000 }, () => 1) })).not.toThrow();
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level++) deep = [deep];
  expect(() => parseParams(any, { any: deep })).toThrow(message);
});

test("names are accepted in camelCase or snake_case, but not both at once", () => {
  expect(parseParams(schema, { key_a: 1 })).toEqual({ keyA: 1, kind: "info" });
  expect(parseParams(schema, { keyA: 2 })).toEqual({ keyA: 2, kind: "info" });
  expect(refusal({ keyA: 1, key_a: 2 })).toContain('"key_a": no such parameter');
});

test("the given parameters are not modified", () => {
  const given = Object.freeze({ key_a: 1 });
  parseParams(schema, given);
  expect(given).toEqual({ key_a: 1 });
});

test("an error message is one short line for any input", () => {
  for (const value of ["x".repeat(1_000_000), "a\0b\n\u001b[31m", "\ud800", ["x".repeat(100)], { deep: { er: 1 } }]) {
    for (const params of [{ ratio: value }, { [typeof value === "string" ? value : "x"]: 1 }]) {
      expect(refusal(params)).toMatch(/^[^\p{Cc}\p{Cs}]{1,400}$/u);
    }
  }
});

test("the path in the message starts with the caller's prefix", () => {
  expect(refusal({ ratio: 2 }, "body")).toMatch(/^body\.ratio: /);
});

test("a list that is too long says how long it may be, and is", () => {
  const params = z.object({ items: z.array(z.string()).max(2) });
  expect(() => parseParams(params, { items: ["a", "b", "c"] })).toThrow(
    "params.items: expected at most 2 of them, got 3.",
  );
});

test("every refusal of a text by its format says what the format is", () => {
  const probe = "\u0001!";
  const refused = listProcedures().flatMap(({ name, spec: { params } }) =>
    Object.keys(params.shape).flatMap((param) => {
      const given = { [param]: probe };
      const { issues = [] } = params.safeParse(given).error ?? {};
      const isFormat = issues.some(({ code, path }) => code === "invalid_format" && path[0] === param);
      // A schema of the one parameter, as another that is missing would be refused first.
      const schema = z.object({ [param]: params.shape[param] ?? z.never() });
      return isFormat ? [`${name} ${refusal(given, "params", schema)}`] : [];
    }),
  );
  expect(refused.length).toBeGreaterThan(5);
  expect(refused.filter((message) => /expected text|Invalid/.test(message))).toEqual([]);
});
