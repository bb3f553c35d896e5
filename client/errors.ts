import { httpStatusOf, RemoteError } from "../core/protocol/errors.ts";

/** No relay answered: it does not run, has another address, or hangs. The message says what to do. */
export class RelayUnreachable extends Error {
  override readonly name = "RelayUnreachable";
}

/** The client was asked for something that it cannot do: the message is for the user. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /** `usage`: a given value is invalid; `no_key`: there is no key to send; `unreachable`: no relay is known. */
  readonly reason: "usage" | "no_key" | "refused" | "unreachable";

  constructor(reason: ClientError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** An answer came that no relay gives: another program is there, or one that means harm. */
export class InvalidAnswer extends RemoteError {
  constructor(message: string, options?: ErrorOptions) {
    super("internal", message, options);
  }
}

/** Only the caller's own process may do this, with its keychain or over the network; nothing was executed. */
export class NeedsOwnProcess extends Error {
  override readonly name = "NeedsOwnProcess";
}

/** Returns whether an error is a refusal or a failed connection, whose message is for the user, and no defect. */
export function isExplained(error: unknown): error is Error {
  return error instanceof ClientError || error instanceof RelayUnreachable || error instanceof RemoteError;
}

/** Returns whether there is no key, or the relay does not accept it. */
export function isKeyProblem(error: unknown): boolean {
  if (error instanceof ClientError) return error.reason === "no_key";
  return error instanceof RemoteError && httpStatusOf(error.code) === 401;
}

/**
 * Asks a relay for a caller of this one.
 *
 * @throws RemoteError also where that relay is away, or cannot be asked as things are
 */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RelayUnreachable) throw new RemoteError("relay_away", error.message, { cause: error });
    if (error instanceof ClientError) throw new RemoteError("invalid_request", error.message, { cause: error });
    throw error;
  }
}
