/** A program that asks to be logged in (RFC 8628), and waits for the answer of this machine's user. */
export interface PendingLogin {
  /** What the program shows to its user, for comparing: `WDJB-MJHT`. */
  readonly code: string;
  /** What it says that it is: nobody has checked that. */
  readonly name: string;
  /** Where its request came from. */
  readonly address: string;
  readonly since: string;
  readonly expiresAt: string;
}
