import type { CommandSpec } from "../../../core/commands/command.ts";
import { methodNames, specs } from "../../../core/commands/specs.ts";
import { headerParameter, responses, resultSchema, session } from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

/** `POST remote/command` and the GET shortcuts, from the declarations. */
export function remotePaths(book: SchemaBook): Json {
  return {
    "/v1/sessions/{session_id}/remote/command": { post: commandOperation(book) },
    ...shortcutPaths(book),
  };
}

function commandOperation(book: SchemaBook): Json {
  return {
    operationId: "command",
    tags: ["remote"],
    summary: "Execute a remote command",
    parameters: [
      session,
      headerParameter("X-Service-Timeout", "Seconds to wait for the answer, up to 60.", { type: "number" }),
      headerParameter("Idempotency-Key", "The same key and body within 10 minutes is executed once.", {
        type: "string",
      }),
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            oneOf: methodNames.map((method) => requestSchema(book, method)),
            discriminator: { propertyName: "method" },
          },
          examples: Object.fromEntries(methodNames.map((method) => [method, { value: { method, params: {} } }])),
        },
      },
    },
    responses: responses({
      type: "object",
      required: ["result"],
      properties: {
        result: {
          anyOf: methodNames.map((method) => ({
            title: `${method} result`,
            ...book.schemaOf(`${method}Result`, specs[method].result, "output"),
          })),
        },
      },
    }),
  };
}

function requestSchema(book: SchemaBook, method: (typeof methodNames)[number]): Json {
  const { summary, details, params } = specs[method];
  return {
    title: method,
    description: details === undefined ? summary : `${summary}. ${details}`,
    type: "object",
    required: ["method", "params"],
    additionalProperties: false,
    properties: {
      method: { type: "string", const: method },
      params: { ...book.schemaOf(`${method}Params`, params, "input"), additionalProperties: false },
      target_client_id: { type: "integer", minimum: 0, description: "the client that is to execute it" },
      source_shell_id: { type: "integer", minimum: 0, description: "the shell that the call comes from, for routing" },
    },
  };
}

function shortcutPaths(book: SchemaBook): Json {
  const paths: Json = {};
  for (const method of methodNames) {
    const spec: CommandSpec = specs[method];
    if (spec.shortcut === undefined) continue;
    paths[`/v1/sessions/{session_id}/remote/${spec.shortcut}`] = {
      get: {
        operationId: method,
        tags: ["remote"],
        summary: spec.summary,
        parameters: [
          session,
          {
            name: "client",
            in: "query",
            description: "the client that is to answer",
            schema: { type: "integer", minimum: 0 },
          },
        ],
        responses: responses(resultSchema(book, `${method}Result`, spec.result)),
      },
    };
  }
  return paths;
}
