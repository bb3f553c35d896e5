import { setTimeout as delay } from "node:timers/promises";
import type { AgentStatus } from "../../core/protocol/agent-records.ts";
import type { Conversation, ConversationPage, MessagePart } from "../../core/protocol/conversations.ts";
import { defined } from "../../core/protocol/defined.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { withoutTrailing } from "../../core/protocol/without-trailing.ts";
import { runInTurns, type Steps } from "../system/in-turns.ts";
import { BESIDE, redactPart, redactPartInSteps } from "../system/redact-part.ts";
import type { Accounts } from "./accounts.ts";
import type { AgentAdapter, StoredSession } from "./adapters/adapter.ts";
import { fileFacts } from "./adapters/adapter-files.ts";
import {
  type ConversationSource,
  type KeptMessage,
  type Page,
  readPage,
  readText,
  START,
} from "./conversation-page.ts";
import { type PageRange, type Place, placeOf } from "./conversation-place.ts";
import { StreamPage } from "./conversation-stream.ts";
import type { PriceCall } from "./pricing.ts";
import { relatedCalls } from "./session-account.ts";
import { TranscriptReader } from "./transcript-reader.ts";
import type { AgentRun } from "./usage-store.ts";

/** Names a conversation: the agent's own session, and the kind where several have one of this id. */
export interface ConversationName {
  readonly agentSessionId: string;
  readonly agentType?: string | undefined;
}

/** Which conversations are listed. */
interface WantedConversations {
  readonly agentType?: string | undefined;
  readonly cwd?: string | undefined;
  /** ISO time: only those that were last written before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Which page of a conversation is read, by cursors; `start` for the first messages. */
interface WantedPage {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
  /** With `after`: for how many seconds a message is waited for. */
  readonly wait?: number | undefined;
}

/** The caller's part in the reading of a page. */
interface PageReading {
  /** Ends the wait for a message. */
  readonly gone?: AbortSignal;
  /** Runs each read of the transcripts in the caller's turn; default: at once. */
  readonly inTurn?: <T>(read: () => Promise<T>) => Promise<T>;
}

export type KnownRuns = readonly { readonly run: AgentRun; readonly status: AgentStatus }[];

interface ConversationsOptions {
  readonly adapters: readonly AgentAdapter[];
  readonly accounts: Pick<Accounts, "source">;
  readonly price: () => Promise<PriceCall>;
  /** Every agent session that was seen in a shell, the ones that run now last. */
  readonly runs: () => KnownRuns;
  /** The environment that says where agents keep the user's transcripts. */
  readonly env: (name: string) => string | undefined;
}

/** A session that has a transcript. */
interface StoredConversation {
  readonly adapter: AgentAdapter;
  readonly home: string;
  readonly sessionId: string;
  readonly stored: StoredSession;
}

/** A conversation, and what is known of the agent that worked on it last. */
export interface LocatedConversation extends Omit<StoredConversation, "stored"> {
  /** Its transcript is where agents keep those of the relay's user if nothing says otherwise. */
  readonly isOwn: boolean;
  readonly cwd: string | undefined;
  /** Undefined where it was in no shell of this relay. */
  readonly run: AgentRun | undefined;
}

/** Details by which a listed conversation is described. */
interface ConversationDetails {
  readonly cwd: string | undefined;
  /** The latest run of an agent on it, in a shell. */
  readonly known: KnownRuns[number] | undefined;
  readonly hidesSecrets: boolean;
}

/** A conversation as its folder tells of it. */
interface StoredName {
  readonly agentType: string;
  readonly agentSessionId: string;
  /** When its transcript was last written, in ms since the epoch. */
  readonly changedAt: number;
  readonly cwd?: string;
}

const MAX_TITLE = 200;
/** Of a conversation's beginning, in which its first prompt is looked for. */
const HEAD_MESSAGES = 20;
/** How often a transcript is looked at for the next message. */
const LOOK_MS = 300;
const EMPTY: Page = { messages: [], before: null, after: null, hasMore: false };
/** One read of a text. */
const TEXT_LENGTH = 1024 * 1024;
const KEPT_FORKS = 50;

/** The conversations on this machine: those of agents in shells, and all others in the agents' own folders. */
export class Conversations {
  readonly #options: ConversationsOptions;
  /** By session, the calls that an older session has. A transcript's forked part does not change. */
  readonly #foreign = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(options: ConversationsOptions) {
    this.#options = options;
  }

  /** The sessions that were seen in shells. */
  get runs(): KnownRuns {
    return this.#options.runs();
  }

  /** Lists all conversations without reading any of them, those first that were written last. */
  async stored(): Promise<readonly StoredName[]> {
    const found = await runInTurns(this.#stored(this.#options.adapters, this.#options.runs()));
    return found
      .map(({ adapter, sessionId, stored: { changedAt, cwd } }) => {
        const folder = cwd === undefined ? {} : { cwd };
        return { agentType: adapter.kind, agentSessionId: sessionId, changedAt, ...folder };
      })
      .sort((one, other) => other.changedAt - one.changedAt);
  }

  /** Lists the conversations that were written last. `hidesSecrets`: in their titles. */
  async list(
    { agentType, cwd, before, limit }: WantedConversations,
    { hidesSecrets = false } = {},
  ): Promise<Conversation[]> {
    const runs = this.#options.runs();
    const adapters = this.#options.adapters.filter(({ kind }) => agentType === undefined || kind === agentType);
    const latest = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
    const found = (await runInTurns(this.#stored(adapters, runs)))
      .filter(({ stored }) => stored.changedAt < latest)
      .sort((one, other) => other.stored.changedAt - one.stored.changedAt);
    const listed: Conversation[] = [];
    for (const one of found) {
      if (listed.length === limit) break;
      const known = runs.findLast(({ run }) => isOf(run, one));
      const folder = one.stored.cwd ?? known?.run.cwd;
      if (cwd !== undefined && !isWithin(folder, cwd)) continue;
      listed.push(await this.#described(one, { cwd: folder, known, hidesSecrets }));
    }
    return listed;
  }

  /**
   * Reads a page of a conversation. `kept`: what the relay knows of the conversation that is in no transcript.
   *
   * @throws RemoteError `unknown_agent_session`, `invalid_params`
   */
  async page(
    name: ConversationName,
    { before, after, limit, wait = 0 }: WantedPage,
    kept: (agentType: string) => readonly KeptMessage[],
    { gone, inTurn = (read) => read() }: PageReading = {},
  ): Promise<ConversationPage> {
    if (before !== undefined && after !== undefined) {
      throw new RemoteError("invalid_params", "params: expected at most one of before and after, got both.");
    }
    if (wait > 0 && after === undefined) {
      throw new RemoteError(
        "invalid_params",
        "params.wait: expected after beside it, for the messages that it waits for.",
      );
    }
    const found = this.#find(name);
    const { kind } = found.adapter;
    const range: PageRange = {
      limit,
      ...(before !== undefined && { before: place("before", before) }),
      ...(after !== undefined && { after: after === "start" ? START : place("after", after) }),
    };
    const source = await this.#source(found);
    const until = performance.now() + wait * 1000;
    let [page, seen] = [EMPTY, ""];
    for (;;) {
      const own = kept(kind);
      const now = stateOf(found, own);
      // Messages that were held back come without a change.
      if (now !== seen || page.hasMore) page = await inTurn(() => readPage({ ...source, kept: own }, range));
      seen = now;
      const left = until - performance.now();
      if (page.messages.length > 0 || left <= 0 || gone?.aborted === true) break;
      await delay(Math.min(left, LOOK_MS), undefined, { ref: false });
    }
    return { agentType: kind, sessionId: found.sessionId, ...page };
  }

  /**
   * Reads on in a text of a message. `hidesSecrets`: also those that begin before the offset or go on after the end.
   *
   * @throws RemoteError `unknown_agent_session`, `invalid_params`
   */
  async text(
    name: ConversationName,
    { message, part, offset }: { readonly message: string; readonly part: MessagePart; readonly offset: number },
    { hidesSecrets = false } = {},
  ): Promise<{ text: string; length: number; next: number | null }> {
    const text = await readText(await this.#source(this.#find(name)), place("message", message), part);
    if (text === undefined) {
      throw new RemoteError(
        "invalid_params",
        `message: the conversation has no ${part} at ${JSON.stringify(message)}.`,
      );
    }
    const end = offset + TEXT_LENGTH;
    const read = text.slice(offset, end);
    const beside = { before: text.slice(Math.max(0, offset - BESIDE), offset), after: text.slice(end, end + BESIDE) };
    const shown = hidesSecrets ? await runInTurns(redactPartInSteps(read, beside)) : read;
    return { text: shown, length: text.length, next: end < text.length ? end : null };
  }

  /**
   * Finds a conversation with its folder, and the run in a shell in which it was seen last.
   *
   * @throws RemoteError `unknown_agent_session`, `invalid_params`
   */
  locate(name: ConversationName): LocatedConversation {
    const { adapter, home, sessionId } = this.#find(name);
    const run = this.#options
      .runs()
      .findLast((one) => one.run.agentType === adapter.kind && one.run.sessionId === sessionId)?.run;
    const isOwn = home === adapter.home(this.#options.env);
    return { adapter, home, isOwn, sessionId, run, cwd: adapter.stored(home, sessionId)?.cwd || run?.cwd };
  }

  #find({ agentSessionId, agentType }: ConversationName): Omit<StoredConversation, "stored"> {
    const runs = this.#options.runs();
    // Most agents name the file of a transcript by its session: another name would lead to files that are no transcripts.
    const adapters = /[/\\]/.test(agentSessionId) ? [] : this.#options.adapters;
    const found = adapters.flatMap((adapter) => {
      if (agentType !== undefined && adapter.kind !== agentType) return [];
      const homes = this.#homes(adapter, runs);
      const home = homes.find((one) => adapter.stored(one, agentSessionId) !== undefined);
      const known = runs.findLast(({ run }) => run.agentType === adapter.kind && run.sessionId === agentSessionId);
      const from = home ?? known?.run.home;
      return from === undefined ? [] : [{ adapter, home: from, sessionId: agentSessionId }];
    });
    const [one, ...others] = found;
    if (one === undefined) {
      throw new RemoteError(
        "unknown_agent_session",
        `No conversation ${JSON.stringify(agentSessionId)} has a transcript on this machine: \`service conversations\` lists those that have.`,
      );
    }
    if (others.length > 0) {
      const kinds = found.map(({ adapter }) => adapter.kind).join(", ");
      throw new RemoteError(
        "invalid_params",
        `params.agentType: expected one of ${kinds}, which all have this conversation.`,
      );
    }
    return one;
  }

  async #source({
    adapter,
    home,
    sessionId,
  }: Omit<StoredConversation, "stored">): Promise<Omit<ConversationSource, "kept">> {
    const source = { ...this.#options.accounts.source(adapter, home, sessionId), price: await this.#options.price() };
    const key = `${adapter.kind}/${home}/${sessionId}`;
    const foreign = this.#foreign.get(key) ?? relatedCalls(source);
    this.#foreign.set(key, foreign);
    const [oldest] = this.#foreign.keys();
    if (this.#foreign.size > KEPT_FORKS && oldest !== undefined) this.#foreign.delete(oldest);
    return { ...source, foreign: await foreign };
  }

  /** The folders of a kind: that of the relay's user, and those in which agents in shells keep theirs. */
  #homes({ kind, home }: AgentAdapter, runs: ReturnType<ConversationsOptions["runs"]>): readonly string[] {
    const own = home(this.#options.env);
    const others = runs.filter(({ run }) => run.agentType === kind).map(({ run }) => run.home);
    return [...new Set([...(own === undefined ? [] : [own]), ...others])];
  }

  /** In steps, because a folder may have thousands of transcripts. */
  *#stored(
    adapters: readonly AgentAdapter[],
    runs: ReturnType<ConversationsOptions["runs"]>,
  ): Steps<readonly StoredConversation[]> {
    const found = new Map<string, StoredConversation>();
    for (const adapter of adapters) {
      for (const home of this.#homes(adapter, runs)) {
        yield;
        for (const sessionId of adapter.sessions(home)) {
          yield;
          const key = `${adapter.kind}/${sessionId}`;
          const stored = found.has(key) ? undefined : adapter.stored(home, sessionId);
          if (stored !== undefined) found.set(key, { adapter, home, sessionId, stored });
        }
      }
    }
    return [...found.values()];
  }

  async #described(
    { adapter, home, sessionId, stored }: StoredConversation,
    { cwd, known, hidesSecrets }: ConversationDetails,
  ): Promise<Conversation> {
    const head = new StreamPage({ after: START, limit: HEAD_MESSAGES }, "m");
    const reader = new TranscriptReader(adapter, home, sessionId, "events", { problem: () => {} });
    await reader.read(head.sink, { main: stored.path, subagents: [] }, head.isDone);
    const messages = head.drafts.map(({ message }) => message);
    const prompt = messages.find(({ role, kind }) => role === "user" && kind === "prompt");
    const model = known?.run.model || messages.find((message) => message.model !== undefined)?.model;
    const startedAt = messages[0]?.at ?? known?.run.startedAt;
    return {
      agentType: adapter.kind,
      sessionId,
      title: titleOf(prompt?.text ?? "", hidesSecrets),
      changedAt: new Date(stored.changedAt).toISOString(),
      status: known?.status ?? "ended",
      ...defined({ cwd, startedAt, model }),
      ...(known !== undefined && { session: known.run.session, shellId: known.run.shellId }),
    };
  }
}

/** Returns the beginning of a prompt, of which no more is looked through than a title and a secret in it need. */
function titleOf(prompt: string, hidesSecrets: boolean): string {
  const said = hidesSecrets ? redactPart(prompt.slice(0, BESIDE), { after: prompt.slice(BESIDE, 2 * BESIDE) }) : prompt;
  return said.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE);
}

/** Changes with every message that a conversation gets, and needs no transcript to be read. */
function stateOf(
  { adapter, home, sessionId }: Omit<StoredConversation, "stored">,
  kept: readonly KeptMessage[],
): string {
  const { subagents } = adapter.files(home, sessionId);
  const times = subagents.map((path) => fileFacts(path)?.changedAt);
  return [adapter.stored(home, sessionId)?.changedAt, ...times, kept.length].join(" ");
}

function isOf({ agentType, sessionId }: AgentRun, { adapter, sessionId: id }: StoredConversation): boolean {
  return agentType === adapter.kind && sessionId === id;
}

function isWithin(folder: string | undefined, wanted: string): boolean {
  const top = withoutTrailing(wanted, "\\/");
  return (
    folder !== undefined &&
    (folder === wanted || folder === top || (/^[\\/]/.test(folder.slice(top.length)) && folder.startsWith(top)))
  );
}

/** @throws RemoteError `invalid_params` for a text that is no cursor */
function place(param: string, cursor: string): Place {
  const read = placeOf(cursor);
  if (read !== undefined) return read;
  throw new RemoteError(
    "invalid_params",
    `${param}: expected a cursor of this conversation, got ${JSON.stringify(cursor)}.`,
  );
}
