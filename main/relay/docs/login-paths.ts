import { z } from "zod";
import { oauthRefusal, responses } from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

/** Logging in (RFC 8628), bearer tokens and giving keys back. */
export function loginPaths(book: SchemaBook): Json {
  return {
    "/v1/oauth/device_authorization": {
      post: {
        operationId: "beginLogin",
        tags: ["keys"],
        summary: "Ask the user of this machine for a key (RFC 8628)",
        description: "Begins the device grant; `token` is then asked for the key.",
        security: [],
        requestBody: form(book, "BeginLogin", BeginLogin),
        responses: oauthResponses(book, "BegunLogin", BegunLogin),
      },
    },
    "/v1/oauth/token": {
      post: {
        operationId: "requestToken",
        tags: ["keys"],
        summary: "The key of a login that was allowed; or, with an API key, a bearer token",
        description: "By the device grant, or by client credentials with `X-Service-Token`.",
        security: [{}, { apiKey: [] }],
        requestBody: form(book, "TokenRequest", TokenRequest),
        responses: oauthResponses(book, "Token", Token),
      },
    },
    "/v1/oauth/revoke": {
      post: {
        operationId: "revokeToken",
        tags: ["keys"],
        summary: "End a key or token (RFC 7009)",
        description: "The secret itself is the credential. One that is unknown counts as ended.",
        security: [],
        requestBody: form(book, "RevokeRequest", z.object({ token: z.string() })),
        responses: oauthResponses(book, "Revoked", z.object({})),
      },
    },
  };
}

const BeginLogin = z.object({
  client_id: z.string().describe("the program's own name for itself"),
  device_name: z.string().optional().describe("shown to the user: which program on which machine"),
});

const BegunLogin = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.url(),
  expires_in: z.int().describe("seconds"),
  interval: z.int().describe("seconds between two questions"),
});

const TokenRequest = z.object({
  grant_type: z.enum(["urn:ietf:params:oauth:grant-type:device_code", "client_credentials"]),
  device_code: z.string().optional().describe("of the device grant"),
  client_id: z.string().optional().describe("of the device grant"),
  scope: z.string().optional().describe("of client_credentials: scopes, separated by spaces"),
  expires_in: z.int().optional().describe("of client_credentials: seconds that the token is good"),
});

const Token = z.object({
  access_token: z.string(),
  token_type: z.enum(["X-Service-Token", "Bearer"]).describe("the header that takes it"),
  expires_in: z.int().optional(),
  scope: z.string().optional(),
  user: z.string().optional(),
  key_id: z.string().optional(),
});

const Refusal = z.object({ error: z.string(), error_description: z.string() });

function form(book: SchemaBook, name: string, fields: z.ZodType): Json {
  const schema = book.define(name, fields, "input");
  return { required: true, content: { "application/x-www-form-urlencoded": { schema } } };
}

function oauthResponses(book: SchemaBook, name: string, answer: z.ZodType): Json {
  const refusal = oauthRefusal(book.define("OAuthError", Refusal, "output"));
  const { "200": done, "405": wrongMethod } = responses({ schema: book.define(name, answer, "output") });
  return { "200": done, "405": wrongMethod, "4XX": refusal, "5XX": refusal };
}
