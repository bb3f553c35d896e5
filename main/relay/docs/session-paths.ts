import { z } from "zod";
import { AuditEntry, AuditQuery } from "../../../core/protocol/audit.ts";
import { RelayEvent } from "../../../core/protocol/events.ts";
import { SessionRecord } from "../../../core/protocol/records.ts";
import { InviteBody } from "../http/invite-routes.ts";
import { PluginBody } from "../http/plugin-routes.ts";
import { Invite } from "../invites/guest-book.ts";
import { headerParameter, jsonBody, pathParameter, responses, resultSchema, session } from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

/** Sessions, their events, plugins and invites. */
export function sessionPaths(book: SchemaBook): Json {
  return {
    "/v1/sessions/{session_id}/events": { get: eventsOperation(book) },
    ...ownPaths(book),
    ...pluginPaths(book),
    ...invitePaths(book),
    ...auditPaths(book),
  };
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

function ownPaths(book: SchemaBook): Json {
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

function auditPaths(book: SchemaBook): Json {
  const words = Object.entries(AuditQuery.shape).map(([name, schema]) => ({
    name,
    in: "query",
    schema: z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
  }));
  return {
    "/v1/audit": {
      get: {
        operationId: "audit",
        tags: ["sessions"],
        summary: "Who did what: every authentication and every changing call, the newest first",
        description: "For keys without restrictions. What may hold secrets is told by its length.",
        parameters: words,
        responses: responses(resultSchema(book, "AuditEntries", z.array(AuditEntry))),
      },
    },
  };
}

function pluginPaths(book: SchemaBook): Json {
  const removed = z.object({ result: z.object({ id: z.string() }) });
  return {
    "/v1/sessions/{session_id}/plugins": {
      post: {
        operationId: "installPlugin",
        tags: ["plugins"],
        summary: "Install or update a plugin",
        security: [{ bearer: ["plugins:install"] }],
        parameters: [session],
        requestBody: jsonBody(book.schemaOf("PluginBody", PluginBody, "input")),
        responses: responses(book.schemaOf("Installed", z.object({ ok: z.literal(true) }), "output")),
      },
      get: {
        operationId: "listPlugins",
        tags: ["plugins"],
        summary: "Installed plugins",
        parameters: [session],
        responses: responses({ type: "object", properties: { result: { type: "array", items: { type: "object" } } } }),
      },
    },
    "/v1/sessions/{session_id}/plugins/{plugin_id}": {
      delete: {
        operationId: "removePlugin",
        tags: ["plugins"],
        summary: "Remove a plugin",
        parameters: [session, pathParameter("plugin_id", "Id of the plugin.")],
        responses: responses(book.schemaOf("RemovedPlugin", removed, "output")),
      },
    },
  };
}

function invitePaths(book: SchemaBook): Json {
  return {
    "/v1/sessions/{session_id}/invites": {
      get: {
        operationId: "listInvites",
        tags: ["sessions"],
        summary: "Invites that can still be used",
        parameters: [session],
        responses: responses(resultSchema(book, "Invites", z.array(Invite))),
      },
      post: {
        operationId: "createInvite",
        tags: ["sessions"],
        summary: "Make a link that lets a browser into the session",
        parameters: [session],
        requestBody: jsonBody(book.schemaOf("InviteBody", InviteBody, "input")),
        responses: responses(
          resultSchema(book, "InviteLink", Invite.extend({ url: z.url(), urls: z.array(z.url()) })),
          "201",
        ),
      },
    },
    "/v1/sessions/{session_id}/invites/{invite_id}": {
      delete: {
        operationId: "revokeInvite",
        tags: ["sessions"],
        summary: "Take an invite back",
        parameters: [session, pathParameter("invite_id", "Id of the invite.")],
        responses: responses(resultSchema(book, "RevokedInvite", z.object({ id: z.string() }))),
      },
    },
  };
}
