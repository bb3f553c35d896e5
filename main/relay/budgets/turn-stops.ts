import type { Agent } from "../../../core/protocol/agent-records.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { QuestionReceipt } from "../../../core/protocol/questions.ts";
import type { AgentsPort } from "../session/ports.ts";
import type { Session } from "../session/session.ts";
import type { AgentPlace } from "./spending.ts";

interface TurnStopsOptions extends Pick<AgentsPort, "interruptKeys" | "stopTurn"> {
  readonly session: (id: SessionId) => Session | undefined;
}

type Settle = (state: QuestionReceipt["state"], evidence: string) => void;

interface TurnStop {
  readonly places: readonly AgentPlace[];
  readonly settle: Settle;
  readonly timer: NodeJS.Timeout;
}

const UNCONFIRMED_AFTER_MS = 10_000;

/** Stops the turns of agents by the agents' own keys, and finds out whether they have stopped. */
export class TurnStops implements Disposable {
  readonly #options: TurnStopsOptions;
  readonly #open = new Set<TurnStop>();

  constructor(options: TurnStopsOptions) {
    this.#options = options;
  }

  /** Types the keys where an agent is in a turn. `settle` is told whether all of them have stopped. */
  stop(places: readonly AgentPlace[], settle: Settle): void {
    const timer = setTimeout(() => settle("unconfirmed", "an agent works on"), UNCONFIRMED_AFTER_MS);
    timer.unref();
    this.#open.add({ places: places.filter((place) => this.#isInTurn(place)), settle, timer });
    for (const place of places) {
      // A turn may go on without its terminal. What has none is none.
      if (this.#agent(place) === undefined)
        this.#options.stopTurn(place.session, place.sessionId).catch(() => undefined);
      const keys = this.#options.interruptKeys(place.agentType);
      if (keys === undefined || !this.#isInTurn(place) || this.#agent(place)?.inPane === true) continue;
      // A shell that has ended meanwhile has no turn to stop.
      this.#options
        .session(place.session)
        ?.shells.write(place.shellId, keys)
        .catch(() => undefined);
    }
    this.look();
  }

  /** The agents' states have changed. */
  look(): void {
    for (const stop of this.#open) {
      if (stop.places.some((place) => this.#isInTurn(place))) continue;
      this.#open.delete(stop);
      clearTimeout(stop.timer);
      stop.settle("confirmed", "no agent of this budget is in a turn");
    }
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#open) clearTimeout(timer);
    this.#open.clear();
  }

  #isInTurn(place: AgentPlace): boolean {
    const state = this.#agent(place)?.state;
    return state === "working" || state === "waiting" || state === "unknown";
  }

  #agent(place: AgentPlace): Agent | undefined {
    return liveAgent(this.#options.session(place.session), place);
  }
}

/** Returns an agent where it was last seen, if it runs there now. */
export function liveAgent(
  session: Session | undefined,
  { shellId, agentType, sessionId }: AgentPlace,
): Agent | undefined {
  return session?.state.now.agents.find(
    (agent) => agent.shellId === shellId && agent.agentType === agentType && agent.sessionId === sessionId,
  );
}
