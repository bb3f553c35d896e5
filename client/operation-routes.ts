import { type OperationName, operations } from "../core/operations/index.ts";
import { type HttpForm, type OperationSpec, pathParams } from "../core/operations/operation.ts";

/** The request that calls an operation, as plain data. */
export interface OperationRoute {
  readonly http: HttpForm;
  /** Authenticates with a bearer token, in place of an API key. */
  readonly isBearer: boolean;
  /** It acts on one session. */
  readonly inSession: boolean;
}

/** Returns the request of an operation. The build may replace this module by the requests as data (see prebuilt-table.ts). */
export function routeOf(name: OperationName): OperationRoute {
  const { http, bearer }: OperationSpec = operations[name];
  return { http, isBearer: bearer !== undefined, inSession: pathParams(http.path).includes("session") };
}
