import { redactSecrets } from "./redact-secrets.ts";

/** Keys, tokens, invites, cookies and passes of Patchbay, wherever they occur in a text. */
const SECRETS = /\b(pb[a-z]?)_([A-Za-z0-9_-]+)/g;
const SHORTEST_SECRET = 16;
/**
 * The parts of an address that may carry a credential: user and password, query, fragment. It begins at `://`, because a
 * pattern that begins with the scheme starts again at each word, which takes quadratic time for `a.a.a.a`.
 */
const ADDRESSES = /:\/\/([^\s/?#]*@)?([^\s?#]*)(\?[^\s#]*)?(#\S*)?/g;
/** Characters that are masked of a text of which only the start is kept. */
const MASKED_CHARACTERS = 1000;
/** Characters after them in which their last word ends: a secret of a known format is whole then. */
const REST_OF_WORD = 512;
/** Completes what a cut may have left of a secret or of a user and password, so that both are recognized. */
const COMPLETION = `${"x".repeat(SHORTEST_SECRET)}@`;

/** Replaces the secrets of Patchbay in a text that is about to be kept, such as a line of the log. */
export function maskSecrets(text: string): string {
  return text.replace(SECRETS, (found, kind: string, rest: string) =>
    rest.length < SHORTEST_SECRET ? found : `${kind}_[hidden]`,
  );
}

/** As `maskSecrets`, and hides secrets of other services, and what may be one in addresses. */
export function maskCredentials(text: string): string {
  return redactSecrets(maskSecrets(text)).replace(
    ADDRESSES,
    (_address, user: string | undefined, place: string, query?: string, fragment?: string) =>
      `://${user === undefined ? "" : "[hidden]@"}${place}${query ? "?[hidden]" : ""}${fragment ? "#[hidden]" : ""}`,
  );
}

/**
 * Returns the start of a text, of any length, as `maskCredentials` leaves it. Only the start is masked, and a credential
 * that is cut off there is hidden as well.
 *
 * @param most number of characters; a longer text ends with `end` in addition
 */
export function maskedStart(text: string, most: number, end = ""): string {
  const isCut = text.length > MASKED_CHARACTERS;
  const masked = isCut ? maskedCut(text) : maskCredentials(text);
  return isCut || masked.length > most ? `${masked.slice(0, most)}${end}` : masked;
}

function maskedCut(text: string): string {
  const beyond = text.slice(MASKED_CHARACTERS, MASKED_CHARACTERS + REST_OF_WORD);
  const end = beyond.search(/\s/);
  const start = text.slice(0, MASKED_CHARACTERS + (end < 0 ? beyond.length : end));
  if (end >= 0 || start.length === text.length) return maskCredentials(start);
  const masked = maskCredentials(start + COMPLETION);
  return masked.endsWith(COMPLETION) ? masked.slice(0, -COMPLETION.length) : masked;
}
