import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { RemoteError } from "../../../core/protocol/errors.ts";

/** Sends an error to the caller of a request, in the form of every error of the relay. */
export type Refuse = (error: unknown) => void;

/** Names the relay that serves a session, in the answer to every request for it while the relay is in a fleet. */
export const RELAY_HEADER = "X-Service-Relay";

/** What became of the opening of a WebSocket at the relay of its session. */
export interface UpgradeOutcome {
  readonly refuse: (error: RemoteError) => void;
  /** Called when that relay has accepted the caller. */
  readonly accepted: () => void;
}

/**
 * The sessions that other relays of the fleet serve. This is the only place that decides whether a request is for a
 * session of this relay, of another one, or of none that is known.
 */
export interface ForeignSessions {
  /** Returns whether a request is for a session of another relay. */
  isForeign(request: IncomingMessage): boolean;
  /**
   * Takes a request for a session of another relay, or for the list of sessions, and answers it. Returns false for any
   * other request, which this relay answers itself.
   */
  answer(request: IncomingMessage, response: ServerResponse, refuse: Refuse): boolean;
  /** Takes the opening of a WebSocket to a session of another relay. Returns false for any other one. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, outcome: UpgradeOutcome): boolean;
  /** Returns the name of the relay that serves a session; undefined for a session of this relay, and for an unknown one. */
  relayOf(session: string): string | undefined;
}
