import { visibleText } from "../../../core/protocol/visible-text.ts";
import { withoutTrailing } from "../../../core/protocol/without-trailing.ts";

/** A piece of a text, with its position in it; `url` where it is a web address. */
interface TextPart {
  readonly text: string;
  readonly at: number;
  readonly url?: string;
}

const ADDRESS = /https?:\/\/[^\s<>"]+/gi;

/**
 * Splits a text into plain pieces and web addresses. Punctuation after an address is no part of it, and what would show it
 * as another one, such as a change of direction, is left out.
 */
export function splitLinks(given: string): readonly TextPart[] {
  const text = visibleText(given);
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(match);
    if (!URL.canParse(address)) continue;
    if (index > from) parts.push({ text: text.slice(from, index), at: from });
    parts.push({ text: address, at: index, url: address });
    from = index + address.length;
  }
  return from < text.length ? [...parts, { text: text.slice(from), at: from }] : parts;
}

function withoutPunctuation(address: string): string {
  const plain = withoutTrailing(address, `.,;:!?'"»”…`);
  // A bracket belongs to the address only if it was opened in it.
  return plain.endsWith(")") && !plain.includes("(") ? withoutPunctuation(plain.slice(0, -1)) : plain;
}
