import { z } from "zod";
import { AuditEntry, AuditQuery } from "../../../core/protocol/audit.ts";
import { SessionEvent } from "../../../core/protocol/events.ts";
import { OutputEvent } from "../../../core/protocol/output-events.ts";
import { SessionRecord } from "../../../core/protocol/records.ts";
import { Invite } from "../access/invites.ts";
import { EventsQuery } from "../http/event-routes.ts";
import { InviteBody, InviteLink } from "../http/invite-routes.ts";
import { OutputQuery } from "../http/output-routes.ts";
import { PluginBody } from "../http/plugin-routes.ts";
import { CloseQuery, SessionBody } from "../http/session-routes.ts";
import { InstalledPlugin } from "../plugins/plugins.ts";
import {
  headerParameter,
  jsonBody,
  pathParameter,
  queryParameters,
  responses,
  resultSchema,
  session,
} from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

/** Sessions, their events, plugins and invites. */
export function sessionPaths(book: SchemaBook): Json {
  return {
    "/v1/sessions/{session_id}/events": { get: eventsOperation(book) },
    "/v1/sessions/{session_id}/shells/{shell_id}/output": { get: outputOperation(book) },
    ...ownPaths(book),
    ...pluginPaths(book),
    ...invitePaths(book),
    ...auditPaths(book),
  };
}

function eventsOperation(book: SchemaBook): Json {
  return {
    operationId: "events",
    tags: ["sessions"],
    summary: "What happens in the session, as server-sent events",
    description:
      "`Last-Event-ID` resumes after an event; events that are no longer kept are told as a `gap` event. The schema is that of the `data` of one event.",
    parameters: [
      session,
      ...queryParameters(book, EventsQuery),
      headerParameter("Last-Event-ID", "Id of the last event seen.", { type: "string" }),
    ],
    responses: responses({
      schema: book.define("SessionEvent", SessionEvent, "output"),
      type: "text/event-stream",
      description: "A stream of events.",
    }),
  };
}

function outputOperation(book: SchemaBook): Json {
  return {
    operationId: "followOutput",
    tags: ["sessions"],
    summary: "What a shell prints, as server-sent events",
    description:
      "For keys that may call `getShellOutput`. The id of an event is a byte offset. A reader that is too slow is told with `missed` what it has lost. The stream ends with an `end` event when the shell has ended, and with `closed` when its key is no longer valid. The schema is that of the `data` of one event.",
    parameters: [
      session,
      pathParameter("shell_id", "Id of the shell."),
      ...queryParameters(book, OutputQuery),
      headerParameter("Last-Event-ID", "Id of the last event seen, in place of `since`.", { type: "string" }),
    ],
    responses: responses({
      schema: book.define("OutputEvent", OutputEvent, "output"),
      type: "text/event-stream",
      description: "A stream of events.",
    }),
  };
}

function ownPaths(book: SchemaBook): Json {
  const body = jsonBody(book.define("SessionBody", SessionBody, "input"));
  const one = resultSchema(book.define("SessionResult", SessionRecord, "output"));
  return {
    "/v1/sessions": {
      get: {
        operationId: "listSessions",
        tags: ["sessions"],
        summary: "List your sessions",
        description: "Sessions of the key's owner; a shell's token sees its own session only.",
        responses: responses({ schema: resultSchema(book.define("SessionList", z.array(SessionRecord), "output")) }),
      },
      post: {
        operationId: "createSession",
        tags: ["sessions"],
        summary: "Create a session",
        description: "Answers the new session.",
        requestBody: body,
        responses: responses({ schema: one, status: "201" }),
      },
    },
    "/v1/sessions/{session_id}": {
      patch: {
        operationId: "renameSession",
        tags: ["sessions"],
        summary: "Rename a session",
        description: "Answers the session with its new name.",
        parameters: [session],
        requestBody: body,
        responses: responses({ schema: one }),
      },
      delete: {
        operationId: "closeSession",
        tags: ["sessions"],
        summary: "Close a session for good, with its shells",
        description: "Answers what the session was.",
        parameters: [session, ...queryParameters(book, CloseQuery)],
        responses: responses({ schema: one }),
      },
    },
  };
}

function auditPaths(book: SchemaBook): Json {
  return {
    "/v1/audit": {
      get: {
        operationId: "audit",
        tags: ["sessions"],
        summary: "Who did what: every authentication and every changing call, the newest first",
        description: "For keys without restrictions. What may hold secrets is told by its length.",
        parameters: queryParameters(book, AuditQuery),
        responses: responses({ schema: resultSchema(book.define("AuditEntries", z.array(AuditEntry), "output")) }),
      },
    },
  };
}

function pluginPaths(book: SchemaBook): Json {
  const installed = book.define("InstalledPlugin", InstalledPlugin, "output");
  return {
    "/v1/sessions/{session_id}/plugins": {
      post: {
        operationId: "installPlugin",
        tags: ["plugins"],
        summary: "Install or update a plugin",
        description: "The token must have the scope `plugins:install`.",
        security: [{ bearer: [] }],
        parameters: [session],
        requestBody: jsonBody(book.define("PluginBody", PluginBody, "input")),
        responses: responses({ schema: book.define("Installed", z.object({ ok: z.literal(true) }), "output") }),
      },
      get: {
        operationId: "listPlugins",
        tags: ["plugins"],
        summary: "List the installed plugins",
        description: "By their ids.",
        parameters: [session],
        responses: responses({ schema: resultSchema({ type: "array", items: installed }) }),
      },
    },
    "/v1/sessions/{session_id}/plugins/{plugin_id}": {
      delete: {
        operationId: "uninstallPlugin",
        tags: ["plugins"],
        summary: "Remove a plugin",
        description: "Answers what the plugin was.",
        parameters: [session, pathParameter("plugin_id", "Id of the plugin.")],
        responses: responses({ schema: resultSchema(installed) }),
      },
    },
  };
}

function invitePaths(book: SchemaBook): Json {
  const link = book.define("InviteLink", InviteLink, "output");
  return {
    "/v1/sessions/{session_id}/invites": {
      get: {
        operationId: "listInvites",
        tags: ["sessions"],
        summary: "List the invites that can still be used",
        description: "Without their links, which are not kept.",
        parameters: [session],
        responses: responses({ schema: resultSchema(book.define("InviteList", z.array(Invite), "output")) }),
      },
      post: {
        operationId: "createInvite",
        tags: ["sessions"],
        summary: "Make a link that lets a browser into the session",
        description: "The link is told once, here.",
        parameters: [session],
        requestBody: jsonBody(book.define("InviteBody", InviteBody, "input")),
        responses: responses({ schema: resultSchema(link), status: "201" }),
      },
    },
    "/v1/sessions/{session_id}/invites/{invite_id}": {
      delete: {
        operationId: "revokeInvite",
        tags: ["sessions"],
        summary: "Revoke an invite",
        description: "Browsers that came in by it stay.",
        parameters: [session, pathParameter("invite_id", "Id of the invite.")],
        responses: responses({
          schema: resultSchema(book.define("RevokedInvite", z.object({ id: z.string() }), "output")),
        }),
      },
    },
  };
}
