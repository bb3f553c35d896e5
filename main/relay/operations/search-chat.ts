import type { SearchHit, SearchQuery } from "../../../core/protocol/history-search.ts";
import type { ChatMessage } from "../../../core/protocol/records.ts";

/** Returns the latest messages that hold a text, in any case. */
export function searchChat(
  messages: readonly ChatMessage[],
  { query, since, until, limit }: Pick<SearchQuery, "query" | "since" | "until" | "limit">,
): SearchHit[] {
  const from = since === undefined ? 0 : Date.parse(since);
  const to = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  const hits: SearchHit[] = [];
  for (const { id, at: sentAt, text } of messages.toReversed()) {
    const at = text.toLowerCase().indexOf(query.toLowerCase());
    const time = Date.parse(sentAt);
    if (at < 0 || time < from || time >= to) continue;
    const around = { before: [], after: [] };
    hits.push({ in: "chat", id: String(id), at: sentAt, line: text, from: at, length: query.length, ...around });
    if (hits.length === limit) break;
  }
  return hits;
}
