import { RemoteError } from "../../../core/protocol/errors.ts";
import type { CommandRecord, SearchHit, SearchQuery } from "../../../core/protocol/history-search.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import type { ChatMessage, Shell } from "../../../core/protocol/records.ts";
import type { OpResult } from "../../../core/protocol/relay-ops.ts";
import type { ShellHost } from "../../../core/protocol/shell-host.ts";
import type { HistoryControl, HistoryOwner } from "./ports.ts";

/** Output that is read before and after a place, to show it. */
const BEFORE_BYTES = 256 * 1024;
const AFTER_BYTES = 64 * 1024;

/** Searches all places that are asked for, the latest first of each. `history`: undefined where none can be read. */
export async function searchSession(
  history: HistoryControl | undefined,
  { session, chat: messages }: Pick<SessionMirror, "session" | "chat">,
  query: SearchQuery,
): Promise<SearchHit[]> {
  const isAsked = (place: SearchHit["in"]) => query.in === "everything" || query.in === place;
  const { query: text, limit, shell, since, until } = query;
  const wish = { text, limit, shell, since, until, failed: false };
  // Without a history the chat can be searched.
  const recorded = async <T>(isWanted: boolean, ask: (from: HistoryControl) => Promise<T[]>): Promise<T[]> => {
    if (!isWanted || history === undefined) return [];
    return ask(history).catch((error: unknown) => {
      if (query.in === "everything" && error instanceof RemoteError && error.code === "invalid_request") return [];
      throw error;
    });
  };
  const commands = await recorded(isAsked("commands"), (from) => from.commands(session.id, wish));
  const output = await recorded(isAsked("output"), (from) => from.search(session.id, query));
  const chat = isAsked("chat") && shell === undefined ? searchChat(messages, query) : [];
  return [...commands.map((command) => commandHit(command, text)), ...output, ...chat];
}

function commandHit({ id, shellId, outputFrom, startedAt, command }: CommandRecord, text: string): SearchHit {
  const line = command ?? "";
  const from = Math.max(0, line.toLowerCase().indexOf(text.toLowerCase()));
  const around = { before: [], after: [] };
  return { in: "commands", shellId, id, offset: outputFrom, at: startedAt, line, from, length: text.length, ...around };
}

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

/** Reads what a shell has printed around a place, from memory and disk. */
export async function readAround(
  {
    host,
    history,
    owner,
  }: { host: ShellHost; history: HistoryControl | undefined; owner: HistoryOwner & { readonly shell: ShellId } },
  { offset, shown }: { readonly offset: number; readonly shown: Pick<Shell, "cols"> | undefined },
): Promise<OpResult<"readAround">> {
  const { shell } = owner;
  const start = Math.max(0, offset - BEFORE_BYTES);
  const nothing = { output: "", offset, end: offset };
  const older = offset === start ? nothing : await host.read({ shell, since: start, maxBytes: offset - start });
  // What is lost in between cannot be drawn together.
  const before = older.end < offset ? nothing : older;
  const after = await host.read({ shell, since: offset, maxBytes: AFTER_BYTES });
  const recorded = await history?.sizeAt(owner, offset);
  return {
    cols: (recorded ?? shown)?.cols ?? 80,
    before: before.output,
    after: after.output,
    from: before.offset,
    to: after.end,
  };
}
