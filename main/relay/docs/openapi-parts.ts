import type { z } from "zod";
import { errorTable } from "../../../core/protocol/errors.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

/** The path parameter that names the session. */
export const session: Json = { $ref: "#/components/parameters/session" };

export function pathParameter(name: string, description: string): Json {
  return { name, in: "path", required: true, description, schema: { type: "string" } };
}

export function headerParameter(name: string, description: string, schema: Json): Json {
  return { name, in: "header", required: false, description, schema };
}

/** The header of a request that changes something, and may be repeated. */
export const idempotencyHeader = headerParameter(
  "Idempotency-Key",
  "The same key and body within 10 minutes is executed once.",
  { type: "string", minLength: 1, maxLength: 255 },
);

/** One parameter a key of the query's declaration. */
export function queryParameters(book: SchemaBook, query: z.ZodObject): Json[] {
  const { properties = {}, required: needed = [] } = book.schemaOf("Query", query, "input");
  return Object.entries(properties as Json).map(([name, property]) => {
    const { description, ...schema } = property as Json;
    const required = (needed as readonly string[]).includes(name);
    return { name, in: "query", required, ...(description === undefined ? {} : { description }), schema };
  });
}

/** Headers of an answer: true for those that are always there. */
type Headers = Readonly<Partial<Record<ResponseHeader, boolean>>>;

/** What an operation may answer beside its refusals. */
interface Answer {
  readonly schema: Json;
  readonly status?: "200" | "201";
  readonly type?: string;
  readonly headers?: Headers;
  readonly description?: string;
}

/** Responses of an operation: its answer, and the refusals, which are the same everywhere. */
export function responses({ schema, status = "200", type = "application/json", headers = {}, ...more }: Answer): Json {
  return {
    [status]: answer({ schema, type, headers: { ...headers, ...ofFleets, ...ofAwayRelays }, ...more }),
    ...refusals,
  };
}

function answer({ schema, type = "application/json", headers = {}, description = "Done." }: Answer): Json {
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers: headersOf(headers) }),
    content: { [type]: { schema } },
  };
}

/** Headers that answers carry. */
const responseHeaders = {
  "X-Service-Client": header(
    "Id of the client that executed the command, or refused it; the first of them where it was for all.",
    { type: "integer" },
  ),
  "X-Service-Tile": header("Key of the tile that the command made or acted on, or would have.", { type: "integer" }),
  "X-Service-Shell": header("Id of the shell that the command made or acted on, or would have.", { type: "integer" }),
  "X-Service-Error": header("Stable code of the error, for programs.", {
    type: "string",
    enum: Object.keys(errorTable),
  }),
  "X-Service-Relay": header(
    "Name of the relay that serves the session, where the relay is in a fleet (docs/fleet.md).",
    {
      type: "string",
    },
  ),
  "X-Service-Away-Since": header(
    "The relay of the session is away since then, and another one answers with what is kept (docs/fleet.md).",
    { type: "string", format: "date-time" },
  ),
  "Idempotency-Replayed": header("The request was executed before; this is the answer of that time.", {
    type: "string",
    const: "true",
  }),
  "Retry-After": header("Seconds after which to try again.", { type: "string", pattern: "^[0-9]+$" }),
  Allow: header("Methods that the path takes, separated by commas.", { type: "string" }),
  "WWW-Authenticate": header("The scheme of the credential that is wanted.", { type: "string" }),
} as const satisfies Record<string, Json>;

type ResponseHeader = keyof typeof responseHeaders;

function header(description: string, schema: Json): Json {
  return { description, schema };
}

function headersOf(headers: Headers): Json {
  const names = Object.keys(headers) as ResponseHeader[];
  return Object.fromEntries(names.map((name) => [name, { required: headers[name], ...responseHeaders[name] }]));
}

const refusals: Json = {
  "401": { $ref: "#/components/responses/Unauthenticated" },
  "405": { $ref: "#/components/responses/WrongMethod" },
  "429": { $ref: "#/components/responses/TooMany" },
  "4XX": { $ref: "#/components/responses/Refused" },
  "5XX": { $ref: "#/components/responses/Failed" },
};

/** `components.responses`: every refusal is one sentence as text, with its code in a header. */
export function refusalResponses(): Json {
  return {
    Unauthenticated: refusal((status) => status === 401, { "WWW-Authenticate": true }),
    WrongMethod: refusal((status) => status === 405, { Allow: true }),
    TooMany: refusal((status) => status === 429, { "Retry-After": false, ...ofCommands }),
    Refused: refusal((status) => status >= 400 && status < 500 && ![401, 405, 429].includes(status), ofCommands),
    Failed: refusal((status) => status >= 500, ofCommands),
  };
}

/** A relay in a fleet says which relay answers for a session. */
const ofFleets = { "X-Service-Relay": false } as const;

/** Where another relay answers for one that is away. */
const ofAwayRelays = { "X-Service-Away-Since": false } as const;

/** A command may be refused by the client that was asked, and the refusal kept for its `Idempotency-Key`. */
const ofCommands = {
  "X-Service-Client": false,
  "X-Service-Tile": false,
  "X-Service-Shell": false,
  "Idempotency-Replayed": false,
} as const;

function refusal(fits: (status: number) => boolean, more: Headers): Json {
  const rows = Object.entries(errorTable).filter(([, [status]]) => fits(status));
  const code = {
    ...responseHeaders["X-Service-Error"],
    required: true,
    schema: { type: "string", enum: rows.map(([name]) => name) },
  };
  const table = rows.map(([name, [status, when]]) => `| ${status} | \`${name}\` | ${when} |`);
  return {
    description: `One sentence: what was wrong, and what would be right.\n\n| status | code | when |\n|---|---|---|\n${table.join("\n")}`,
    headers: { "X-Service-Error": code, ...headersOf({ ...more, ...ofFleets }) },
    content: { "text/plain": { schema: { type: "string" } } },
  };
}

/** A refusal in the words of OAuth, which is JSON. */
export function oauthRefusal(schema: Json): Json {
  return answer({
    schema,
    description: "A refusal by its name in RFC 6749 §5.2 or RFC 8628 §3.5.",
    headers: { "X-Service-Error": false, "WWW-Authenticate": false, "Retry-After": false },
  });
}

/** `{ result }`, as every answer of the relay's own carries it. */
export function resultSchema(result: Json): Json {
  return { type: "object", required: ["result"], additionalProperties: false, properties: { result } };
}

export function jsonBody(schema: Json): Json {
  return { required: true, content: { "application/json": { schema } } };
}
