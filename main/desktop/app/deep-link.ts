import { SessionId } from "../../../core/protocol/ids.ts";

export const LINK_SCHEME = "patchbay";

/** The session of the first `patchbay://session/<id>` among these arguments; links support nothing else. */
export function sessionOfLink(words: readonly string[]): SessionId | undefined {
  for (const word of words) {
    const [, id] = /^patchbay:\/\/session\/([^/?#]+)\/?$/.exec(word) ?? [];
    if (id !== undefined) return SessionId.safeParse(id).data;
  }
  return undefined;
}
