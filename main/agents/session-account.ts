import type { AgentEvent, AgentEventType, TokenUsage } from "../../core/protocol/agent-records.ts";
import type { AgentContext, ReportedWindow } from "../../core/protocol/quotas.ts";
import type { AgentAdapter, CallTokens, TranscriptEvent, TranscriptSink } from "./adapters/adapter.ts";
import { shownEvent } from "./adapters/event-parts.ts";
import { addUsage, Ledger, noUsage, type PricedCall } from "./ledger.ts";
import type { PriceCall } from "./pricing.ts";
import { type ReadLog, TranscriptReader } from "./transcript-reader.ts";

/** The latest status in the transcript. */
export interface TranscriptStatus {
  readonly status: "working" | "idle" | "error";
  readonly at: string;
  readonly detail: string;
}

/** One agent session's accounts, kept up to date by reading what is new in its transcript. */
export class SessionAccount {
  readonly ledger: Ledger;
  model = "";
  /** See `ApiCall.usedProvider`: that of the last call. */
  usedProvider: string | undefined;
  status: TranscriptStatus | undefined;
  reported: number | undefined;
  firstAt: string | undefined;
  lastAt: string | undefined;
  /** The fill of the context after the last request; undefined before the first one and after a compaction. */
  context: AgentContext | undefined;
  /** Whether the account has quota windows, by the agent's last report. */
  hasWindows: boolean | undefined;
  /** Whether the agent counts the context itself. */
  #countsContext = false;
  readonly #reader: TranscriptReader;
  #reading: Promise<boolean> | undefined;
  #again = false;
  #flushScheduled = false;
  /** Called after each batch of new calls, before any other task can see them: published sums must be stored. */
  onCalls: () => void = () => undefined;
  /** Called with the quota windows that the agent has reported. */
  onWindows: (windows: readonly ReportedWindow[], at: string) => void = () => undefined;

  constructor(ledger: Ledger, reader: TranscriptReader) {
    this.ledger = ledger;
    this.#reader = reader;
  }

  get files(): number {
    return this.#reader.paths().length;
  }

  paths(): readonly string[] {
    return this.#reader.paths();
  }

  /** Tells whether the last reading of one of its files failed. */
  get hasFailed(): boolean {
    return this.#reader.hasFailed;
  }

  /**
   * Reads new records. A call during a reading extends it, so that everything written before the call has been read
   * when its promise resolves. Resolves with whether anything was new.
   */
  update(): Promise<boolean> {
    this.#again = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<boolean> {
    let news = false;
    while (this.#again) {
      this.#again = false;
      if (await this.#reader.read(this.#sink())) news = true;
    }
    return news;
  }

  usage(): TokenUsage {
    return this.ledger.byModel().reduce((sum, model) => addUsage(sum, model.usage), noUsage);
  }

  #sink(): TranscriptSink {
    return {
      call: (call) => {
        this.ledger.add(call);
        this.#scheduleFlush();
        this.#saw(call.at);
        if (call.subagent) return;
        this.model = call.model;
        this.usedProvider = call.usedProvider;
        if (!this.#countsContext) this.context = { used: promptTokens(call.tokens) };
      },
      event: ({ type, data }) => {
        if (type === "compacted" && data.subagent !== true) this.context = undefined;
      },
      status: (status, at, detail) => {
        this.status = { status, at, detail };
        this.#saw(at);
      },
      model: (model) => {
        this.model = model;
      },
      reported: (cost) => {
        this.reported = cost;
      },
      context: (context) => {
        this.#countsContext = true;
        this.context = context;
      },
      windows: (windows, at) => {
        this.hasWindows = windows.length > 0;
        this.onWindows(windows, at);
      },
      facts: () => undefined,
      skip: (reason) => this.ledger.skip(reason),
    };
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    queueMicrotask(() => {
      this.#flushScheduled = false;
      this.onCalls();
    });
  }

  #saw(at: string): void {
    this.firstAt ??= at;
    if (this.lastAt === undefined || at > this.lastAt) this.lastAt = at;
  }
}

function promptTokens({ input, cacheWrite, cached }: CallTokens): number {
  return input + cacheWrite + cached;
}

/** Where a session's transcript is. */
export interface TranscriptSource {
  readonly adapter: AgentAdapter;
  readonly home: string;
  readonly sessionId: string;
  readonly log: ReadLog;
}

/** Where a session's transcript is and how to price it. */
export interface AccountSource extends TranscriptSource {
  readonly price: PriceCall;
}

/** A ledger that leaves out what older sessions have (forks). `known`: the calls that the store has of it. */
export async function openLedger(source: AccountSource, known: readonly PricedCall[] = []): Promise<Ledger> {
  return new Ledger(source.adapter.provider, source.price, await relatedCalls(source), known);
}

/** The ids of the calls that a session shares with older ones (forks), which count there. */
export async function relatedCalls(source: TranscriptSource): Promise<ReadonlySet<string>> {
  const foreign = new Set<string>();
  await readRelatives(source, "usage", { ...nothing, call: ({ id }) => foreign.add(id) });
  return foreign;
}

/** An account that leaves out what older sessions have (forks). `known`: the calls that the store has of it. */
export async function openAccount(source: AccountSource, known: readonly PricedCall[] = []): Promise<SessionAccount> {
  const { adapter, home, sessionId, log } = source;
  const ledger = await openLedger(source, known);
  return new SessionAccount(ledger, new TranscriptReader(adapter, home, sessionId, "usage", log));
}

/** The last events of a session; `types` leaves out the others before counting. */
export async function readEvents(
  source: TranscriptSource,
  wanted: { readonly types?: readonly AgentEventType[] | undefined; readonly limit: number },
): Promise<AgentEvent[]> {
  const { adapter, home, sessionId, log } = source;
  const foreign = await relatedEvents(source);
  const told = new Set<string>();
  let events: AgentEvent[] = [];
  const take = (one: TranscriptEvent) => {
    if (foreign.has(one.id) || told.has(one.id) || wanted.types?.includes(one.type) === false) return;
    told.add(one.id);
    events.push(shownEvent(one));
    // Bounded while reading: a long session has more events than any caller wants.
    if (events.length > 2 * wanted.limit) events = events.slice(-wanted.limit);
  };
  await new TranscriptReader(adapter, home, sessionId, "events", log).read({ ...nothing, event: take });
  return wanted.limit === 0 ? [] : events.slice(-wanted.limit);
}

/** The ids of the events that a session shares with older ones (forks). */
export async function relatedEvents(source: TranscriptSource): Promise<ReadonlySet<string>> {
  const foreign = new Set<string>();
  await readRelatives(source, "events", { ...nothing, event: ({ id }) => foreign.add(id) });
  return foreign;
}

/**
 * Follows a session's events: each call of the returned function resolves to those that are new since the last one, in the
 * transcript's order, and reads only what was written since.
 */
export function followEvents(source: TranscriptSource): () => Promise<readonly AgentEvent[]> {
  const { adapter, home, sessionId, log } = source;
  const reader = new TranscriptReader(adapter, home, sessionId, "events", log);
  const told = new Set<string>();
  let turn: Promise<readonly AgentEvent[]> = Promise.resolve([]);
  const read = async () => {
    const events: AgentEvent[] = [];
    const event = (one: TranscriptEvent) => {
      if (!told.has(one.id)) events.push(shownEvent(one));
      told.add(one.id);
    };
    await reader.read({ ...nothing, event });
    return events;
  };
  return () => {
    turn = turn.catch(() => []).then(read);
    return turn;
  };
}

async function readRelatives(
  source: TranscriptSource,
  purpose: "usage" | "events",
  sink: TranscriptSink,
): Promise<void> {
  const { adapter, home, sessionId } = source;
  for (const relative of await adapter.relatedSessions(home, sessionId)) {
    const reader = new TranscriptReader(adapter, home, relative.sessionId, purpose, { problem: () => {} });
    await reader.read(sink, relative.files);
  }
}

/** A sink that takes nothing. */
export const nothing: TranscriptSink = {
  call: () => {},
  event: () => {},
  status: () => {},
  model: () => {},
  reported: () => {},
  context: () => {},
  windows: () => {},
  facts: () => {},
  skip: () => {},
};
