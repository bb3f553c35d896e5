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
  const given: Record<string, unknown> = { ...request.query };
  const twice = Object.keys(given).find((name) => Array.isArray(given[name]));
  if (twice !== undefined) throw new RemoteError("invalid_params", `query.${twice.slice(0, 60)}: expected it once.`);
  return parseParams(declared, given, "query") as z.output<Q>;
}
