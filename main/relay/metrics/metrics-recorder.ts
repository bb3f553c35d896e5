/** Records the relay's work. Every method is called often, so it must be cheap. */
export interface MetricsRecorder {
  /** Records a request that was answered, or whose caller has disconnected. `route` is the pattern of its path. */
  request(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** Records a command that was executed or refused; `outcome` is `ok` or the code of the error. */
  command(method: string, outcome: string, seconds: number): void;
  /** Records an operation that was executed or refused; `outcome` is `ok` or the code of the error. */
  operation(name: string, outcome: string, seconds: number): void;
  /** Records bytes of a client's WebSocket. */
  clientBytes(direction: "in" | "out", bytes: number): void;
  /** Records a request that was passed on to another relay of the fleet, or came from one. */
  fleetRequest(direction: "in" | "out", outcome: FleetOutcome): void;
  /** Records a connection that the relay closed. */
  cut(reason: CutReason): void;
}

/** `refused`: it was malformed, stale, repeated or one too many; `lost`: the other relay has not answered. */
export type FleetOutcome = "ok" | "refused" | "lost";

/** Why the relay closes a connection. */
export type CutReason =
  | "malformed"
  | "unread"
  | "silent"
  | "late hello"
  | "slow request"
  | "too many connections"
  | "too many from one address";

/** Records nothing. */
export const noMetrics: MetricsRecorder = {
  request() {},
  command() {},
  operation() {},
  clientBytes() {},
  fleetRequest() {},
  cut() {},
};
