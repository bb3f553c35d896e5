import { type OperationName, operations } from "../core/operations/index.ts";
import { type HttpForm, type OperationSpec, pathParams, usualWait } from "../core/operations/operation.ts";

/** The request that calls an operation, as plain data. */
export interface OperationRoute {
  readonly http: HttpForm;
  /** Authenticates with a bearer token, in place of an API key. */
  readonly isBearer: boolean;
  /** It acts on one session. */
  readonly inSession: boolean;
  /** Result of `usualWait`. */
  readonly usualWait: number;
}

/** Returns the request of an operation. The build may replace this module by the requests as data (see prebuilt-table.ts). */
export function routeOf(name: OperationName): OperationRoute {
  const spec: OperationSpec = operations[name];
  const { http, bearer } = spec;
  const inSession = pathParams(http.path).includes("session");
  return { http, isBearer: bearer !== undefined, inSession, usualWait: usualWait(spec) };
}
