import type { RemoteError } from "./errors.ts";
import type { ClientId, CommandTarget } from "./ids.ts";

/** The answer to a call. */
export interface CallSuccess<T = unknown> {
  readonly value: T;
  /** The client that executed a command, or in whose name the relay did; undefined for an operation. */
  readonly client: ClientId | undefined;
  readonly hit: CommandTarget;
  readonly replayed?: true;
}

interface CallFailure {
  readonly error: RemoteError;
  /** The client that was chosen; undefined when none was. */
  readonly client: ClientId | undefined;
  readonly replayed?: true;
}

/** The outcome of a call: an answer, or the error that refused it. `replayed`: it is that of an earlier call. */
export type Outcome<T = unknown> = CallSuccess<T> | CallFailure;
