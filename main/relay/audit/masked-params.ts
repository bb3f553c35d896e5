import { specOf } from "../../../core/commands/specs.ts";

const LONGEST_TEXT = 200;

/**
 * A command's parameters as the audit log keeps them: only those that the command declares, long texts cut, and what it
 * declares as sensitive told by its length alone.
 */
export function maskedParams(method: string, params: object): Record<string, unknown> {
  const spec = specOf(method);
  if (spec === undefined) return {};
  const sensitive = new Set<string>(spec.sensitive);
  const declared = Object.entries(params).filter(([name]) => name in spec.params.shape);
  return Object.fromEntries(
    declared.map(([name, value]) => [name, sensitive.has(name) ? masked(value) : shortened(value)]),
  );
}

function masked(value: unknown): string {
  const length = typeof value === "string" ? value.length : JSON.stringify(value)?.length;
  return `(${length ?? 0} characters)`;
}

function shortened(value: unknown): unknown {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : typeof value === "string" ? value : text;
}
