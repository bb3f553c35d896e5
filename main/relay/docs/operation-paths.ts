import { z } from "zod";
import { operationAreas } from "../../../core/operations/index.ts";
import { type OperationSpec, paramsIn, pathParams, splitParams } from "../../../core/operations/operation.ts";
import {
  idempotencyHeader,
  jsonBody,
  pathParameter,
  queryParameters,
  responses,
  resultSchema,
  session,
} from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

/** The paths of all operations, made from their declarations. */
export function operationPaths(book: SchemaBook): Json {
  const paths: Record<string, Json> = {};
  for (const [area, { operations }] of Object.entries(operationAreas)) {
    for (const [name, spec] of Object.entries<OperationSpec>(operations)) {
      const { http } = spec;
      const path = `/v1/${http.path.replace(/:([A-Za-z]+)/g, (_, param: string) => `{${nameInPath(param)}}`)}`;
      paths[path] = { ...paths[path], [http.method.toLowerCase()]: operationObject(book, { name, area, spec }) };
    }
  }
  return paths;
}

interface Named {
  readonly name: string;
  readonly area: string;
  readonly spec: OperationSpec;
}

function operationObject(book: SchemaBook, { name, area, spec }: Named): Json {
  const { summary, details = "", params, result, bearer, http } = spec;
  const { others } = splitParams(spec);
  const hasOthers = Object.keys(others.shape).length > 0;
  const inQuery = paramsIn(http) === "query";
  const parameters = [
    ...pathParams(http.path).map((param) =>
      param === "session" ? session : pathParameter(nameInPath(param), describe(params, param)),
    ),
    ...(inQuery && hasOthers ? queryParameters(book, others) : []),
    ...(http.method === "GET" ? [] : [idempotencyHeader]),
  ];
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const schema = book.define(`${type}Response`, result, "output");
  return {
    operationId: name,
    tags: [area],
    summary,
    description: details,
    ...(bearer === undefined ? {} : { security: [{ bearer: [] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(inQuery || !hasOthers ? {} : { requestBody: jsonBody(book.define(`${type}Request`, others, "input")) }),
    responses: responses({
      schema: http.bare ? schema : resultSchema(schema),
      ...(http.status === undefined ? {} : { status: `${http.status}` }),
      ...(http.method === "GET" ? {} : { headers: { "Idempotency-Replayed": false } }),
    }),
  };
}

/** `session` as the specification names it: `session_id`. */
function nameInPath(param: string): string {
  return ["session", "plugin", "invite"].includes(param) ? `${param}_id` : param;
}

function describe(params: z.ZodObject, name: string): string {
  const field = params.shape[name];
  return field instanceof z.ZodType ? (field.description ?? "") : "";
}
