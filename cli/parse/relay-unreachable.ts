/** No relay answered: it is not running, not at that address, or it hangs. The message says what to do. */
export class RelayUnreachable extends Error {
  override readonly name = "RelayUnreachable";
}
