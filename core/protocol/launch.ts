import { z } from "zod";
import { limits } from "./limits.ts";

/** How a shell, or a program in place of one, is started beyond its folder and size. */

const LONGEST_ARGUMENT = 65_536;
const MOST_ARGUMENTS = 1_000;
const LONGEST_VALUE = 32_768;
const MOST_VARIABLES = 500;
/** Their values say whose shell this is, and the shell integration reads some: a caller must not forge them. */
const RESERVED = /^(SERVICE|PATCHBAY)_/;

/** A program and its arguments, each as the program gets it: nothing is expanded or split. */
export const Argv = z
  .array(z.string().max(LONGEST_ARGUMENT))
  .min(1)
  .max(MOST_ARGUMENTS)
  .refine((argv) => argv[0] !== "", { error: "expected a program first, got an empty name" })
  .refine((argv) => argv.every((word) => !word.includes("\0")), { error: "no word may contain a NUL character" });

/** Environment variables by name. */
export const Variables = z.record(z.string(), z.string()).superRefine((variables, context) => {
  const fault = faultIn(Object.entries(variables));
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

/** Title that a shell keeps whatever its programs set. */
export const FixedTitle = z.string().min(1).max(limits.tileNameLength);

function faultIn(variables: readonly (readonly [string, string])[]): string | undefined {
  if (variables.length > MOST_VARIABLES) return `expected at most ${MOST_VARIABLES} variables, got ${variables.length}`;
  for (const [name, value] of variables) {
    const shown = JSON.stringify(name.slice(0, 60));
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name)) {
      return `${shown} is not the name of a variable: use letters, digits and _, no digit first`;
    }
    if (RESERVED.test(name)) return `${shown} is set by Patchbay itself: choose another name`;
    if (value.length > LONGEST_VALUE) return `the value of ${shown} is longer than ${LONGEST_VALUE} characters`;
    if (value.includes("\0")) return `the value of ${shown} contains a NUL character`;
  }
  return undefined;
}
