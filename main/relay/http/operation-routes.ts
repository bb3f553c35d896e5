import type { Request, Response } from "express";
import { z } from "zod";
import { type OperationName, operationNames, operations } from "../../../core/operations/index.ts";
import { type OperationSpec, paramsIn, pathParams } from "../../../core/operations/operation.ts";
import type { Calls } from "../calls/calls.ts";
import { readIdempotencyKey } from "../calls/read-command.ts";
import { type Headers, sendJson } from "../net/send.ts";
import type { AuditedCalls } from "./audit-calls.ts";
import type { Auth } from "./auth.ts";
import { jsonBody } from "./body.ts";
import { checkedQuery, queryOf } from "./query.ts";
import type { RouteTable } from "./route-table.ts";
import { untilGone } from "./until-gone.ts";

interface OperationRoutesOptions {
  readonly calls: Calls;
  readonly auth: Auth;
  readonly audited: AuditedCalls;
}

/** Serves every operation that is declared with a path. */
export function operationRoutes(options: OperationRoutesOptions): (table: RouteTable) => void {
  return (table) => {
    for (const name of operationNames) {
      const { http }: OperationSpec = operations[name];
      table.add(http.method, `/v1/${http.path}`, operationHandler(name, options));
    }
  };
}

function operationHandler(name: OperationName, { calls, auth, audited }: OperationRoutesOptions) {
  const { bearer, params, http }: OperationSpec = operations[name];
  // Made with the first request: for all operations it takes as long as the rest of a start's routes.
  let readers: ReturnType<typeof readersOf> | undefined;
  const at = paramsIn(http);
  const status = http.status ?? 200;
  return async (request: Request<Record<string, string>>, response: Response) => {
    const principal = bearer === undefined ? auth.caller(request) : auth.bearer(request, bearer);
    audited.call(request);
    readers ??= readersOf(params, http.path);
    const { inPath, others } = readers;
    const key = http.method === "GET" ? undefined : readIdempotencyKey(request.headers);
    const caller = auth.callerOf(request, principal);
    const given = inPath(request.params);
    const options = {
      gone: () => untilGone(request, response),
      rest: {
        at,
        async read() {
          if (at === "query") return others(checkedQuery(request));
          queryOf(request);
          const body: unknown = await jsonBody(request, response);
          auth.checkStillValid(principal);
          return body;
        },
      },
    };
    const { value: result, replayed = false } =
      key === undefined
        ? { value: await calls.run(caller, name, given, options) }
        : await calls.runOnce(caller, name, given, { ...options, key });
    const headers: Headers = replayed ? { "Idempotency-Replayed": "true" } : {};
    // Nobody reads the response of a caller that is gone.
    if (!response.destroyed) sendJson(response, http.bare ? result : { result }, headers, status);
  };
}

type FromText = (given: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>;

function readersOf(params: z.ZodObject, path: string): { inPath: FromText; others: FromText } {
  const { properties = {} } = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
  const typeOf = (name: string) => {
    const property = properties[name];
    return typeof property === "object" && typeof property.type === "string" ? property.type : undefined;
  };
  const names = pathParams(path);
  const read: FromText = (given) =>
    Object.fromEntries(Object.entries(given).map(([name, text]) => [name, decodeText(text, typeOf(name))]));
  return {
    // Express merges the parameters of parent routers.
    inPath: (given) => read(Object.fromEntries(names.map((name) => [name, given[name] ?? ""]))),
    others: read,
  };
}

/** Converts a path or query parameter to its declared type. Other text stays as it is, for the validation to refuse. */
function decodeText(text: string, type: string | undefined): unknown {
  if (type === "integer" && /^\d{1,15}$/.test(text)) return Number(text);
  if (type === "number" && /^\d{1,15}(\.\d{1,6})?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
