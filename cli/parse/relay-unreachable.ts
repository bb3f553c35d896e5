import { RemoteError } from "../../core/protocol/errors.ts";

/** No relay answered: it does not run, has another address, or hangs. The message says what to do. */
export class RelayUnreachable extends Error {
  override readonly name = "RelayUnreachable";
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
