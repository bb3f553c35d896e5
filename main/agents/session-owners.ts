import type { JoinRequest, PromptOrigin } from "./adapters/adapter.ts";
import type { LiveAgent } from "./live-agent.ts";
import type { UsageStore } from "./usage-store.ts";

/** Knows which agent session was whose, so that no guess gives one agent's session to another. */
export class SessionOwners {
  readonly #store: Pick<UsageStore, "runs">;
  /** By agent session, the agent (its process) that worked on it last. */
  readonly #owners = new Map<string, string>();

  constructor(store: Pick<UsageStore, "runs">) {
    this.#store = store;
  }

  claim({ kind, joined, found }: LiveAgent): void {
    if (joined !== undefined) this.#owners.set(`${kind}/${joined.sessionId}`, found.id);
  }

  /** Was the agent session another agent's, also of one that has ended, or of an earlier relay's in another shell? */
  isOthers(agent: LiveAgent, sessionId: string): boolean {
    return this.#seenIn(agent, sessionId) === "elsewhere";
  }

  /** What an adapter may know of an agent and its neighbours to tell its session; `cwd` is the agent's folder. */
  joinRequest(agent: LiveAgent, agents: Iterable<LiveAgent>, cwd: string, now: number): JoinRequest {
    const { found, joined } = agent;
    const others = [...agents].filter((other) => other !== agent && other.kind === agent.kind);
    const near = others.filter((other) => (other.joined?.cwd ?? other.lastSeen?.cwd) === cwd);
    if (near.length > 0) agent.sharedAt = now;
    return {
      process: found.process,
      launchedAt: found.launchedAt,
      cwd,
      known: joined,
      alone: near.length === 0,
      ...(agent.sharedAt !== undefined && { aloneSince: agent.sharedAt }),
      taken: (sessionId) => others.some((other) => other.joined?.sessionId === sessionId),
      seenIn: (sessionId) => this.#seenIn(agent, sessionId),
      prompted: (at) => promptOrigin(agent, near, at),
    };
  }

  #seenIn({ session, shellId, kind, found }: LiveAgent, sessionId: string): "here" | "elsewhere" | undefined {
    const owner = this.#owners.get(`${kind}/${sessionId}`);
    if (owner !== undefined) return owner === found.id ? "here" : "elsewhere";
    const runs = this.#store.runs(session).filter((run) => run.agentType === kind && run.sessionId === sessionId);
    if (runs.length === 0) return undefined;
    return runs.some((run) => run.shellId === shellId) ? "here" : "elsewhere";
  }
}

/** A prompt that two agents began to work on at the same time is of neither for certain. */
function promptOrigin(agent: LiveAgent, near: readonly LiveAgent[], at: number): PromptOrigin | undefined {
  const own = agent.promptOrigin(at);
  const others = near.some((other) => other.promptOrigin(at) === "own");
  if (own === "own") return others ? undefined : "own";
  return others ? "other" : own;
}
