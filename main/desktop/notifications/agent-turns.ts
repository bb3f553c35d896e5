import type { Agent } from "../../../core/protocol/agent-records.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";

/** A shorter turn ends before the user has looked away. */
const WORTH_TELLING_MS = 10_000;

/** A turn that an agent has finished. */
export interface AgentTurn {
  readonly agent: Agent;
  /** When it began, in ms since the epoch. */
  readonly since: number;
}

/**
 * Tracks the turns of one session's agents: from the first work to the next idle state, including all waiting. A failed
 * turn is reported however short it was, because its agent does not continue.
 */
export class AgentTurns {
  readonly #since = new Map<ShellId, number>();

  /** The turn that this event ends; undefined for other events and for very short turns. */
  endedBy(event: RelayEvent): AgentTurn | undefined {
    if (event.type === "agent.ended") this.#since.delete(event.data.shellId);
    if (event.type !== "agent.started" && event.type !== "agent.updated") return undefined;
    const { shellId, state, since: at } = event.data;
    const changed = at === undefined ? Number.NaN : Date.parse(at);
    if (state === "working" && !this.#since.has(shellId)) this.#since.set(shellId, changed);
    if (state !== "idle" && state !== "error") return undefined;
    const since = this.#since.get(shellId);
    this.#since.delete(shellId);
    if (since === undefined) return undefined;
    return state === "error" || changed - since >= WORTH_TELLING_MS ? { agent: event.data, since } : undefined;
  }
}
