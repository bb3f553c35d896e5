import { z } from "zod";
import type { CommandSpec } from "../../../core/commands/command.ts";
import { methodNames, specs } from "../../../core/commands/specs.ts";
import { errorTable } from "../../../core/protocol/errors.ts";
import { RelayEvent } from "../../../core/protocol/events.ts";
import { SessionRecord } from "../../../core/protocol/records.ts";
import { type Json, SchemaBook } from "./schema-book.ts";

/** The OpenAPI 3.1 document of a relay, made from the declarations: nothing about a command is written here. */
export function openApiDocument({ url, version }: { url: string; version: string }): Json {
  const book = new SchemaBook();
  const paths = {
    "/v1/sessions/{session_id}/remote/command": { post: commandOperation(book) },
    ...shortcutPaths(book),
    "/v1/sessions/{session_id}/events": { get: eventsOperation(book) },
    ...sessionPaths(book),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Patchbay",
      version,
      license: { name: "MIT", identifier: "MIT" },
      description:
        "Controls live terminal sessions. A command is executed by a connected client of the session; without one the answer is 504 after the timeout. Errors are one sentence as text/plain, with a stable code in the header `X-Service-Error`.",
    },
    servers: [{ url }],
    tags: tags(),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-Service-Token" },
        bearer: { type: "http", scheme: "bearer" },
      },
      parameters: { session: pathParameter("session_id", "Id of the session.") },
      responses: { Error: errorResponse() },
      schemas: book.shared,
    },
    security: [{ apiKey: [] }],
  };
}

const session = { $ref: "#/components/parameters/session" };

function tags(): Json[] {
  const areas = [...new Set(methodNames.map((method) => specs[method].area))];
  return [
    { name: "remote", description: "The universal command endpoint and the read shortcuts." },
    { name: "sessions", description: "Sessions themselves, and their events." },
    { name: "methods", description: `${methodNames.length} methods, by area: ${areas.join(", ")}.\n\n${methodList()}` },
  ];
}

function methodList(): string {
  const rows = methodNames.map((method) => {
    const { summary, role, scope } = specs[method];
    return `| \`${method}\` | ${role} | ${scope} | ${summary} |`;
  });
  return `| method | role | scope | |\n|---|---|---|---|\n${rows.join("\n")}`;
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

function eventsOperation(book: SchemaBook): Json {
  const types = RelayEvent.options.map((option) => option.shape.type.value);
  return {
    operationId: "events",
    tags: ["sessions"],
    summary: "What happens in the session, as server-sent events",
    description: "`Last-Event-ID` resumes after an event; events that are no longer kept are told as a `gap` event.",
    parameters: [
      session,
      {
        name: "types",
        in: "query",
        description: `only these, separated by commas: ${types.join(", ")}`,
        schema: { type: "string" },
      },
      {
        name: "follow",
        in: "query",
        description: "`false` ends after the events that are kept",
        schema: { type: "string", enum: ["true", "false"] },
      },
      headerParameter("Last-Event-ID", "Id of the last event seen.", { type: "string" }),
    ],
    responses: {
      "200": {
        description: "A stream of events.",
        content: { "text/event-stream": { schema: book.schemaOf("Event", RelayEvent, "output") } },
      },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

function sessionPaths(book: SchemaBook): Json {
  const body = {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string", minLength: 1, maxLength: 200 } },
        },
      },
    },
  };
  const one = responses(resultSchema(book, "Session", SessionRecord));
  return {
    "/v1/sessions": {
      get: {
        operationId: "listSessions",
        tags: ["sessions"],
        summary: "Your sessions",
        responses: responses(resultSchema(book, "Sessions", z.array(SessionRecord))),
      },
      post: {
        operationId: "createSession",
        tags: ["sessions"],
        summary: "Create a session",
        requestBody: body,
        responses: responses(resultSchema(book, "Session", SessionRecord), "201"),
      },
    },
    "/v1/sessions/{session_id}": {
      patch: {
        operationId: "renameSession",
        tags: ["sessions"],
        summary: "Rename a session",
        parameters: [session],
        requestBody: body,
        responses: one,
      },
      delete: {
        operationId: "closeSession",
        tags: ["sessions"],
        summary: "Close a session for good, with its shells",
        parameters: [session],
        responses: one,
      },
    },
  };
}

function resultSchema(book: SchemaBook, name: string, result: z.ZodType): Json {
  return { type: "object", required: ["result"], properties: { result: book.schemaOf(name, result, "output") } };
}

function responses(schema: Json, status = "200"): Json {
  return {
    [status]: { description: "Done.", content: { "application/json": { schema } } },
    default: { $ref: "#/components/responses/Error" },
  };
}

function errorResponse(): Json {
  const rows = Object.entries(errorTable).map(([code, [status, when]]) => `| ${status} | \`${code}\` | ${when} |`);
  return {
    description: `One sentence: what was wrong, and what would be right.\n\n| status | code | when |\n|---|---|---|\n${rows.join("\n")}`,
    headers: {
      "X-Service-Error": {
        description: "Stable code of the error.",
        schema: { type: "string", enum: Object.keys(errorTable) },
      },
    },
    content: { "text/plain": { schema: { type: "string" } } },
  };
}

function pathParameter(name: string, description: string): Json {
  return { name, in: "path", required: true, description, schema: { type: "string" } };
}

function headerParameter(name: string, description: string, schema: Json): Json {
  return { name, in: "header", description, schema };
}
