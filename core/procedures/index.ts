import { type CommandSpec, readsOnly, waits } from "../commands/command.ts";
import { type MethodName, methodNames, specOf } from "../commands/specs.ts";
import { type OperationName, operationNames, operations } from "../operations/index.ts";
import { type OperationSpec, secondsToWait, usualWait } from "../operations/operation.ts";

/** What a caller may ask of the relay, by a name: a command, which acts on a client of a session, or an operation. */
export type Procedure =
  | { readonly kind: "command"; readonly name: MethodName; readonly spec: CommandSpec }
  | { readonly kind: "operation"; readonly name: OperationName; readonly spec: OperationSpec };

/** The name of a procedure. */
export type ProcedureName = Procedure["name"];

/** Returns the procedure of a name; undefined for an unknown one. A command goes before an operation of its name. */
export function procedureOf(name: string): Procedure | undefined {
  return found.get(name);
}

/** Returns an operation, also one whose name a command has. */
export function operationOf(name: OperationName): Procedure & { readonly kind: "operation" } {
  return { kind: "operation", name, spec: operations[name] };
}

/** Returns whether a procedure only reads. */
export function onlyReads(procedure: Procedure): boolean {
  return procedure.kind === "command" ? readsOnly(procedure.spec) : procedure.spec.effect === "read";
}

/** Returns whether a call waits for something that may take as long as its caller likes. */
export function mayWait(procedure: Procedure, params: object): boolean {
  return procedure.kind === "command"
    ? waits(procedure.spec, params)
    : secondsToWait(usualWait(procedure.spec), params) > 0;
}

/** Lists every procedure that can be called by its name. */
export function listProcedures(): Procedure[] {
  return [...found.values()];
}

const found: ReadonlyMap<string, Procedure> = new Map<string, Procedure>([
  ...operationNames.map((name): [string, Procedure] => [name, operationOf(name)]),
  ...methodNames.flatMap((name): [string, Procedure][] => {
    const spec = specOf(name);
    return spec === undefined ? [] : [[name, { kind: "command", name, spec }]];
  }),
]);
