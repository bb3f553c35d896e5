import { z } from "zod";
import { responses } from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

const Health = z.object({ ok: z.literal(true), version: z.string() });

/** The relay itself: whether it is up, and how it fares. */
export function systemPaths(book: SchemaBook): Json {
  return {
    "/v1/health": {
      get: {
        operationId: "health",
        tags: ["relay"],
        summary: "Whether the relay is up, and its version",
        security: [],
        responses: responses(book.schemaOf("Health", Health, "output")),
      },
    },
    "/v1/metrics": {
      get: {
        operationId: "metrics",
        tags: ["relay"],
        summary: "Figures of the relay in Prometheus' text format, for its owner's unrestricted keys",
        responses: {
          "200": { description: "The figures.", content: { "text/plain": { schema: { type: "string" } } } },
          default: { $ref: "#/components/responses/Error" },
        },
      },
    },
  };
}
