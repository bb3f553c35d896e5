import { expect, test } from "vitest";
import { z } from "zod";
import { parseAsked } from "../../../../core/commands/asked.ts";
import { parseParams } from "../../../../core/protocol/parse-params.ts";
import { relayOps } from "../../../../core/protocol/relay-ops.ts";
import { asked } from "../../../support/asked-names.ts";

interface Schema {
  readonly type?: string;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** More than any operation needs: all input that may wait for a shell. */
const TOO_LONG = "x".repeat(16 * 1024 * 1024 + 1);

/** Any JSON: its bound is that of the frame, and what is kept of it counts with its size. */
const ANY_JSON = ["broadcastEvent.data", "setPluginState.value"];

const parameters = asked.flatMap(({ name: op, spec: { params } }) =>
  Object.entries<z.ZodType>(params.shape).map(([name, schema]) => [op, name, schema] as const),
);

const bounded = parameters.filter(([op, name]) => !ANY_JSON.includes(`${op}.${name}`));

test.each(bounded)("the parameter %s.%s holds no text without a bound", (_op, _name, schema) => {
  for (const value of [TOO_LONG, [TOO_LONG], { [TOO_LONG]: "" }, { NAME: TOO_LONG }]) {
    expect(schema.safeParse(value).success).toBe(false);
  }
});

test.each(parameters)("the parameter %s.%s holds no list without a bound", (_op, _name, schema) => {
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
  if (described.type === "array") expect(described.maxItems).toBeLessThanOrEqual(1000);
});

const keys = { shell: 1, data: "x", raw: true };

test.each([
  keys,
  { ...keys, data: "" },
  { ...keys, raw: false },
  { ...keys, raw: undefined },
  { ...keys, literal: true },
  { ...keys, guard: false },
  { shell: 1, data: "x" },
  { shell: 1, data: "x", rAw: true },
  { shell: 1, data: "x", raw: true, more: 1 },
  ...[0, -1, 1.5, "1", null, 2 ** 53].map((shell) => ({ ...keys, shell })),
  { ...keys, data: 1 },
  { ...keys, data: TOO_LONG },
  null,
  [1, "x", true],
  JSON.parse('{ "shell": 1, "data": "x", "__proto__": true }'),
])("typed keys are recognised as their declaration does it", (params) => {
  const outcome = (parse: () => unknown) => {
    try {
      return { parsed: parse() };
    } catch (error) {
      return { error: String(error) };
    }
  };
  expect(outcome(() => parseAsked("writeShell", relayOps.writeShell, params))).toEqual(
    outcome(() => parseParams(relayOps.writeShell.params, params)),
  );
});
