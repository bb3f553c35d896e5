import type { Attributes, Span } from "@opentelemetry/api";
import type { Agent } from "../../../core/protocol/agent-records.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";

/** Who makes the models of the agents that have one provider: values of `gen_ai.provider.name`. */
const PROVIDERS: Readonly<Record<string, string>> = {
  claude: "anthropic",
  codex: "openai",
  gemini: "gcp.gemini",
};

/** A transcript may tell of the last call only after the agent's state has changed. */
const SETTLE_MS = 2_000;

/** A turn of an agent, as it is recorded at its end. */
interface RecordedTurn {
  readonly attributes: Attributes;
  readonly seconds: number;
  readonly input: number;
  readonly output: number;
}

interface AgentTurnsOptions {
  /** Begins the span of a turn. */
  readonly begin: (name: string, startedAt: Date) => Span;
  /** Records a turn that has ended. */
  readonly ended: (turn: RecordedTurn) => void;
}

interface Turn {
  readonly span: Span;
  readonly startedAt: number;
  /** What the agent session had used before. */
  readonly before: Agent["tokenUsage"];
  agent: Agent;
  /** Set once the agent is between turns. */
  endedAt: number | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** The states within a turn. */
const IN_TURN: ReadonlySet<Agent["state"]> = new Set(["working", "waiting"]);

/**
 * Follows the turns of agents as spans by OpenTelemetry's conventions for generative AI (`invoke_agent`), with tokens,
 * cost and state, and without a word of what was said.
 */
export class AgentTurns implements Disposable {
  readonly #options: AgentTurnsOptions;
  readonly #turns = new Map<string, Turn>();
  /** What the agents between turns have used. */
  readonly #used = new Map<string, Agent["tokenUsage"]>();

  constructor(options: AgentTurnsOptions) {
    this.#options = options;
  }

  /** Takes an event of a session. */
  take(session: string, { type, data }: RelayEvent): void {
    switch (type) {
      case "agent.started":
      case "agent.updated":
      case "agent.waiting":
        if (data.sessionId !== "") this.#changed(keyOf(session, data), data);
        break;
      case "agent.ended": {
        const key = keyOf(session, data);
        const turn = this.#turns.get(key);
        if (turn !== undefined) this.#close(key, Object.assign(turn, { agent: data }));
        this.#used.delete(key);
        break;
      }
      default:
    }
  }

  /** Ends what is open. */
  [Symbol.dispose](): void {
    for (const [key, turn] of this.#turns) this.#close(key, turn);
  }

  #changed(key: string, agent: Agent): void {
    const open = this.#turns.get(key);
    const isInTurn = IN_TURN.has(agent.state);
    if (open !== undefined && isInTurn && open.endedAt !== undefined) this.#close(key, open);
    const turn = this.#turns.get(key);
    if (turn === undefined) {
      if (isInTurn) this.#begin(key, agent);
      else this.#used.set(key, agent.tokenUsage);
      return;
    }
    turn.agent = agent;
    if (isInTurn || turn.endedAt !== undefined) return;
    turn.endedAt = timeOf(agent);
    turn.timer = setTimeout(() => this.#close(key, turn), SETTLE_MS).unref();
  }

  #begin(key: string, agent: Agent): void {
    const startedAt = timeOf(agent);
    this.#turns.set(key, {
      span: this.#options.begin(`invoke_agent ${agent.agentType}`, new Date(startedAt)),
      startedAt,
      before: this.#used.get(key) ?? agent.tokenUsage,
      agent,
      endedAt: undefined,
      timer: undefined,
    });
  }

  #close(key: string, { span, startedAt, before, agent, endedAt = Date.now(), timer }: Turn): void {
    clearTimeout(timer);
    this.#turns.delete(key);
    const { agentType, model, sessionId, shellId, state, tokenUsage } = agent;
    this.#used.set(key, tokenUsage);
    const cached = tokenUsage.cached - before.cached;
    const input = tokenUsage.input - before.input + cached;
    const output = tokenUsage.output - before.output;
    const attributes = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": PROVIDERS[agentType] ?? agentType,
      ...(model === "" ? {} : { "gen_ai.request.model": model }),
    };
    span.setAttributes({
      ...attributes,
      "gen_ai.agent.name": agentType,
      "gen_ai.conversation.id": sessionId,
      "gen_ai.usage.input_tokens": input,
      "gen_ai.usage.cache_read.input_tokens": cached,
      "gen_ai.usage.output_tokens": output,
      "patchbay.cost_usd": tokenUsage.cost - before.cost,
      "patchbay.shell.id": shellId,
      ...(state === "error" ? { "error.type": "agent_error" } : {}),
    });
    span.end(new Date(endedAt));
    this.#options.ended({ attributes, seconds: Math.max(0, endedAt - startedAt) / 1000, input, output });
  }
}

function keyOf(session: string, { shellId, agentType, sessionId }: Agent): string {
  return `${session} ${shellId} ${agentType} ${sessionId}`;
}

function timeOf({ since }: Agent): number {
  return since === undefined ? Date.now() : Date.parse(since);
}
