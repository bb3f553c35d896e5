import type { z } from "zod";
import { errorTable } from "../../../core/protocol/errors.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

/** The path parameter that names the session. */
export const session: Json = { $ref: "#/components/parameters/session" };

export function pathParameter(name: string, description: string): Json {
  return { name, in: "path", required: true, description, schema: { type: "string" } };
}

export function headerParameter(name: string, description: string, schema: Json): Json {
  return { name, in: "header", description, schema };
}

export function responses(schema: Json, status = "200"): Json {
  return {
    [status]: { description: "Done.", content: { "application/json": { schema } } },
    default: { $ref: "#/components/responses/Error" },
  };
}

export function errorResponse(): Json {
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

export function resultSchema(book: SchemaBook, name: string, result: z.ZodType): Json {
  return { type: "object", required: ["result"], properties: { result: book.schemaOf(name, result, "output") } };
}

export function jsonBody(schema: Json): Json {
  return { required: true, content: { "application/json": { schema } } };
}
