import type { Json } from "./schema-book.ts";

/**
 * The same parameters where names of two words may be given in snake_case too (`key_a` for `keyA`), never in both
 * spellings; undefined where no name has two words.
 */
export function withAliases(schema: Json): Json | undefined {
  const properties = schema.properties as Json;
  const names = Object.keys(properties).filter((name) => snakeCase(name) !== name);
  if (names.length === 0) return undefined;
  const required = (schema.required ?? []) as string[];
  const { allOf = [], ...rest } = schema as { allOf?: Json[] };
  const rules = names.map((name) => {
    const spellings = [name, snakeCase(name)];
    return required.includes(name)
      ? { oneOf: spellings.map((spelling) => given(spelling)) }
      : { not: given(...spellings) };
  });
  return {
    ...rest,
    properties: { ...properties, ...Object.fromEntries(names.map((name) => [snakeCase(name), properties[name]])) },
    required: required.filter((name) => !names.includes(name)),
    allOf: [...allOf, ...rules],
  };
}

/** Fits an object that has all of these. */
function given(...names: readonly string[]): Json {
  return { required: names, properties: Object.fromEntries(names.map((name) => [name, {}])) };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
