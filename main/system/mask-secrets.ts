/** Keys, tokens, invites, cookies and passes of Patchbay, wherever they occur in a text. */
const SECRETS = /\b(pb[a-z]?)_[A-Za-z0-9_-]{16,}/g;
/** The parts of an address that may carry a credential: user and password, query, fragment. */
const ADDRESSES = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#@]*@)?([^\s?#]*)(\?[^\s#]*)?(#\S*)?/gi;

/** Replaces the secrets of Patchbay in a text that is about to be kept, such as a line of the log. */
export function maskSecrets(text: string): string {
  return text.replace(SECRETS, "$1_[hidden]");
}

/** As `maskSecrets`, and hides in addresses what may be a credential of another service. */
export function maskCredentials(text: string): string {
  return maskSecrets(text).replace(
    ADDRESSES,
    (address: string, scheme: string, place: string, query?: string, fragment?: string) => {
      const user = address.startsWith(`${scheme}${place}`) ? "" : "[hidden]@";
      return `${scheme}${user}${place}${query ? "?[hidden]" : ""}${fragment ? "#[hidden]" : ""}`;
    },
  );
}
