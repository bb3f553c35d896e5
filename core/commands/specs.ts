import type { z } from "zod";
import type { CommandSpec } from "./command.ts";
import { type MethodName, runnable } from "./index.ts";

/** The declarations without their `run`: what the relay, the command line and the documents see. */
export const specs: Readonly<Record<MethodName, CommandSpec>> = runnable;

export type { MethodName } from "./index.ts";

export type Params<M extends MethodName> = z.input<(typeof runnable)[M]["params"]>;
export type Result<M extends MethodName> = z.output<(typeof runnable)[M]["result"]>;

export const methodNames = Object.keys(specs) as MethodName[];

/** The declaration of a method, or undefined; prototype names are no methods. */
export function specOf(method: string): CommandSpec | undefined {
  return Object.hasOwn(specs, method) ? specs[method as MethodName] : undefined;
}
