import { marksOption, showsDialog } from "../../core/protocol/screen-dialog.ts";
import type { AgentAdapter } from "./adapters/adapter.ts";
import type { StatusSignal } from "./agent-status.ts";
import type { AgentsOptions, ShellRef } from "./agents-options.ts";
import type { Clock } from "./clock.ts";

/** An agent whose state its screen may show. */
interface ScreenAgent {
  readonly session: ShellRef["sessionId"];
  readonly shellId: ShellRef["shellId"];
  readonly found: { readonly id: string; readonly adapter: Pick<AgentAdapter, "screenStatus"> };
  /** See `LiveAgent.byTranscript`. */
  readonly byTranscript: Pick<StatusSignal, "status" | "at"> | undefined;
  /** Its terminal reports its turns. */
  readonly isReported: boolean;
  /** See `LiveAgent.hasTerminal`. */
  readonly hasTerminal: boolean;
  receiveStatus(signal: StatusSignal): void;
}

interface Options<A> extends Pick<AgentsOptions, "screen" | "log"> {
  readonly clock: Clock;
  readonly agents: () => readonly A[];
  /** Called with each agent whose state has changed by its screen. */
  readonly changed: (agent: A) => void;
}

/** What was last seen of an agent's screen. */
interface Look {
  readonly text: string;
  /** Since when the screen and the record are the same, in ms. */
  readonly since: number;
  readonly status: keyof typeof DETAILS;
  /** The record of the transcript that the status belongs to. */
  readonly record: number;
  /** Since this record, the screen has shown a turn, or a dialog in it. */
  readonly hasShownTurn: boolean;
  readonly isBusy: boolean;
  /** Since when it shows neither a turn nor a dialog; undefined while it does. */
  readonly overSince: number | undefined;
}

/** A screen that shows no turn for so long shows that there is none: the programs draw the seconds of a turn. */
const QUIET_MS = 3000;
/** As `QUIET_MS`, where the screen has shown for certain that a turn runs. */
const REDRAWN_MS = 400;
/** A screen that shows a turn or a dialog is looked at again after so long. */
const AGAIN_MS = 150;
/** A dialog that has stood for so long may stand for hours. */
const ANSWERED_SOON_MS = 60_000;
/** A dialog that the transcript shows as the end of an answer is drawn within this time. */
const DIALOG_WITHIN_MS = 60_000;

/**
 * Reads the state of agents from their screens, where their transcripts cannot tell: a dialog in a turn, a turn that a key has ended.
 * Once it has looked, it follows screens that show a turn or a new dialog.
 */
export class ScreenStatus<A extends ScreenAgent> implements Disposable {
  readonly #options: Options<A>;
  readonly #looks = new Map<string, Look>();
  #stopTimer: (() => void) | undefined;
  #disposed = false;

  constructor(options: Options<A>) {
    this.#options = options;
  }

  /**
   * Looks at the screens of the agents that may work or wait by their transcripts alone. Never rejects.
   *
   * @param updated an agent that has changed otherwise, which is told after the look
   */
  async look(updated?: A): Promise<void> {
    const { agents, changed, log } = this.#options;
    try {
      for (const agent of await this.#lookAt(agents())) changed(agent);
      if (updated !== undefined) changed(updated);
    } catch (error) {
      log("what screens show of agents could not be told", { error: String(error) });
    }
    this.#follow();
  }

  /** Resolves to the agents whose state has changed. */
  async #lookAt(all: readonly A[]): Promise<readonly A[]> {
    const { screen } = this.#options;
    if (screen === undefined) return [];
    const ids = new Set(all.map(({ found }) => found.id));
    for (const id of this.#looks.keys()) if (!ids.has(id)) this.#looks.delete(id);
    const changed: A[] = [];
    for (const agent of all) {
      const { screenStatus } = agent.found.adapter;
      if (screenStatus === undefined || !this.#isOpen(agent)) {
        this.#looks.delete(agent.found.id);
        continue;
      }
      const { session: sessionId, shellId } = agent;
      const text = await screen({ sessionId, shellId }).catch(() => undefined);
      if (text !== undefined && this.#take(agent, text, screenStatus)) changed.push(agent);
    }
    return changed;
  }

  /** Looks again soon, while a screen shows a turn, its end, or a dialog that a person may be about to answer. */
  #follow(): void {
    const now = this.#options.clock.now();
    const mayChange = ({ status, isBusy, hasShownTurn, since }: Look) =>
      status !== "idle" && hasShownTurn && (isBusy || now - since < ANSWERED_SOON_MS);
    this.#stopTimer?.();
    const follows = !this.#disposed && [...this.#looks.values()].some(mayChange);
    this.#stopTimer = follows ? this.#options.clock.after(AGAIN_MS, () => void this.look()) : undefined;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#stopTimer?.();
  }

  /** Whether only the screen shows what an agent does now. */
  #isOpen({ byTranscript, isReported, hasTerminal, found: { id, adapter } }: ScreenAgent): boolean {
    if (!hasTerminal) return false;
    if (adapter.screenStatus?.alone === true) return !isReported;
    if (byTranscript === undefined) return false;
    // A program that tries a failed call again records each failure: its turn goes on.
    if (
      byTranscript.status === "working" ||
      byTranscript.status === "error" ||
      this.#looks.get(id)?.status === "waiting"
    )
      return true;
    const age = this.#options.clock.now() - byTranscript.at;
    return adapter.screenStatus?.omitsCalls === true && byTranscript.status === "idle" && age < DIALOG_WITHIN_MS;
  }

  #take(agent: ScreenAgent, text: string, { busy, waits, alone }: NonNullable<AgentAdapter["screenStatus"]>): boolean {
    const now = this.#options.clock.now();
    const before = this.#looks.get(agent.found.id);
    const record = agent.byTranscript?.at ?? 0;
    const isSame = before?.text === text && before.record === record;
    const since = isSame ? before.since : now;
    // A dialog whose options cannot be read as such is no end of a turn.
    const isBusy = busy.test(text);
    const asks = showsDialog(text) || waits?.test(text) === true;
    const hasFailed = agent.byTranscript?.status === "error";
    // A failed call is part of a turn, in which it may be tried again.
    const hasShownTurn = isBusy || asks || hasFailed || (before?.record === record && before.hasShownTurn);
    const overSince = isBusy || asks ? undefined : (before?.overSince ?? now);
    const isQuiet = !isBusy && !marksOption(text) && isOver({ overSince, since, hasShownTurn }, now, alone === true);
    // A screen that alone tells a turn tells nothing while it is drawn anew.
    const otherwise = alone && !isBusy ? (before?.status ?? "idle") : "working";
    const status = asks ? "waiting" : isQuiet ? "idle" : otherwise;
    this.#looks.set(agent.found.id, { text, since, status, record, hasShownTurn, isBusy, overSince });
    const isShown = alone === true || hasFailed;
    if (before?.status === status && (before.record === record || (status === "working" && !hasFailed))) return false;
    if (before === undefined && status === "working" && !isShown) return false;
    const shows = isShown && { isShown: true as const };
    agent.receiveStatus({ source: "screen", status, detail: DETAILS[status], at: now, ...shows });
    return true;
  }
}

/** What a program draws below a turn that is over changes nothing; where the turn was not seen, nothing may change. */
function isOver(
  { overSince, since, hasShownTurn }: Pick<Look, "overSince" | "since" | "hasShownTurn">,
  now: number,
  alone: boolean,
): boolean {
  if (alone) return now - since >= REDRAWN_MS;
  return hasShownTurn ? now - (overSince ?? now) >= REDRAWN_MS : now - since >= QUIET_MS;
}

const DETAILS = {
  waiting: "its screen shows a dialog",
  idle: "its screen shows no turn",
  working: "its screen changes",
} as const;
