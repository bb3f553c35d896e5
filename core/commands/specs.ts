import type { z } from "zod";
import type { CommandSpec } from "./command.ts";
import { type MethodName, runnable } from "./index.ts";

/** The declarations without `run`, as the relay, the command line and the documentation use them. */
export const specs: Readonly<Record<MethodName, CommandSpec>> = runnable;

export type { MethodName } from "./index.ts";

export type Params<M extends MethodName> = z.input<(typeof runnable)[M]["params"]>;
export type Result<M extends MethodName> = z.output<(typeof runnable)[M]["result"]>;

export const methodNames = Object.keys(specs) as MethodName[];

/** Returns the declaration of a method; undefined for unknown names, including names of `Object.prototype`. */
export function specOf(method: string): CommandSpec | undefined {
  return Object.hasOwn(specs, method) ? specs[method as MethodName] : undefined;
}
