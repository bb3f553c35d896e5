import type { MethodName, Params, Result } from "../../core/commands/specs.ts";
import type { OperationName, OperationResult } from "../../core/operations/index.ts";
import type { OperationArgs } from "../remote-client.ts";

export type { OutputEvent } from "../../core/protocol/output-events.ts";

/** The commands, by their names: parameters and result. The package declares them without zod (method-types.ts). */
export type Methods = { [M in MethodName]: { readonly params: Params<M>; readonly result: Result<M> } };

/** The operations of the relay itself, by their names. */
export type Operations = {
  [N in OperationName]: { readonly params: OperationArgs<N>; readonly result: OperationResult<N> };
};
