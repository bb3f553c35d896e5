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
        description: "Needs no key.",
        responses: responses({ schema: book.define("Health", Health, "output") }),
      },
    },
    "/v1/openapi.json": {
      get: {
        operationId: "openapi",
        tags: ["relay"],
        summary: "This description",
        description: "OpenAPI 3.1. Needs no key; `/v1/docs` is a readable page of it.",
        security: [],
        responses: responses({ schema: { type: "object" }, description: "The description." }),
      },
    },
    "/v1/metrics": {
      get: {
        operationId: "metrics",
        tags: ["relay"],
        summary: "Figures of the relay in Prometheus' text format",
        description: "For keys of the relay's owner without restrictions.",
        responses: responses({ schema: { type: "string" }, type: "text/plain", description: "The figures." }),
      },
    },
  };
}
