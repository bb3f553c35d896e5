/** Invalid command-line arguments; the message names them and the valid form. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
