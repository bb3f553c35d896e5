import { expect, test } from "vitest";
import { z } from "zod";
import { listProcedures } from "../../core/procedures/index.ts";

/** A third of what the body of a request may have. */
const LONG = 300_000;
const UNITS = ["a ", "e\u0301", "(a|b)*", "a,"];
/** Times that of parsing the JSON of the same parameters. */
const MOST_TIMES = 25;
/** Processor time below this is noise, in ms. */
const FLOOR_MS = 10;

const Node = z.object({
  type: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});

interface Place {
  readonly at: string;
  /** Makes parameters with a text there. */
  readonly put: (text: string) => unknown;
}

/** Returns each place of a text in parameters of a JSON schema. */
function placesOf(schema: unknown): readonly Place[] {
  const { data } = Node.safeParse(schema);
  if (data === undefined) return [];
  const { type, properties = {}, items, anyOf = [], additionalProperties } = data;
  const within = (inner: unknown, at: string, wrap: (value: unknown) => unknown) =>
    placesOf(inner).map((place) => ({ at: `${at}${place.at}`, put: (text: string) => wrap(place.put(text)) }));
  return [
    ...(type === "string" ? [{ at: "", put: (text: string) => text }] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => within(inner, `.${name}`, (value) => ({ [name]: value }))),
    ...within(items, "[]", (value) => [value]),
    ...within(items, "[…]", () => Array.from({ length: LONG / 9 }, (_, index) => `x${index}`)).slice(0, 1),
    ...anyOf.flatMap((inner) => within(inner, "", (value) => value)),
    ...within(additionalProperties, ".*", (value) => ({ any: value })),
  ];
}

/** What another process takes away counts as its own, so the best of some runs is the true one. */
function processorMs(run: () => unknown): number {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  run();
  const { user, system } = process.cpuUsage(before);
  return Math.min((user + system) / 1000, performance.now() - startedAt);
}

test("parameters that are too long are refused before anything dear is done with them", () => {
  const dear: string[] = [];
  let count = 0;
  for (const { name, spec } of listProcedures()) {
    for (const { at, put } of placesOf(z.toJSONSchema(spec.params, { io: "input", unrepresentable: "any" }))) {
      for (const unit of UNITS) {
        count += 1;
        const given = put(unit.repeat(LONG / unit.length));
        const json = JSON.stringify(given);
        const isDear = () => {
          const ms = processorMs(() => spec.params.safeParse(given));
          return ms > FLOOR_MS && ms > MOST_TIMES * processorMs(() => JSON.parse(json));
        };
        if (isDear() && isDear() && isDear()) dear.push(`${name}${at}: ${JSON.stringify(unit)}`);
      }
    }
  }
  expect(count).toBeGreaterThan(500);
  expect(dear).toEqual([]);
});
