import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { digestOf } from "../../../main/relay/access/digest.ts";
import type { MemberRelay } from "../../../main/relay/fleet/member-relay.ts";
import type { ForeignSessions } from "../../../main/relay/http/foreign-sessions.ts";
import { noMetrics } from "../../../main/relay/metrics/metrics-recorder.ts";
import { noTracing } from "../../../main/relay/telemetry/tracing.ts";

/** The key that every stand-in accepts. */
const KEY = "pb_simulated";
/** As large as the answer of a small command. */
const ANSWER = Buffer.from(JSON.stringify({ result: "x".repeat(200) }));

/**
 * Stands for the relay behind a simulated member. It has sessions and one key, and answers every request at once: nothing
 * of Express, of commands, of the store and of the audit log is in it.
 */
export function standInRelay(sessionIds: readonly string[]): MemberRelay {
  const createdAt = new Date().toISOString();
  const sessions = sessionIds.map((id) => ({
    id,
    owner: "bench",
    state: { now: { session: { name: "default", createdAt } }, subscribers: new Set<never>() },
    questions: { list: () => [] },
  }));
  const digest = digestOf(KEY);
  return {
    user: "bench",
    version: "0",
    basePath: "",
    commandTimeoutMs: 15_000,
    keys: {
      *digests() {
        yield digest;
      },
      digestOf: () => undefined,
      verify: () => undefined,
    },
    metrics: noMetrics,
    tracing: noTracing,
    sessions: {
      all: () => sessions,
      find: (id) => sessions.find((session) => session.id === id),
      onChange: () => () => undefined,
    },
    open: () => {
      throw new Error("nothing but calls is made in the simulation");
    },
    callPassed: async () => ({
      status: 200,
      headers: { "content-type": "application/json", "content-length": ANSWER.length },
      body: ANSWER,
    }),
  };
}

/** Sends a command to a session of another member, as a caller's request without its connection. Rejects unless it is answered with 200. */
export function callForeign(foreign: ForeignSessions, session: string, timeoutSeconds: number): Promise<void> {
  const body = Buffer.from(JSON.stringify({ method: "getTiles", params: {} }));
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method: "POST",
    url: `/v1/sessions/${session}/remote/command`,
    headers: {
      "x-service-token": KEY,
      "x-service-timeout": String(timeoutSeconds),
      "content-type": "application/json",
      "content-length": String(body.length),
    },
    complete: true,
  });
  request.push(body);
  request.push(null);
  return new Promise((resolve, reject) => {
    const response = new CapturedAnswer(request, (status) => {
      if (status === 200) resolve();
      else reject(new Error(`the command was answered with ${status}`));
    });
    if (!foreign.answer(request, response, reject)) reject(new Error(`no member is known to serve ${session}`));
  });
}

class CapturedAnswer extends ServerResponse {
  readonly #answered: (status: number) => void;

  constructor(request: IncomingMessage, answered: (status: number) => void) {
    super(request);
    this.#answered = answered;
  }

  override end(): this {
    this.#answered(this.statusCode);
    return this;
  }
}
