import type { Request } from "express";
import { z } from "zod";
import { decimal } from "../../../core/protocol/decimal.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";

const None = z.object({});

/** Query parameters of the GET shortcuts. */
export const ClientQuery = z.object({
  client: decimal(z.int().min(0)).optional().describe("Id of the client that is to answer."),
});

/**
 * Parses the query parameters of a request by their declaration; none by default. Throws `invalid_params` for a parameter
 * that is undeclared, invalid or repeated.
 */
export function queryOf<Q extends z.ZodObject = typeof None>(
  request: Pick<Request, "query">,
  declared: Q | typeof None = None,
): z.output<Q> {
  return parseParams(declared, checkedQuery(request), "query") as z.output<Q>;
}

/** Returns the query parameters as text. Throws `invalid_params` for a repeated one. */
export function checkedQuery({ query }: Pick<Request, "query">): Record<string, string> {
  const texts = Object.entries(query).map(([name, value]): [string, string] => {
    if (typeof value !== "string") {
      throw new RemoteError("invalid_params", `query.${name.slice(0, 60)}: expected it once.`);
    }
    return [name, value];
  });
  // Unlike an assignment this keeps a parameter named __proto__, which is refused later.
  return Object.fromEntries(texts);
}
