import { isUtf8 } from "node:buffer";
import { procedureOf } from "../../../core/procedures/index.ts";
import { isDeeperThan, jsonDepth } from "../../../core/protocol/json-depth.ts";
import type { Log } from "../../system/log.ts";
import type { Calls } from "../calls/calls.ts";
import { readCommand } from "../calls/read-command.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import type { FleetPeer } from "../net/fleet-peer.ts";
import type { Answer } from "../net/send.ts";
import type { Sessions } from "../session/sessions.ts";
import { requestEnd, requestSpan, type Tracing } from "../telemetry/tracing.ts";
import type { Auth } from "./auth.ts";
import type { FairTurns } from "./fair-turns.ts";
import { answerTo, COMMAND } from "./remote-routes.ts";

/** A request that a relay of the fleet passes on. */
export interface PassedRequest {
  readonly peer: FleetPeer;
  readonly method: string;
  readonly path: string;
  /** Names in lower case; digests in place of the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface PassedCallsOptions {
  readonly calls: Calls;
  readonly sessions: Pick<Sessions, "find">;
  readonly auth: Auth;
  readonly turns: FairTurns;
  readonly metrics: Pick<MetricsRecorder, "request">;
  readonly tracing: Tracing;
  readonly commandTimeoutMs: number;
  readonly log: Log;
}

export type CallPassed = (request: PassedRequest, gone: AbortSignal) => Promise<Answer> | undefined;

const PATH = /^\/v1\/sessions\/([A-Za-z0-9_-]+)\/remote\/command$/;

/**
 * Returns a function that executes a call of `POST remote/command` that a relay of the fleet passes on, without a
 * request in this process. It executes nothing, and returns undefined, for anything else: for other paths, and for what
 * HTTP refuses before the call.
 */
export function passedCalls({
  calls,
  sessions,
  auth,
  turns,
  metrics,
  tracing,
  commandTimeoutMs,
  log,
}: PassedCallsOptions): CallPassed {
  return ({ peer, method, path, headers, body }, gone) => {
    const startedAt = performance.now();
    const digest = headers["x-service-token"];
    const session = sessions.find(PATH.exec(path)?.[1] ?? "");
    if (method !== "POST" || session === undefined || digest === undefined) return undefined;
    const read = headers["content-encoding"] === undefined && JSON_TYPE.test(headers["content-type"] ?? "");
    const command = read ? commandIn(body, headers, commandTimeoutMs) : undefined;
    const caller = command && auth.passedCaller(digest, peer, session);
    if (command === undefined || caller === undefined) return undefined;
    const options = { ...command.options, session: session.id, gone: () => gone };
    const describe = () => requestSpan(method, COMMAND, headers.traceparent);
    return tracing.span(describe, async (end) => {
      await turns.take(caller.account);
      const answer = answerTo(await calls.call(caller, command.method, command.params, options), log);
      const { status } = answer;
      metrics.request({ method, route: COMMAND, status, seconds: (performance.now() - startedAt) / 1000 });
      end(requestEnd(status));
      return answer;
    });
  };
}

const JSON_TYPE = /^application\/json$/i;

/** Reads a command; undefined for a body that is none, and for an operation that takes a bearer token. */
function commandIn(body: Buffer, headers: PassedRequest["headers"], usualMs: number) {
  try {
    const json: unknown = isUtf8(body) ? JSON.parse(body.toString()) : undefined;
    if (isDeeperThan(json, jsonDepth.body)) return undefined;
    const command = readCommand(json, headers, usualMs);
    const procedure = procedureOf(command.method);
    return procedure?.kind === "operation" && procedure.spec.bearer !== undefined ? undefined : command;
  } catch {
    return undefined;
  }
}
