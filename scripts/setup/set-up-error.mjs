/** A set-up step that cannot go on. The message is for the user: what is missing and what to do; no stack is shown. */
export class SetUpError extends Error {
  /** @override */
  name = "SetUpError";
}
