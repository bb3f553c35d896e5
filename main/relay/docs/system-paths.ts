import { z } from "zod";
import { RestartBody, Restarted, ShellHostState } from "../http/shell-host-routes.ts";
import { jsonBody, responses, resultSchema } from "./openapi-parts.ts";
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
    "/v1/shell-host": {
      get: {
        operationId: "getShellHost",
        tags: ["relay"],
        summary: "How the process that holds the shells is",
        responses: responses(resultSchema(book, "ShellHostState", ShellHostState)),
      },
    },
    "/v1/shell-host/restart": {
      post: {
        operationId: "restartShellHost",
        tags: ["relay"],
        summary: "End the process that holds the shells, even while it hangs, and start another",
        description: "All shells end with it. For unrestricted keys of the relay's owner.",
        requestBody: jsonBody(book.schemaOf("RestartShellHost", RestartBody, "input")),
        responses: responses(resultSchema(book, "RestartedShellHost", Restarted)),
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
