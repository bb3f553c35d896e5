/** What the relay's rooms tell of their work as they do it. Each is called often, so each is cheap. */
export interface MetricsRecorder {
  /** A request was answered, or its caller has gone. `route` is the pattern of its path. */
  request(told: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** A command was executed or refused; `outcome` is `ok` or the code of the error. */
  command(method: string, outcome: string, seconds: number): void;
  /** An operation was executed or refused; `outcome` is `ok` or the code of the error. */
  operation(name: string, outcome: string, seconds: number): void;
  /** Bytes of a client's WebSocket. */
  clientBytes(direction: "in" | "out", bytes: number): void;
  /** A connection was ended by the relay, for a reason that is one of few. */
  cut(reason: CutReason): void;
}

/** Why the relay ends a connection. */
export type CutReason =
  | "malformed"
  | "unread"
  | "silent"
  | "late hello"
  | "slow request"
  | "too many connections"
  | "too many from one address";

/** Records nothing. */
export const noMetrics: MetricsRecorder = { request() {}, command() {}, operation() {}, clientBytes() {}, cut() {} };
