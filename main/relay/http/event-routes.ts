import type { Request, Response } from "express";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { eventTypes, isForGuests, type RelayEvent, type RelayEventType } from "../../../core/protocol/events.ts";
import { withoutSecretsAtOnce } from "../../system/hide-in-value.ts";
import { hideSecretsInCut } from "../../system/redact-part.ts";
import { accountOf, checkOwner, type PermitOf, speaksForOwner } from "../access/permits/permit.ts";
import type { LoggedEvent } from "../session/event-log.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Auth } from "./auth.ts";
import { beginEventStream, closedMessage, keepStreamAlive } from "./event-stream.ts";
import { queryOf } from "./query.ts";
import type { RouteTable } from "./route-table.ts";

const types: ReadonlySet<string> = new Set(eventTypes);

/** Query parameters of `GET events`. */
export const EventsQuery = z.object({
  types: z
    .string()
    .optional()
    .describe(`Only these, separated by commas: ${eventTypes.join(", ")}.`),
  follow: z.enum(["true", "false"]).default("true").describe("`false` ends after the events that are kept."),
});

interface EventRoutesOptions {
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly permitOf: PermitOf;
  /** Id of this run of the relay: sequence numbers of other runs are not comparable. */
  readonly boot: string;
}

/**
 * `GET events`: server-sent events (docs/decisions/0011). An event's id is `<boot>:<seq>`; `Last-Event-ID` resumes after
 * it, and a `gap` event reports events that are no longer kept. `?types=a,b` filters, `?follow=false` ends after the kept
 * events. A `closed` event says why the relay ends the stream, such as a revoked key.
 */
export function eventRoutes({ sessions, auth, permitOf, boot }: EventRoutesOptions): (routes: RouteTable) => void {
  const events = async (request: Request<{ session: string }>, response: Response) => {
    const principal = await auth.apiKey(request, "events");
    const hides = (await permitOf(principal, { reads: true }))?.hidesSecrets === true;
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    const query = queryOf(request, EventsQuery);
    const wanted = typesOf(query.types);
    const isTold = ({ event }: { readonly event: RelayEvent }) =>
      (wanted === undefined || wanted.has(event.type)) && (isForGuests(event) || speaksForOwner(principal));
    const follow = query.follow === "true";
    const log = session.state.events;
    const from = resumeFrom(request, boot, follow ? log.last : 0);
    auth.checkStillValid(principal);
    response.once("close", session.budgets.open(accountOf(principal), "stream"));

    beginEventStream(response);
    if (request.method === "HEAD") return void response.end();
    let cursor = Math.min(from.seq, log.last);
    // The position at the start: a connection that is lost before the first event can be resumed too.
    response.write(`: patchbay ${boot}:${cursor}\n\n`);
    if (from.lost) {
      cursor = log.after(0, 0).dropped;
      response.write(gap(cursor, "the relay was restarted"));
    }
    // Events are read at the pace of the connection; a `gap` reports those that were dropped meanwhile.
    const send = () => {
      while (!response.writableNeedDrain && !response.writableEnded && cursor < log.last) {
        const { events: next, dropped } = log.after(cursor, 100);
        if (dropped > 0) response.write(gap(dropped, "more events came than are kept"));
        for (const logged of next) {
          cursor = logged.seq;
          if (!isTold(logged)) continue;
          response.write(written(boot, hides ? withoutSecretsAtOnce(logged, hideSecretsInCut) : logged));
        }
      }
      if (!follow && !response.writableEnded && cursor >= log.last) response.end();
    };
    response.on("drain", send);
    const unsubscribe = follow ? log.subscribe(send) : undefined;
    const stopKeepAlive = follow ? keepStreamAlive(response) : undefined;
    const stop = () => {
      unsubscribe?.();
      stopKeepAlive?.();
    };
    // One that does not follow goes on for as long as its reader is behind.
    const release = auth.lifetimeOf(principal)?.onEnd(({ code, message: reason }) => {
      stop();
      if (!response.writableEnded) response.end(closedMessage({ code, reason }));
    });
    response.on("close", () => {
      stop();
      release?.();
    });
    send();
  };
  return (routes) => routes.get("/v1/sessions/:session/events", events);
}

function written(boot: string, { seq, at, event }: LoggedEvent): string {
  return `id: ${boot}:${seq}\nevent: ${event.type}\ndata: ${JSON.stringify({ seq, at, ...event })}\n\n`;
}

function gap(missed: number, reason: string): string {
  return `event: gap\ndata: ${JSON.stringify({ type: "gap", data: { missed, reason } })}\n\n`;
}

function typesOf(given: string | undefined): Set<RelayEventType> | undefined {
  if (given === undefined) return undefined;
  const names = given.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !types.has(name));
  if (unknown === undefined) return new Set(names as RelayEventType[]);
  throw new RemoteError(
    "invalid_params",
    `types: expected some of ${[...types].join(", ")}, got ${JSON.stringify(unknown)}.`,
  );
}

/** Returns where to resume; `lost` if the last id is of another run of the relay. */
function resumeFrom({ headers }: Request, boot: string, usual: number): { seq: number; lost: boolean } {
  const last = headers["last-event-id"];
  if (typeof last !== "string" || last === "") return { seq: usual, lost: false };
  const [, run, seq] = /^([0-9a-z]+):(\d{1,15})$/.exec(last) ?? [];
  if (run === undefined)
    throw new RemoteError("invalid_params", "Last-Event-ID: expected the id of an event of this relay.");
  return run === boot ? { seq: Number(seq), lost: false } : { seq: 0, lost: true };
}
