import { RemoteError } from "../../../core/protocol/errors.ts";
import {
  type CommandRecord,
  placesIn,
  type SearchAnswer,
  type SearchHit,
  type SearchQuery,
} from "../../../core/protocol/history-search.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { ChatMessage, Shell } from "../../../core/protocol/records.ts";
import type { OpParams, OpResult } from "../../../core/protocol/relay-ops.ts";
import { type SearchPattern, searchPattern } from "../../../core/protocol/search-pattern.ts";
import type { ShellHost } from "../../../core/protocol/shell-host.ts";
import { runInTurns, type Steps } from "../../system/in-turns.ts";
import { redactSecrets } from "../../system/redact-secrets.ts";
import { keptMessages } from "../questions/kept-messages.ts";
import type { AgentsPort, HistoryControl, HistoryOwner, InTurn } from "./ports.ts";

/** Output that is read before and after a place, to show it. */
const BEFORE_BYTES = 256 * 1024;
const AFTER_BYTES = 64 * 1024;
/** How long a page waits, which searches as its user types and asks again while the answer is not complete. */
export const PAGE_WAIT_MS = 300;
/** How long a page waits for the next message of a conversation, in seconds. */
const MESSAGE_WAIT_S = 10;
/** Messages that are read before and after one. */
const MESSAGES_BEFORE = 20;
const MESSAGES_AFTER = 40;

interface SearchOptions {
  /** Whether the caller may find the conversations with agents of the relay's owner. */
  readonly conversations: boolean;
  /** The shells that the caller may read; absent: all. */
  readonly among?: readonly ShellId[] | undefined;
  /** How long to wait at most until everything up to now is indexed. */
  readonly waitMs: number;
}

/** The parts of a history that a search asks. */
type SearchedHistory = Pick<HistoryControl, "settle" | "commands" | "search" | "searchConversations">;

/** Searches all places that are asked for, the latest first of each. `history`: undefined where none can be read. */
export async function searchSession(
  history: SearchedHistory | undefined,
  { session, chat: messages }: Pick<SessionMirror, "session" | "chat">,
  query: SearchQuery,
  { conversations, among, waitMs }: SearchOptions,
): Promise<SearchAnswer> {
  const places = placesIn(query.in);
  const isOfEverything = places.includes("everything");
  const isOfAll = isOfEverything || places.includes("session");
  const isAsked = (place: SearchHit["in"]) =>
    places.includes(place) || (isOfAll && (place !== "conversations" || isOfEverything));
  const { query: text, limit, shell, since, until, regex } = query;
  const end = performance.now() + waitMs;
  const wish = { text, limit, shell, among, since, until, regex, failed: false };
  const pattern = searchPattern(query);
  // Without a history the chat can be searched.
  const recorded = async <T>(isWanted: boolean, nothing: T, ask: (from: SearchedHistory) => Promise<T>): Promise<T> => {
    if (!isWanted || history === undefined) return nothing;
    return ask(history).catch((error: unknown) => {
      if (isOfAll && error instanceof RemoteError && error.code === "invalid_request") return nothing;
      throw error;
    });
  };
  const isPrinted = isAsked("commands") || isAsked("output");
  const isSettled = await recorded(isPrinted, true, (from) => from.settle(session.id, waitMs));
  const commands = await recorded(isAsked("commands"), [], (from) => from.commands(session.id, wish));
  const output = await recorded(isAsked("output"), [], (from) => from.search(session.id, { ...query, among }));
  if (places.includes("conversations") && !conversations) {
    throw new RemoteError(
      "scope_forbids",
      "Conversations are searched by the owner of the relay, with a key that has no restrictions.",
    );
  }
  const isOfShell = shell !== undefined;
  const mayBeSaid = isAsked("conversations") && conversations && !isOfShell;
  const said = await recorded(mayBeSaid, { hits: [], complete: true }, (from) =>
    from.searchConversations(query, Math.max(0, end - performance.now())),
  );
  const chat = isAsked("chat") && shell === undefined ? await searchChat(messages, query) : [];
  const hits = [...commands.map((command) => commandHit(command, pattern)), ...output, ...said.hits, ...chat];
  return { hits, complete: isSettled && said.complete };
}

function commandHit({ id, shellId, outputFrom, startedAt, command }: CommandRecord, pattern: SearchPattern): SearchHit {
  const line = command ?? "";
  const [match] = pattern.matches(line);
  const around = { before: [], after: [] };
  return {
    in: "commands",
    shellId,
    id,
    offset: outputFrom,
    at: startedAt,
    line,
    from: match?.index ?? 0,
    length: match?.length ?? 0,
    ...around,
  };
}

type ChatQuery = Pick<SearchQuery, "query" | "regex" | "since" | "until" | "limit">;

/** Returns the latest messages that hold a text, in any case, without their secrets. Others have their turn between messages. */
export function searchChat(messages: readonly ChatMessage[], query: ChatQuery): Promise<SearchHit[]> {
  return runInTurns(chatHits(messages, query));
}

function* chatHits(messages: readonly ChatMessage[], { since, until, limit, ...query }: ChatQuery): Steps<SearchHit[]> {
  const pattern = searchPattern(query);
  const from = since === undefined ? 0 : Date.parse(since);
  const to = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  const hits: SearchHit[] = [];
  for (const { id, at: sentAt, text } of messages.toReversed()) {
    const time = Date.parse(sentAt);
    // Few messages have the text at all; looking for secrets takes far longer.
    if (time < from || time >= to || pattern.matches(text)[Symbol.iterator]().next().done === true) continue;
    yield;
    const line = redactSecrets(text);
    const [match] = pattern.matches(line);
    if (match === undefined) continue;
    const around = { before: [], after: [] };
    hits.push({
      in: "chat",
      id: String(id),
      at: sentAt,
      line,
      from: match.index,
      length: match.length,
      ...around,
    });
    if (hits.length === limit) break;
  }
  return hits;
}

/**
 * Reads the messages of a conversation around one of them; without a cursor, the last ones.
 *
 * @param questions - those of the session, which are part of the conversations that they were asked in
 */
export async function readConversation(
  conversations: Pick<AgentsPort["conversations"], "page">,
  questions: readonly Question[],
  { cursor, agentType, agentSessionId }: Omit<OpParams<"readConversation">, "after">,
): Promise<OpResult<"readConversation">> {
  const read = (wanted: { readonly before?: string; readonly after?: string; readonly limit: number }) =>
    conversations.page({ agentType, agentSessionId }, wanted, (kind) => keptMessages(questions, kind, agentSessionId));
  if (cursor === undefined) return read({ limit: MESSAGES_BEFORE + MESSAGES_AFTER });
  const before = await read({ before: cursor, limit: MESSAGES_BEFORE });
  const after = before.messages.at(-1)?.cursor ?? "start";
  const { messages, ...page } = await read({ after, limit: MESSAGES_AFTER });
  return { ...page, before: before.before, messages: [...before.messages, ...messages] };
}

/** Resolves when something is said in a conversation after a message, or after a while. */
export async function waitForMessage(
  conversations: Pick<AgentsPort["conversations"], "page">,
  questions: () => readonly Question[],
  { agentType, agentSessionId, after }: Pick<OpParams<"readConversation">, "agentType" | "agentSessionId" | "after">,
  inTurn: InTurn,
): Promise<void> {
  const wanted = { after, limit: 1, wait: MESSAGE_WAIT_S };
  const kept = (kind: string) => keptMessages(questions(), kind, agentSessionId);
  await conversations.page({ agentType, agentSessionId }, wanted, kept, { inTurn });
}

/** Reads what a shell has printed around a place, or before its end, from memory and disk. */
export async function readAround(
  {
    host,
    history,
    owner,
  }: { host: ShellHost; history: HistoryControl | undefined; owner: HistoryOwner & { readonly shell: ShellId } },
  {
    shown,
    ...wanted
  }: { readonly offset: number | undefined; readonly shown: Pick<Shell, "cols" | "rows"> | undefined },
): Promise<OpResult<"readAround">> {
  const { shell } = owner;
  const offset = wanted.offset ?? (await host.read({ shell, lines: 1 })).end;
  const start = Math.max(0, offset - BEFORE_BYTES);
  const nothing = { output: "", offset, end: offset };
  const older = offset === start ? nothing : await host.read({ shell, since: start, maxBytes: offset - start });
  // What is lost in between cannot be drawn together.
  const before = older.end < offset ? nothing : older;
  const after = await host.read({ shell, since: offset, maxBytes: AFTER_BYTES });
  const range = { from: before.offset, to: after.end };
  const recorded = await history?.timeline(owner, { ...range, offset });
  const { cols = 80, rows = 24 } = shown ?? {};
  const sizes = recorded?.sizes ?? [];
  return {
    cols: recorded?.size?.cols ?? cols,
    before: before.output,
    after: after.output,
    ...range,
    times: [...(recorded?.times ?? [])],
    sizes: sizes[0]?.[0] === 0 ? [...sizes] : [[0, cols, rows], ...sizes],
  };
}
