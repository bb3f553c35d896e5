import type { StatusSignal } from "./agent-status.ts";
import type { AgentsOptions, ShellRef } from "./agents-options.ts";
import type { Clock } from "./clock.ts";

/** An agent that may be said to work without doing so. */
interface WorkingAgent {
  readonly session: ShellRef["sessionId"];
  readonly shellId: ShellRef["shellId"];
  readonly found: { readonly id: string };
  /** See `LiveAgent.toldToWorkAt`. */
  readonly toldToWorkAt: number | undefined;
  /** Takes that its terminal shows work. */
  showsWork(at: number): void;
}

interface Options extends Pick<AgentsOptions, "screen"> {
  readonly clock: Pick<Clock, "now">;
}

/** Programs repeat their titles while they work, so that few screens are looked at. */
const LOOK_AFTER_MS = 5000;
/** A terminal in which nothing changes for so long shows no work: programs draw the seconds of a turn. */
export const UNSUPPORTED_AFTER_MS = 30_000;

/** Looks at the terminals of agents that were said to work and of which nothing was heard since: what is drawn there is a sign of work. */
export class SignsOfWork {
  readonly #options: Options;
  readonly #looks = new Map<string, { readonly text: string; readonly at: number }>();

  constructor(options: Options) {
    this.#options = options;
  }

  async look(agents: readonly WorkingAgent[]): Promise<void> {
    const { screen, clock } = this.#options;
    const ids = new Set(agents.map(({ found }) => found.id));
    for (const id of this.#looks.keys()) if (!ids.has(id)) this.#looks.delete(id);
    for (const agent of agents) {
      const { id } = agent.found;
      const now = clock.now();
      const before = this.#looks.get(id);
      if (agent.toldToWorkAt === undefined) this.#looks.delete(id);
      if (agent.toldToWorkAt === undefined || now - Math.max(before?.at ?? 0, agent.toldToWorkAt) < LOOK_AFTER_MS)
        continue;
      const text = await screen?.({ sessionId: agent.session, shellId: agent.shellId }).catch(() => undefined);
      this.#looks.set(id, { text: text ?? "", at: now });
      // What cannot be looked at shows nothing, for or against.
      if (text === undefined || (before !== undefined && before.text !== text)) agent.showsWork(now);
    }
  }
}

/** The state of an agent of which nothing supports any more that it works. */
export function withoutSupport(told: StatusSignal, heardAt: number, now: number): StatusSignal {
  const until = heardAt + UNSUPPORTED_AFTER_MS;
  if (told.status !== "working" || now < until) return told;
  const detail = `nothing has shown work for ${UNSUPPORTED_AFTER_MS / 1000} s; ${told.source} said: ${told.detail}`;
  return { source: "screen", status: "unknown", detail, at: until };
}
