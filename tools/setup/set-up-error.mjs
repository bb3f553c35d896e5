/** A set-up step cannot continue. The message tells the user what is missing and what to do; no stack is shown. */
export class SetUpError extends Error {
  /** @override */
  name = "SetUpError";
}
