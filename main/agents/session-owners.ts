import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { JoinRequest, PromptOrigin } from "./adapters/adapter.ts";
import type { LiveAgent } from "./live-agent.ts";
import type { SessionEvidence } from "./session-evidence.ts";
import type { UsageStore } from "./usage-store.ts";

/** A transcript and the start of a process have clocks that may differ by this much. */
const LAUNCH_SLACK_MS = 500;

/** Knows which agent session was whose, so that no guess gives one agent's session to another. */
export class SessionOwners {
  readonly #store: Pick<UsageStore, "runs">;
  readonly #evidence: Pick<SessionEvidence, "shownIn">;
  /** By agent session, the agent (its process) that worked on it last. */
  readonly #owners = new Map<string, string>();
  /** By session, the shells in which its agent sessions ran, as they were read in this turn of the event loop. */
  readonly #shells = new Map<SessionId, ReadonlyMap<string, ReadonlySet<ShellId>>>();

  constructor(store: Pick<UsageStore, "runs">, evidence: Pick<SessionEvidence, "shownIn">) {
    this.#store = store;
    this.#evidence = evidence;
  }

  claim({ kind, joined, found }: LiveAgent): void {
    if (joined !== undefined) this.#owners.set(`${kind}/${joined.sessionId}`, found.id);
  }

  /** Withdraws an agent's claim to the session that it was assumed to work on. */
  release({ kind, joined, found }: LiveAgent): void {
    const key = `${kind}/${joined?.sessionId}`;
    if (this.#owners.get(key) === found.id) this.#owners.delete(key);
    this.#shells.clear();
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
    if (near.length > 0) {
      const from = Math.min(...near.map((other) => other.found.launchedAt), agent.shared?.from ?? now);
      agent.shared = { from, until: now };
    }
    const { shared } = agent;
    const taken = new Set(others.map((other) => other.joined?.sessionId));
    return {
      process: found.process,
      launchedAt: found.launchedAt,
      cwd,
      known: joined,
      aloneAt: (at) => shared === undefined || at < shared.from - LAUNCH_SLACK_MS || at > shared.until,
      taken: (sessionId) => taken.has(sessionId),
      seenIn: (sessionId) => this.#seenIn(agent, sessionId),
      shownIn: (sessionId, since) =>
        agent.startedBy === undefined ? this.#evidence.shownIn(agent, near, sessionId, since) : undefined,
      prompted: (at) => promptOrigin(agent, near, at),
    };
  }

  #seenIn({ session, shellId, kind, found }: LiveAgent, sessionId: string): "here" | "elsewhere" | undefined {
    const owner = this.#owners.get(`${kind}/${sessionId}`);
    if (owner !== undefined) return owner === found.id ? "here" : "elsewhere";
    const shells = this.#shellsOf(session).get(`${kind}/${sessionId}`);
    if (shells === undefined) return undefined;
    return shells.has(shellId) ? "here" : "elsewhere";
  }

  /** Read once for all agents and transcripts of a poll: a program can make thousands of both. */
  #shellsOf(session: SessionId): ReadonlyMap<string, ReadonlySet<ShellId>> {
    const known = this.#shells.get(session);
    if (known !== undefined) return known;
    const read = new Map<string, Set<ShellId>>();
    for (const { agentType, sessionId, shellId } of this.#store.runs(session)) {
      const key = `${agentType}/${sessionId}`;
      read.set(key, (read.get(key) ?? new Set()).add(shellId));
    }
    if (this.#shells.size === 0) setImmediate(() => this.#shells.clear());
    this.#shells.set(session, read);
    return read;
  }
}

/** A prompt that two agents began to work on at the same time is of neither for certain. */
function promptOrigin(agent: LiveAgent, near: readonly LiveAgent[], at: number): PromptOrigin | undefined {
  const own = agent.promptOrigin(at);
  const others = near.some((other) => other.promptOrigin(at) === "own");
  if (own === "own") return others ? undefined : "own";
  return others ? "other" : own;
}
