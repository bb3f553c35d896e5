import { z } from "zod";
import { KeyBody, KeyRecord, LoginBody, NewKey } from "../http/key-routes.ts";
import { jsonBody, pathParameter, responses, resultSchema } from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

const PendingLogin = z.object({
  code: z.string(),
  name: z.string(),
  address: z.string(),
  since: z.string(),
  expiresAt: z.string(),
});

/** Keys of the relay's owner, and the logins that wait for them. */
export function keyPaths(book: SchemaBook): Json {
  const key = pathParameter("key", "Id or name of the key.");
  return {
    "/v1/keys": {
      get: {
        operationId: "listKeys",
        tags: ["logins"],
        summary: "List your keys and tokens",
        description: "Without their secrets.",
        responses: responses({ schema: resultSchema(book.define("KeyList", z.array(KeyRecord), "output")) }),
      },
      post: {
        operationId: "createKey",
        tags: ["logins"],
        summary: "Make an API key; its secret is shown once",
        description: "For keys of the relay's owner without restrictions, as all that concerns keys.",
        requestBody: jsonBody(book.define("KeyBody", KeyBody, "input")),
        responses: responses({ schema: resultSchema(book.define("NewKey", NewKey, "output")), status: "201" }),
      },
    },
    "/v1/keys/{key}": {
      parameters: [key],
      delete: {
        operationId: "revokeKey",
        tags: ["logins"],
        summary: "Revoke a key or a token",
        description: "Answers what it was.",
        responses: responses({ schema: resultSchema(book.define("Key", KeyRecord, "output")) }),
      },
    },
    "/v1/logins": {
      get: {
        operationId: "listLogins",
        tags: ["logins"],
        summary: "List the programs that wait to be logged in",
        description: "With the codes that they show.",
        responses: responses({ schema: resultSchema(book.define("PendingLogins", z.array(PendingLogin), "output")) }),
      },
    },
    "/v1/logins/{code}": {
      parameters: [pathParameter("code", "The code that the program shows.")],
      post: {
        operationId: "answerLogin",
        tags: ["logins"],
        summary: "Allow or deny a login",
        description: "By the code that the program shows.",
        requestBody: jsonBody(book.define("LoginBody", LoginBody, "input")),
        responses: responses({
          schema: resultSchema(book.define("AnsweredLogin", z.object({ allowed: z.boolean() }), "output")),
        }),
      },
    },
  };
}
