import { IncomingMessage } from "node:http";

/**
 * Makes a class of requests in which an offer of WebSocket alone changes the protocol. A request that offers another one,
 * as Java and `curl --http2` offer HTTP/2, is an ordinary one (RFC 9110 §7.8). Node decides by the property `upgrade`.
 */
export function requestClass(): typeof IncomingMessage {
  return class extends IncomingMessage {
    // Only declared: Node's constructor sets `upgrade` before fields of this class would exist.
    declare private offered: unknown;

    get upgrade(): unknown {
      return this.method === "CONNECT" || this.headers.upgrade?.toLowerCase() === "websocket" ? this.offered : false;
    }

    set upgrade(offered: unknown) {
      this.offered = offered;
    }
  };
}
