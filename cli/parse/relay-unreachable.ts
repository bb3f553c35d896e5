/** No relay answered: it does not run, has another address, or hangs. The message says what to do. */
export class RelayUnreachable extends Error {
  override readonly name = "RelayUnreachable";
}
