import type { z } from "zod";

export interface BadParams {
  readonly what: string;
  /** As JSON text, since some of it no object literal can say. */
  readonly params: string;
}

/** Parameters that a declaration must refuse: missing, extra, wrong-typed, out of range and hostile ones. */
export function badParams(schema: z.ZodObject, good: Readonly<Record<string, unknown>>): BadParams[] {
  const bad: BadParams[] = [
    ...["null", "[]", '"text"', "1", "true"].map((params) => ({ what: `${params} for params`, params })),
    { what: "an extra one", params: JSON.stringify({ ...good, noSuchParameter: 1 }) },
    { what: "__proto__", params: withKey(good, "__proto__", '{"polluted":true}') },
    { what: "constructor", params: withKey(good, "constructor", '{"prototype":{"polluted":true}}') },
    { what: "deep nesting", params: withKey(good, "deep", "[".repeat(5000) + "]".repeat(5000)) },
    { what: "1 MiB of text", params: withKey(good, "big", JSON.stringify("x".repeat(1024 * 1024))) },
  ];
  for (const [name, field] of Object.entries(schema.shape)) {
    const type = field as z.ZodType;
    if (!type.safeParse(undefined).success) {
      const { [name]: _, ...rest } = good;
      bad.push({ what: `without ${name}`, params: JSON.stringify(rest) });
    }
    for (const [what, value] of HOSTILE) {
      if (type.safeParse(value).success) continue;
      bad.push({ what: `${name}: ${what}`, params: JSON.stringify({ ...good, [name]: value }) });
    }
    bad.push({ what: `${name}: deep nesting`, params: withKey(good, name, "[".repeat(5000) + "]".repeat(5000)) });
  }
  return bad;
}

/** Each is tried where the declaration does not allow it. */
const HOSTILE: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["a number", 12.5],
  ["0", 0],
  ["-1", -1],
  ["a huge number", 1e308],
  ["too large for an integer", 2 ** 53],
  ["a text", "nonsense"],
  ["an empty text", ""],
  ["a long text", "x".repeat(300_000)],
  ["NUL", "a\0b"],
  ["a lone surrogate", "\ud800"],
  ["a flag", true],
  ["a list", [1, "a", null]],
  ["an object", { valueOf: 1, toString: 1 }],
];

/** With an own key of that name, also one that an object literal would take for something else. */
function withKey(good: Readonly<Record<string, unknown>>, key: string, json: string): string {
  const inner = JSON.stringify(good).slice(1, -1);
  return `{${inner}${inner === "" ? "" : ","}${JSON.stringify(key)}:${json}}`;
}
