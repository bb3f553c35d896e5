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
        summary: "Your keys and tokens",
        responses: responses(resultSchema(book, "Keys", z.array(KeyRecord))),
      },
      post: {
        operationId: "createKey",
        tags: ["logins"],
        summary: "Make an API key; its secret is shown once",
        requestBody: jsonBody(book.schemaOf("KeyBody", KeyBody, "input")),
        responses: responses(resultSchema(book, "NewKey", NewKey), "201"),
      },
    },
    "/v1/keys/{key}": {
      parameters: [key],
      delete: {
        operationId: "revokeKey",
        tags: ["logins"],
        summary: "End a key or a token",
        responses: responses(resultSchema(book, "Key", KeyRecord)),
      },
    },
    "/v1/logins": {
      get: {
        operationId: "listLogins",
        tags: ["logins"],
        summary: "Programs that wait to be let in",
        responses: responses(resultSchema(book, "Logins", z.array(PendingLogin))),
      },
    },
    "/v1/logins/{code}": {
      parameters: [pathParameter("code", "The code that the program shows.")],
      post: {
        operationId: "answerLogin",
        tags: ["logins"],
        summary: "Allow or deny a login",
        requestBody: jsonBody(book.schemaOf("LoginBody", LoginBody, "input")),
        responses: responses(resultSchema(book, "AnsweredLogin", z.object({ allowed: z.boolean() }))),
      },
    },
  };
}
