import type { HttpAnswer } from "./http.ts";

/** The relay that the client runs in, in place of one over the network. */
export interface SurroundingRelay {
  /** Its address, such as `http://127.0.0.1:7717`. */
  readonly origin: string;
  /**
   * Calls a procedure as a caller at this machine's loopback address does. Resolves to undefined, without executing
   * anything, for what only a request over the network can ask. Rejects with a RemoteError as the relay refuses it.
   */
  call(call: InRelayCall): Promise<InRelayAnswer | undefined>;
}

/** A call of a procedure of the relay of this process. */
export interface InRelayCall {
  /** API key, or a shell's token. */
  readonly token: string;
  readonly name: string;
  /** It is an operation, also where a command has the same name. */
  readonly isOperation: boolean;
  readonly params: Readonly<Record<string, unknown>>;
  /** Id of the session that a command is for. */
  readonly session?: string | undefined;
  readonly client?: number | "all" | undefined;
  /** The shell that the call comes from. */
  readonly source?: number | undefined;
  /** As in the header `X-Service-Timeout`. */
  readonly timeout?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

export interface InRelayAnswer {
  readonly result: unknown;
  /** What a command acted on. */
  readonly hit: {
    readonly client?: number | undefined;
    readonly tile?: number | undefined;
    readonly shell?: number | undefined;
  };
}

/** Returns what a command acted on, as the headers of its answer say. */
export function hitOf(headers: HttpAnswer["headers"]): InRelayAnswer["hit"] {
  const number = (name: string) => {
    const value = Number(headers[name]);
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const hit = { client: number("x-service-client"), tile: number("x-service-tile"), shell: number("x-service-shell") };
  return Object.fromEntries(Object.entries(hit).filter(([, value]) => value !== undefined));
}
