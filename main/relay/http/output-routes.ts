import type { Request, Response } from "express";
import { z } from "zod";
import { specs } from "../../../core/commands/specs.ts";
import { decimal } from "../../../core/protocol/decimal.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { ShellId } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { OutputEvent } from "../../../core/protocol/output-events.ts";
import type { OutputSubscription } from "../../../core/protocol/shell-host.ts";
import { namedExit } from "../../system/signal-names.ts";
import { checkCall, checkStream } from "../access/permits/check-call.ts";
import { accountOf, checkOwner, type PermitOf } from "../access/permits/permit.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Auth } from "./auth.ts";
import { beginEventStream, keepStreamAlive } from "./event-stream.ts";
import { queryOf } from "./query.ts";
import type { RouteTable } from "./route-table.ts";

/** Query parameters of `GET shells/{shell_id}/output`. */
export const OutputQuery = z.object({
  since: decimal(z.int().min(0)).optional().describe("Byte offset to begin at; default: now."),
  plain: z.enum(["true", "false"]).default("false").describe("`true` leaves escape sequences out."),
});

/** Longest time that a stream continues after its shell was closed. */
const CHECK_EVERY_MS = 500;
/** Window of a reader: unsent output in bytes. */
const WINDOW_BYTES = 256 * 1024;

interface OutputRoutesOptions {
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly permitOf: PermitOf;
}

type OutputRequest = Request<{ session: string; shell: string }>;

/**
 * `GET shells/{shell_id}/output`: what a shell prints, as server-sent events, for keys that may call `getShellOutput`. The
 * id of an event is a byte offset, at which `Last-Event-ID` or `?since=` resumes; without either the stream starts now.
 * `missed` reports the bytes that a slow reader lost. The stream ends with the shell, or with the key.
 */
export function outputRoutes({ sessions, auth, permitOf }: OutputRoutesOptions): (routes: RouteTable) => void {
  const output = async (request: OutputRequest, response: Response) => {
    const principal = auth.caller(request);
    const permit = await permitOf(principal, { reads: true });
    if (permit !== undefined) {
      checkCall(permit, "getShellOutput", specs.getShellOutput);
      checkStream(permit, "a stream of output");
    }
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    const shell = shellOf(request, session);
    const query = queryOf(request, OutputQuery);
    const options = { from: startOf(request, query.since), window: WINDOW_BYTES, plain: query.plain === "true" };
    auth.checkStillValid(principal);
    response.once("close", session.budgets.open(accountOf(principal), "stream"));
    beginEventStream(response);
    if (request.method === "HEAD") return void response.end();
    response.write(": patchbay\n\n");
    stream(response, { session, shell, options, lifetime: auth.lifetimeOf(principal) });
  };
  return (routes) => routes.get("/v1/sessions/:session/shells/:shell/output", output);
}

interface Stream {
  readonly session: Session;
  readonly shell: ShellId;
  readonly options: { readonly from: number | undefined; readonly window: number; readonly plain: boolean };
  /** How long the credential that opened the stream is valid. */
  readonly lifetime: Lifetime | undefined;
}

function stream(response: Response, { session, shell, options, lifetime }: Stream): void {
  const { host } = session.shells;
  let subscription: OutputSubscription | undefined;
  /** Bytes that the connection has not sent yet. */
  let unread = 0;
  const end = (event: OutputEvent) => {
    if (response.writableEnded) return;
    subscription?.stop();
    response.end(written(event));
  };
  const settle = () => {
    if (unread === 0 || response.writableNeedDrain) return;
    subscription?.acknowledge(unread);
    unread = 0;
  };
  if (host.has(shell)) {
    subscription = host.follow(shell, options, {
      text(output, offset, to) {
        if (response.writableEnded) return;
        response.write(written({ type: "output", data: { output, offset, end: to } }, to));
        unread += to - offset;
        settle();
      },
      missed(bytes, offset) {
        response.write(written({ type: "missed", data: { bytes, offset } }, offset));
      },
      end: (exit) => end({ type: "end", data: namedExit(exit) }),
    });
  }
  const check = () => {
    if (!host.has(shell)) {
      // The shell was closed, or ended with its shell host.
      const { exitCode = null, signal = null } = session.shells.find(shell) ?? {};
      end({ type: "end", data: { exitCode, signal } });
    }
  };
  const checks = setInterval(check, CHECK_EVERY_MS);
  const stopKeepAlive = keepStreamAlive(response);
  const release = lifetime?.onEnd(({ code, message: reason }) => end({ type: "closed", data: { code, reason } }));
  response.on("drain", settle);
  response.on("close", () => {
    release?.();
    subscription?.stop();
    clearInterval(checks);
    stopKeepAlive();
  });
  check();
}

function written({ type, data }: OutputEvent, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify({ type, data })}\n\n`;
}

function shellOf({ params }: OutputRequest, session: Session): ShellId {
  const id = /^\d{1,15}$/.test(params.shell) ? ShellId.safeParse(Number(params.shell)).data : undefined;
  if (id === undefined) {
    throw new RemoteError("invalid_params", `shell: expected the id of a shell, got ${JSON.stringify(params.shell)}.`);
  }
  return session.shells.get(id).id;
}

/** Returns the offset to start at: after the last event seen, else at `since`, else now. */
function startOf({ headers }: OutputRequest, since: number | undefined): number | undefined {
  const last = headers["last-event-id"];
  if (typeof last !== "string" || last === "") return since;
  if (/^\d{1,15}$/.test(last)) return Number(last);
  throw new RemoteError(
    "invalid_params",
    `Last-Event-ID: expected a byte offset, got ${JSON.stringify(last.slice(0, 60))}.`,
  );
}
