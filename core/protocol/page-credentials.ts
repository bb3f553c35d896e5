/**
 * Header that names the guest for whom the session's page asks. Its value is the guest's page key, which the page keeps in
 * the storage of its own origin: unlike a cookie, no server on another port of the host can read or replace it.
 */
export const GUEST_HEADER = "x-patchbay-guest";

/** Header that carries the invite with which a page asks what it is an invite to. */
export const INVITE_HEADER = "x-patchbay-invite";

/** Subprotocol of a page's WebSocket, which cannot carry headers; the next offered protocol is the page key. */
export const GUEST_PROTOCOL = "patchbay";

/** Subprotocol of the WebSocket of a page that was opened with an API key; the next offered protocol is the key. */
export const KEY_PROTOCOL = "patchbay-key";

/**
 * Path at a tunnel's own host that exchanges a pass for the tunnel's cookie, and is not forwarded to the program. The pass,
 * and the path to go on to, stand after the `#`, so that the pass reaches no log and no other site.
 */
export const TUNNEL_ENTRY = "/.patchbay/";

/** Name in the storage of a browser, before the session's id, of the API key that its page keeps. */
export const STORED_KEY = "patchbay-key-";
