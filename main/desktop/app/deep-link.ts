import { SessionId } from "../../../core/protocol/ids.ts";

export const LINK_SCHEME = "patchbay";

/** The session that one of these words links to as `patchbay://session/<id>`; a link says nothing else. */
export function sessionOfLink(words: readonly string[]): SessionId | undefined {
  for (const word of words) {
    const [, id] = /^patchbay:\/\/session\/([^/?#]+)\/?$/.exec(word) ?? [];
    if (id !== undefined) return SessionId.safeParse(id).data;
  }
  return undefined;
}
