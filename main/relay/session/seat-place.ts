import { digestOf } from "../access/digest.ts";

const PREFIX = "seat ";

/** Where in the store a client without a place of its own is kept: under the digest of its resume token. */
export function seatPlace(token: string): string {
  return PREFIX + digestOf(token);
}

/** Whether the client may come back there with its token only, and for a while only. */
export function isSeatPlace(place: string): boolean {
  return place.startsWith(PREFIX);
}
