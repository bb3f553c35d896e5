import type { z } from "zod";
import { methodNames, specs } from "../../../core/commands/specs.ts";
import { pathParams } from "../../../core/operations/operation.ts";
import { listProcedures, type Procedure } from "../../../core/procedures/index.ts";
import { MAX_COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import { ClientQuery } from "../http/query.ts";
import { exampleOf } from "./example-of.ts";
import {
  headerParameter,
  idempotencyHeader,
  queryParameters,
  responses,
  resultSchema,
  session,
} from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";
import { withAliases } from "./with-aliases.ts";

/** `POST remote/command` and the GET shortcuts, from the declarations. */
export function remotePaths(book: SchemaBook): Json {
  const methods = listProcedures().map((procedure) => described(book, procedure));
  return {
    "/v1/sessions/{session_id}/remote/command": { post: commandOperation(book, methods) },
    ...shortcutPaths(book),
  };
}

/** What is known of a method: references to its schemas. */
interface Described {
  readonly method: string;
  readonly summary: string;
  readonly request: Json;
  readonly params: Json;
  readonly result: Json;
  /** What `target_client_id: "all"` answers; absent where it is refused. */
  readonly resultOfAll?: Json;
  readonly example: Json;
}

const timeoutHeader = headerParameter("X-Service-Timeout", "Seconds to wait for the answer; default: 10.", {
  type: "number",
  exclusiveMinimum: 0,
  maximum: MAX_COMMAND_TIMEOUT_MS / 1000,
});

/** Headers of an answer that a client gave. */
const hit = { "X-Service-Client": true, "X-Service-Tile": false, "X-Service-Shell": false } as const;

function described(book: SchemaBook, procedure: Procedure): Described {
  const { name: method, spec } = procedure;
  const { summary } = spec;
  const name = typeName(method);
  const schema: Json = { ...book.schemaOf(`${name}Params`, paramsOf(procedure), "input"), additionalProperties: false };
  const params = book.add(`${name}Params`, schema);
  const spellings = withAliases(schema);
  const accepted =
    spellings === undefined ? params : { anyOf: [params, book.add(`${name}ParamsInEitherSpelling`, spellings)] };
  const isForAll = procedure.kind === "command" && procedure.spec.toAll === true;
  return {
    ...{ method, summary, params },
    request: book.add(
      `${name}${procedure.kind === "command" ? "Request" : "Call"}`,
      requestSchema(procedure, accepted),
    ),
    result: resultOf(book, procedure),
    ...(isForAll
      ? { resultOfAll: book.add(`${name}ResultOfAll`, listByClient(book.schemaOf(name, spec.result, "output"))) }
      : {}),
    example: { method, params: exampleOf(schema) },
  };
}

function typeName(method: string): string {
  return method.charAt(0).toUpperCase() + method.slice(1);
}

/** Operations have the results of their own paths. */
function resultOf(book: SchemaBook, { kind, name, spec }: Procedure): Json {
  return book.define(`${typeName(name)}${kind === "command" ? "Result" : "Response"}`, spec.result, "output");
}

/** The parameters as the call takes them: the session is that of the path. */
function paramsOf({ kind, spec }: Procedure): z.ZodObject {
  const isInSession = kind === "operation" && pathParams(spec.http.path).includes("session");
  return isInSession ? spec.params.partial({ session: true }) : spec.params;
}

function listByClient({ required = [], properties = {}, ...result }: Json): Json {
  const clientId = { type: "integer", minimum: 1 };
  const failure = {
    type: "object",
    additionalProperties: false,
    required: ["clientId", "error", "message"],
    properties: { clientId, error: { type: "string" }, message: { type: "string" } },
  };
  const success = {
    ...result,
    required: ["clientId"].concat(required as string[]),
    properties: { clientId, ...(properties as Json) },
  };
  return { description: "One of each client.", type: "array", items: { anyOf: [success, failure] } };
}

function requestSchema(procedure: Procedure, params: Json): Json {
  const { name: method, spec } = procedure;
  const { summary, details } = spec;
  return {
    description: details === undefined ? `${summary}.` : `${summary}. ${details}`,
    type: "object",
    required: ["method", "params"],
    additionalProperties: false,
    properties: {
      method: { type: "string", const: method },
      params,
      ...(procedure.kind === "operation" || procedure.spec.untargeted === true
        ? {}
        : { target_client_id: targetSchema(procedure.spec.toAll) }),
      source_shell_id: { type: "integer", minimum: 0, description: "The shell that the call comes from, for routing." },
    },
  };
}

function targetSchema(toAll: true | undefined): Json {
  const one = { type: "integer", minimum: 0 };
  if (toAll !== true) return { ...one, description: "The client that is to execute it." };
  return {
    anyOf: [one, { type: "string", const: "all" }],
    description:
      "The client that is to execute it. `all`: every client of the caller's own user; the result is then a list with one of each.",
  };
}

function commandOperation(book: SchemaBook, methods: readonly Described[]): Json {
  return {
    operationId: "command",
    "x-methods": book.add("CommandMethods", methodsSchema(methods)),
    tags: ["remote"],
    summary: "Execute a remote command",
    description:
      "`method` is the name of a command or an operation, and says what `params` are and what `result` is: the schema `CommandMethods` has both for every method, so that `CommandMethods[method].params` and `CommandMethods[method].result` are the types of a call.",
    parameters: [session, timeoutHeader, idempotencyHeader],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: book.add("CommandRequest", requestOf(methods)),
          examples: Object.fromEntries(
            methods.map(({ method, summary, example }) => [method, { summary, value: example }]),
          ),
        },
      },
    },
    responses: responses({
      schema: book.add(
        "CommandAnswer",
        resultSchema({ anyOf: methods.flatMap(({ result, resultOfAll = [] }) => [result].concat(resultOfAll)) }),
      ),
      headers: { ...hit, "X-Service-Client": false, "Idempotency-Replayed": false },
      description: "The result of the method: see `CommandMethods`. An operation names no client.",
    }),
  };
}

function requestOf(methods: readonly Described[]): Json {
  return {
    oneOf: methods.map(({ request }) => request),
    discriminator: {
      propertyName: "method",
      mapping: Object.fromEntries(methods.map(({ method, request }) => [method, request.$ref])),
    },
  };
}

/** Never sent: it ties every method to its parameters and its result, which OpenAPI has no words for. */
function methodsSchema(methods: readonly Described[]): Json {
  const pair = ({ params, result }: Described) => ({
    type: "object",
    required: ["params", "result"],
    additionalProperties: false,
    properties: { params, result },
  });
  return {
    description: "Parameters and result of every method. It is not sent anywhere; generators make types of it.",
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(methods.map((known) => [known.method, pair(known)])),
    required: methods.map(({ method }) => method),
  };
}

function shortcutPaths(book: SchemaBook): Json {
  const paths: Json = {};
  for (const method of methodNames) {
    const { shortcut, summary, details, result } = specs[method];
    if (shortcut === undefined) continue;
    const schema = book.define(`${typeName(method)}Result`, result, "output");
    paths[`/v1/sessions/{session_id}/remote/${shortcut}`] = {
      get: {
        operationId: method,
        tags: ["remote"],
        summary,
        description: details ?? `As the method \`${method}\`.`,
        parameters: [session, timeoutHeader, ...queryParameters(book, ClientQuery)],
        responses: responses({ schema: resultSchema(schema), headers: hit }),
      },
    };
  }
  return paths;
}
