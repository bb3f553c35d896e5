import type { CommandSpec } from "../../../core/commands/command.ts";
import { type MethodName, methodNames, specs } from "../../../core/commands/specs.ts";
import { MAX_COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import { ClientQuery } from "../http/query.ts";
import { exampleOf } from "./example-of.ts";
import { headerParameter, queryParameters, responses, resultSchema, session } from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";
import { withAliases } from "./with-aliases.ts";

/** `POST remote/command` and the GET shortcuts, from the declarations. */
export function remotePaths(book: SchemaBook): Json {
  const methods = methodNames.map((method) => described(book, method));
  return {
    "/v1/sessions/{session_id}/remote/command": { post: commandOperation(book, methods) },
    ...shortcutPaths(book, methods),
  };
}

/** What is known of a method: references to its schemas. */
interface Described {
  readonly method: MethodName;
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

function described(book: SchemaBook, method: MethodName): Described {
  const { toAll }: CommandSpec = specs[method];
  const name = method.charAt(0).toUpperCase() + method.slice(1);
  const schema: Json = {
    ...book.schemaOf(`${name}Params`, specs[method].params, "input"),
    additionalProperties: false,
  };
  const params = book.add(`${name}Params`, schema);
  const spellings = withAliases(schema);
  const accepted =
    spellings === undefined ? params : { anyOf: [params, book.add(`${name}ParamsInEitherSpelling`, spellings)] };
  const result = book.define(`${name}Result`, specs[method].result, "output");
  return {
    method,
    params,
    request: book.add(`${name}Request`, requestSchema(method, accepted)),
    result,
    ...(toAll === true
      ? {
          resultOfAll: book.add(
            `${name}ResultOfAll`,
            listByClient(book.schemaOf(name, specs[method].result, "output")),
          ),
        }
      : {}),
    example: { method, params: exampleOf(schema) },
  };
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

function requestSchema(method: MethodName, params: Json): Json {
  const { summary, details, untargeted, toAll }: CommandSpec = specs[method];
  const one = { type: "integer", minimum: 0 };
  const target =
    toAll === true
      ? {
          anyOf: [one, { type: "string", const: "all" }],
          description:
            "The client that is to execute it. `all`: every client of the caller's own user; the result is then a list with one of each.",
        }
      : { ...one, description: "The client that is to execute it." };
  return {
    description: details === undefined ? `${summary}.` : `${summary}. ${details}`,
    type: "object",
    required: ["method", "params"],
    additionalProperties: false,
    properties: {
      method: { type: "string", const: method },
      params,
      ...(untargeted === true ? {} : { target_client_id: target }),
      source_shell_id: { type: "integer", minimum: 0, description: "The shell that the call comes from, for routing." },
    },
  };
}

function commandOperation(book: SchemaBook, methods: readonly Described[]): Json {
  return {
    operationId: "command",
    "x-methods": book.add("CommandMethods", methodsSchema(methods)),
    tags: ["remote"],
    summary: "Execute a remote command",
    description:
      "`method` says what `params` are and what `result` is: the schema `CommandMethods` has both for every method, so that `CommandMethods[method].params` and `CommandMethods[method].result` are the types of a call.",
    parameters: [
      session,
      timeoutHeader,
      headerParameter("Idempotency-Key", "The same key and body within 10 minutes is executed once.", {
        type: "string",
        minLength: 1,
        maxLength: 255,
      }),
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: book.add("CommandRequest", requestOf(methods)),
          examples: Object.fromEntries(
            methods.map(({ method, example }) => [method, { summary: specs[method].summary, value: example }]),
          ),
        },
      },
    },
    responses: responses({
      schema: book.add(
        "CommandAnswer",
        resultSchema({ anyOf: methods.flatMap(({ result, resultOfAll = [] }) => [result].concat(resultOfAll)) }),
      ),
      headers: { ...hit, "Idempotency-Replayed": false },
      description: "The result of the method: see `CommandMethods`.",
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

function shortcutPaths(book: SchemaBook, methods: readonly Described[]): Json {
  const paths: Json = {};
  for (const { method, result } of methods) {
    const { shortcut, summary, details }: CommandSpec = specs[method];
    if (shortcut === undefined) continue;
    paths[`/v1/sessions/{session_id}/remote/${shortcut}`] = {
      get: {
        operationId: method,
        tags: ["remote"],
        summary,
        description: details ?? `As the method \`${method}\`.`,
        parameters: [session, timeoutHeader, ...queryParameters(book, ClientQuery)],
        responses: responses({ schema: resultSchema(result), headers: hit }),
      },
    };
  }
  return paths;
}
