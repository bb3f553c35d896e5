import type { RemoteError } from "./errors.ts";
import type { ClientId, CommandTarget } from "./ids.ts";

/** What a client answered to a command that it executed. */
export interface CommandSuccess {
  readonly value: unknown;
  readonly client: ClientId;
  readonly hit: CommandTarget;
}

interface CommandFailure {
  readonly error: RemoteError;
  /** The client that was asked; undefined when none was. */
  readonly client: ClientId | undefined;
}

/** The outcome of a command: an answer, or the error that refused it. */
export type Outcome = CommandSuccess | CommandFailure;
