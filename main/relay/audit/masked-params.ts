import type { z } from "zod";
import { specOf } from "../../../core/commands/specs.ts";

const LONGEST_TEXT = 200;

/** The parameters of a command as the audit log keeps them; those of an unknown one are left out. */
export function maskedParams(method: string, params: object): Record<string, unknown> {
  const spec = specOf(method);
  return spec === undefined ? {} : maskedValues(spec, params);
}

/**
 * Parameters as the audit log keeps them: only those that the declaration has, long texts cut, and what it declares as
 * sensitive told by its length alone.
 */
export function maskedValues(
  { params: declared, sensitive = [] }: { readonly params: z.ZodObject; readonly sensitive?: readonly string[] },
  params: object,
): Record<string, unknown> {
  const given = Object.entries(params).filter(([name, value]) => name in declared.shape && value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, sensitive.includes(name) ? masked(value) : shortened(value)]),
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
