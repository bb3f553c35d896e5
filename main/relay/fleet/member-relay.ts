import type { Duplex } from "node:stream";
import type { Question } from "../../../core/protocol/questions.ts";
import type { Keys } from "../access/keys.ts";
import type { CallPassed } from "../http/passed-calls.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import type { FleetPeer } from "../net/fleet-peer.ts";
import type { Subscriber } from "../session/session-state.ts";
import type { Tracing } from "../telemetry/tracing.ts";

/** A session as the fleet knows it. */
export interface MemberSession {
  readonly id: string;
  readonly owner: string;
  readonly state: {
    readonly now: { readonly session: { readonly name: string; readonly createdAt: string } };
    readonly subscribers: Pick<Set<Subscriber>, "add" | "delete">;
  };
  readonly questions: { list(options: { readonly all: boolean }): readonly Question[] };
}

/** What the fleet needs of the relay that is its member. */
export interface MemberRelay {
  /** The user whose relay it is. */
  readonly user: string;
  readonly version: string;
  readonly basePath: string;
  readonly commandTimeoutMs: number;
  readonly keys: Pick<Keys, "digests" | "digestOf" | "verify">;
  readonly metrics: Pick<MetricsRecorder, "fleetRequest">;
  readonly tracing: Pick<Tracing, "traceparent">;
  readonly sessions: {
    all(): readonly MemberSession[];
    find(id: string): MemberSession | undefined;
    /** Subscribes to sessions that are added, removed or renamed. Returns an unsubscribe function. */
    onChange(listener: () => void): () => void;
  };
  /** Executes a call, the most frequent of all requests; undefined for a request that is none. */
  readonly callPassed: CallPassed;
  /** Opens a connection to the relay's HTTP, for any other request. */
  open(peer: FleetPeer): Duplex;
}
