import { basename } from "node:path";
import type { AgentSessionDetails, TokenUsage } from "../../core/protocol/agent-records.ts";
import { shownLine } from "../../core/protocol/shown-line.ts";
import type { SessionFacts, TranscriptEvent, TranscriptSink } from "./adapters/adapter.ts";
import { addUsage, dollars, noUsage, type PricedCall, usageOfCall } from "./ledger.ts";
import { type AccountSource, nothing, openLedger, relatedEvents } from "./session-account.ts";
import { TranscriptReader } from "./transcript-reader.ts";

/** The last turns are listed. */
const MAX_TURNS = 200;
const MAX_TOOLS = 100;
const MAX_SUBAGENTS = 200;
const MAX_TEXT = 200;

type Details = Omit<AgentSessionDetails, "sessionId" | "agentType" | "model">;
type Turn = Details["turns"][number];
type Tool = Details["tools"][number];
type Subagent = Details["subagents"][number];

/**
 * Reads all of a session's transcript for what it cost by turn and sub-agent, and how long its tools took.
 *
 * @param known the calls that the store has of it, with the prices that they were counted with
 */
export async function readDetails(source: AccountSource, known: readonly PricedCall[] = []): Promise<Details> {
  const { adapter, home, sessionId, log } = source;
  const ledger = await openLedger(source, known);
  const files = adapter.files(home, sessionId);
  const read = (purpose: "usage" | "events", sink: TranscriptSink, path: string | undefined, isMain: boolean) => {
    const only = isMain
      ? { main: path, subagents: [] }
      : { main: undefined, subagents: path === undefined ? [] : [path] };
    return new TranscriptReader(adapter, home, sessionId, purpose, log).read(sink, only);
  };
  const events = new Events(await relatedEvents(source));
  /** By the id of a call, the file of the sub-agent that made it; "" where it has no file of its own. */
  const callers = new Map<string, string>();
  let reported: number | undefined;
  for (const path of [files.main, ...files.subagents]) {
    const isMain = path === files.main;
    const call: TranscriptSink["call"] = (one) => {
      ledger.add(one);
      if (one.subagent && !callers.has(one.id)) callers.set(one.id, isMain ? "" : (path ?? ""));
    };
    await read("usage", { ...nothing, call, reported: (cost) => (reported = cost) }, path, isMain);
    await read("events", { ...nothing, event: events.take(path ?? ""), facts: events.learn }, path, isMain);
  }
  const calls = [...ledger.all()];
  const tokenUsage = usageOf(calls);
  return {
    ...events.facts,
    tokenUsage,
    ...(reported !== undefined && { reported, difference: dollars(reported - tokenUsage.cost) }),
    turnCount: events.prompts.length,
    turns: turnsOf(events, calls),
    tools: events.toolTimes(),
    subagents: subagentsOf(source, files.subagents, events, { calls, callers }),
  };
}

/** What the events of a session tell of its turns and tools. */
class Events {
  facts: SessionFacts = {};
  /** Times of the user's prompts. */
  readonly prompts: string[] = [];
  /** The time of the last event of each turn. */
  readonly ends: string[] = [];
  readonly #known: Set<string>;
  readonly #open = new Map<string, { readonly name: string; readonly at: number }>();
  readonly #tools = new Map<string, Tool>();
  /** By the id of a tool call, the file that it stands in. */
  readonly #calledIn = new Map<string, string>();

  /** `foreign`: ids of events that are an older session's. */
  constructor(foreign: ReadonlySet<string>) {
    this.#known = new Set(foreign);
  }

  readonly learn = (facts: SessionFacts): void => {
    this.facts = { ...this.facts, ...facts };
  };

  calledIn(toolUse: string): string | undefined {
    return this.#calledIn.get(toolUse);
  }

  take(path: string): (event: TranscriptEvent) => void {
    return (event) => {
      if (this.#known.has(event.id)) return;
      this.#known.add(event.id);
      if (event.type === "user_message") {
        this.prompts.push(event.at);
        this.ends.push(event.at);
      } else if (event.data.subagent !== true && this.ends.length > 0) this.ends[this.ends.length - 1] = event.at;
      this.#tool(event, path);
    };
  }

  /** The tools by the time that they took. */
  toolTimes(): Tool[] {
    const tools = [...this.#tools.values()].sort((one, other) => other.ms - one.ms || other.calls - one.calls);
    return tools.slice(0, MAX_TOOLS);
  }

  #tool({ type, at, text, data }: TranscriptEvent, path: string): void {
    const id = String(data.id ?? "");
    if (type === "tool_call") {
      const name = shownLine(text, MAX_TEXT);
      const tool = this.#tools.get(name) ?? { name, calls: 0, failed: 0, ms: 0, longestMs: 0 };
      this.#tools.set(name, { ...tool, calls: tool.calls + 1 });
      this.#open.set(id, { name, at: Date.parse(at) });
      this.#calledIn.set(id, path);
    } else if (type === "tool_result") {
      const call = this.#open.get(id);
      const tool = call && this.#tools.get(call.name);
      if (call === undefined || tool === undefined) return;
      this.#open.delete(id);
      const ms = Math.max(0, Date.parse(at) - call.at) || 0;
      const failed = tool.failed + Number(data.isError === true);
      this.#tools.set(call.name, { ...tool, failed, ms: tool.ms + ms, longestMs: Math.max(tool.longestMs, ms) });
    }
  }
}

/**
 * Divides the calls among the turns. A turn lasts from its prompt to the next one; its sub-agents count in it. What precedes
 * the first prompt is in none.
 */
export function turnsOf({ prompts, ends }: Pick<Events, "prompts" | "ends">, calls: readonly PricedCall[]): Turn[] {
  const turns = prompts.map((at, index) => ({ at, end: ends[index] ?? at, calls: [] as PricedCall[] })).sort(byTime);
  let next = 0;
  for (const call of [...calls].sort(byTime)) {
    while (hasBegun(turns[next], call.at)) next += 1;
    turns[next - 1]?.calls.push(call);
  }
  return turns.slice(-MAX_TURNS).map(({ at, end, calls: own }) => {
    const last = own.reduce((latest, call) => Math.max(latest, Date.parse(call.at)), Date.parse(end));
    return { at, ms: Math.max(0, last - Date.parse(at)) || 0, calls: own.length, tokenUsage: usageOf(own) };
  });
}

interface Timed {
  readonly at: string;
}

function byTime({ at: one }: Timed, { at: other }: Timed): number {
  return one < other ? -1 : Number(one > other);
}

function hasBegun(turn: Timed | undefined, at: string): boolean {
  return turn !== undefined && turn.at <= at;
}

interface Callers {
  readonly calls: readonly PricedCall[];
  readonly callers: ReadonlyMap<string, string>;
}

/** The sub-agents, each with the one that started it; those without a file of their own are one without a name. */
function subagentsOf(
  { adapter }: AccountSource,
  paths: readonly string[],
  events: Events,
  { calls, callers }: Callers,
): Subagent[] {
  const of = (path: string) => calls.filter(({ id }) => callers.get(id) === path);
  const named = paths.slice(0, MAX_SUBAGENTS).map((path): Subagent => {
    const { type, description, toolUse, parent } = adapter.subagent?.(path) ?? {};
    const starter = toolUse === undefined ? undefined : events.calledIn(toolUse);
    const own = of(path);
    return {
      id: subagentId(path),
      parent: parent ?? (starter !== undefined && paths.includes(starter) ? subagentId(starter) : null),
      ...(type !== undefined && { type: shownLine(type, MAX_TEXT) }),
      ...(description !== undefined && { description: shownLine(description, MAX_TEXT) }),
      calls: own.length,
      tokenUsage: usageOf(own),
    };
  });
  const others = of("");
  return others.length === 0
    ? named
    : [...named, { id: "", parent: null, calls: others.length, tokenUsage: usageOf(others) }];
}

/** Returns the id of a sub-agent: the name of its transcript, without what all of them have. */
export function subagentId(path: string): string {
  return basename(path)
    .replace(/\.jsonl?$/, "")
    .replace(/^agent-|^rollout-.{20}/, "");
}

function usageOf(calls: readonly PricedCall[]): TokenUsage {
  return calls.reduce((total, call) => addUsage(total, usageOfCall(call)), noUsage);
}
