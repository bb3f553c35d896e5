import { SessionEvent } from "../../../core/protocol/events.ts";
import { OutputEvent } from "../../../core/protocol/output-events.ts";
import { OverviewEvent } from "../../../core/protocol/overview-changes.ts";
import { Admission } from "../http/admit-client.ts";
import { EventsQuery } from "../http/event-routes.ts";
import { OutputQuery } from "../http/output-routes.ts";
import { headerParameter, pathParameter, queryParameters, responses, resultSchema, session } from "./openapi-parts.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

/** The streams of the relay and of a session. */
export function streamPaths(book: SchemaBook): Json {
  return {
    "/v1/overview/changes": { get: overviewChangesOperation(book) },
    "/v1/sessions/{session_id}/events": { get: eventsOperation(book) },
    "/v1/sessions/{session_id}/shells/{shell_id}/output": { get: outputOperation(book) },
    "/v1/sessions/{session_id}/socket": { get: socketOperation(book) },
  };
}

function overviewChangesOperation(book: SchemaBook): Json {
  return {
    operationId: "overviewChanges",
    tags: ["relay"],
    summary: "Which parts of the overview have changed, as server-sent events",
    description:
      "For the relay's owner, with a key without restrictions. At most one event a second, which names what to read again with `getOverview`. There is nothing to resume: read the overview once when the stream begins. The stream ends with `closed` when its key is no longer valid. The schema is that of the `data` of one event.",
    responses: responses({
      schema: book.define("OverviewEvent", OverviewEvent, "output"),
      type: "text/event-stream",
      description: "A stream of events.",
    }),
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

function socketOperation(book: SchemaBook): Json {
  return {
    operationId: "getAdmission",
    tags: ["sessions"],
    summary: "What a client would be admitted to the session as",
    description:
      "For keys with all rights of their owner. The same path takes the WebSocket of a client, and refuses it with the same errors.",
    parameters: [session],
    responses: responses({ schema: resultSchema(book.define("Admission", Admission, "output")) }),
  };
}
