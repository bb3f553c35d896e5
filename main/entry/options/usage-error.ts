/** The words of the command line cannot be understood; the message says which and what would be right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
