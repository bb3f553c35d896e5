import { z } from "zod";
import { givenName } from "./given-name.ts";
import { limits } from "./limits.ts";

const MAX_ARGUMENT_LENGTH = 65_536;
const MAX_ARGUMENTS = 1_000;
const MAX_VALUE_LENGTH = 32_768;
const MAX_VARIABLES = 500;
/** Callers cannot set these variables: they identify the shell and configure the shell integration. */
const RESERVED = /^(SERVICE|PATCHBAY)_/;

/** A program and its arguments, passed unchanged: nothing is expanded or split. */
export const Argv = z
  .array(z.string().max(MAX_ARGUMENT_LENGTH))
  .min(1)
  .max(MAX_ARGUMENTS)
  .refine((argv) => argv[0] !== "", { error: "expected a program first, got an empty name" })
  .refine((argv) => argv.every((word) => !word.includes("\0")), { error: "no word may contain a NUL character" });

/** Environment variables by name. */
export const Variables = z.record(z.string(), z.string()).superRefine((variables, context) => {
  const error = variableError(Object.entries(variables));
  if (error !== undefined) context.addIssue({ code: "custom", message: error });
});

/** A shell title that programs cannot change. */
export const FixedTitle = givenName(limits.tileNameLength);

function variableError(variables: readonly (readonly [string, string])[]): string | undefined {
  if (variables.length > MAX_VARIABLES) return `expected at most ${MAX_VARIABLES} variables, got ${variables.length}`;
  for (const [name, value] of variables) {
    const shown = JSON.stringify(name.slice(0, 60));
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name)) {
      return `${shown} is not the name of a variable: use letters, digits and _, no digit first`;
    }
    if (RESERVED.test(name)) return `${shown} is set by Patchbay itself: choose another name`;
    if (value.length > MAX_VALUE_LENGTH) return `the value of ${shown} is longer than ${MAX_VALUE_LENGTH} characters`;
    if (value.includes("\0")) return `the value of ${shown} contains a NUL character`;
  }
  return undefined;
}
