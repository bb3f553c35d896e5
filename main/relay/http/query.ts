import type { Request } from "express";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";

const None = z.object({});

/**
 * The query parameters of a request by their declaration; by default there are none. Throws `invalid_params` for one that
 * is not declared, has a wrong value, or is there twice.
 */
export function queryOf<Q extends z.ZodObject = typeof None>(
  request: Pick<Request, "query">,
  declared: Q | typeof None = None,
): z.output<Q> {
  return parseParams(declared, checkedQuery(request), "query") as z.output<Q>;
}

/** The query parameters as text. Throws `invalid_params` for one that is there twice. */
export function checkedQuery({ query }: Pick<Request, "query">): Record<string, string> {
  const texts = Object.entries(query).map(([name, value]): [string, string] => {
    if (typeof value !== "string") {
      throw new RemoteError("invalid_params", `query.${name.slice(0, 60)}: expected it once.`);
    }
    return [name, value];
  });
  // Unlike an assignment this keeps a parameter of the name __proto__, which is then refused.
  return Object.fromEntries(texts);
}
