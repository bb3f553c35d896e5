import { methodNames, specs } from "../../../core/commands/specs.ts";
import { operationNames } from "../../../core/operations/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { didYouMeanOneOf, suggestNames } from "../../../core/protocol/suggest-names.ts";

/** Refuses a name that no procedure has. */
export function unknownMethod(method: string): never {
  const meant = suggestNames(method, methodSpellings());
  const hint = meant.length === 0 ? " GET /v1/openapi.json lists them." : didYouMeanOneOf(meant);
  throw new RemoteError("unknown_method", `No method ${JSON.stringify(method.slice(0, 60))}.${hint}`);
}

/** Returns every name of a procedure, and those of commands on the command line, with the name that is to be used. */
function methodSpellings(): (readonly [string, string])[] {
  const commands = methodNames.flatMap((method) =>
    [method, ...specs[method].cli.map((form) => form.name)].map((name) => [name, method] as const),
  );
  return [...commands, ...operationNames.map((name) => [name, name] as const)];
}
