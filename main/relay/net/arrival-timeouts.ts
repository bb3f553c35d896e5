/** How long, in milliseconds, a peer may take to send. An answer may take any time: some commands wait for an hour. */
export interface ArrivalTimeouts {
  readonly headers: number;
  /** A whole request, headers included. */
  readonly request: number;
  /** A client's first frame after its WebSocket was opened. */
  readonly hello: number;
  /** How often late requests are looked for. */
  readonly checkEvery: number;
}

export const usualArrivalTimeouts: ArrivalTimeouts = {
  headers: 10_000,
  request: 30_000,
  hello: 10_000,
  checkEvery: 2_000,
};
