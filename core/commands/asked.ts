import type { z } from "zod";
import { parseParams } from "../protocol/parse-params.ts";
import {
  type OpInput,
  type OpParams,
  type OpResult,
  parseInput,
  type RelayOp,
  relayOps,
} from "../protocol/relay-ops.ts";
import type { Touches } from "../protocol/touches.ts";
import type { AnyCommand, CommandSpec } from "./command.ts";
import type { MethodName, runnable } from "./index.ts";
import { specOf } from "./specs.ts";

/** The commands that only the relay can execute. */
type RelayMethod = {
  [M in MethodName]: (typeof runnable)[M] extends { run(...given: never[]): unknown } ? never : M;
}[MethodName];

/** What a client asks of the relay: a command of the relay, or what only clients need (`relayOps`). */
export type AskableName = RelayOp | RelayMethod;
type Command<K extends RelayMethod> = (typeof runnable)[K];
export type AskInput<K extends AskableName> = K extends RelayOp
  ? OpInput<K>
  : K extends RelayMethod
    ? z.input<Command<K>["params"]>
    : never;
export type AskParams<K extends AskableName> = K extends RelayOp
  ? OpParams<K>
  : K extends RelayMethod
    ? z.output<Command<K>["params"]>
    : never;
export type AskResult<K extends AskableName> = K extends RelayOp
  ? OpResult<K>
  : K extends RelayMethod
    ? z.output<Command<K>["result"]>
    : never;

export interface AskSpec
  extends Pick<CommandSpec, "role" | "params" | "result" | "sensitive" | "closedToAutomation" | "frequent"> {
  readonly touches?: Touches | undefined;
}

/** Returns the declaration of what clients ask by a name; undefined for what they cannot ask. */
export function askSpec(name: string): AskSpec | undefined {
  if (Object.hasOwn(relayOps, name)) return relayOps[name as RelayOp];
  const command: AnyCommand | undefined = specOf(name);
  return command !== undefined && command.run === undefined ? command : undefined;
}

/** Parses what a client asks by its declaration. @throws RemoteError `invalid_params` */
export function parseAsked(name: string, { params }: AskSpec, given: unknown): Readonly<Record<string, unknown>> {
  return name === "writeShell" ? parseInput(given) : parseParams(params, given);
}
