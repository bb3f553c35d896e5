import type { RelayFrame } from "../../../core/protocol/frames.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { SessionDiff } from "../../../core/protocol/mirror.ts";
import type { OverviewChange, OverviewPart } from "../../../core/protocol/overview-changes.ts";
import { Undo } from "../../../core/undo.ts";
import type { Guests } from "../access/guests.ts";
import type { Logins } from "../access/logins.ts";
import type { Budgets } from "../budgets/budgets.ts";
import { eachSession } from "../session/each-session.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";

/** What belongs together arrives together. */
const GATHER_MS = 50;
/** Programs change the titles of their shells many times a second. */
const AT_MOST_EVERY_MS = 1000;

/** `undefined`: the overview does not have it. */
const partOf = {
  session: undefined,
  client: "people",
  "client-gone": "people",
  shell: "shells",
  "shell-gone": "shells",
  chat: undefined,
  tunnels: undefined,
  agents: "agents",
  "adopt-request": "waits",
  "adopt-request-gone": "waits",
  "role-request": "waits",
  "role-request-gone": "waits",
  plugins: "waits",
  question: "waits",
  "question-gone": "waits",
  restrictions: "waits",
} as const satisfies Record<SessionDiff["kind"], OverviewPart | undefined>;

export interface WatchOverviewOptions {
  /** Whose sessions are watched. */
  readonly user: string;
  readonly sessions: Pick<Sessions, "onChange"> & {
    all(): readonly Pick<Session, "id" | "owner" | "state">[];
  };
  readonly guests: Pick<Guests, "onChange">;
  readonly logins: Pick<Logins, "onChange">;
  readonly budgets: Pick<Budgets, "onChange">;
}

/**
 * Tells which parts of the overview have changed, at most once a second.
 *
 * @param tell returns whether it has taken the change; what it has not taken is told again with the next one
 */
export class OverviewWatch implements Disposable {
  readonly #tell: (change: OverviewChange) => boolean;
  readonly #undo = new Undo();
  readonly #parts = new Set<OverviewPart>();
  readonly #changed = new Set<SessionId>();
  #toldAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WatchOverviewOptions, tell: (change: OverviewChange) => boolean) {
    const { user, sessions, guests, logins, budgets } = options;
    this.#tell = tell;
    this.#undo.add(sessions.onChange(() => this.#note("sessions")));
    this.#undo.add(eachSession(sessions, (session) => (session.owner === user ? this.#watch(session) : undefined)));
    this.#undo.add(guests.onChange(({ session }) => this.#note("people", session)));
    this.#undo.add(logins.onChange(() => this.#note("logins")));
    this.#undo.add(budgets.onChange(() => this.#note("budgets")));
    this.#undo.add(() => clearTimeout(this.#timer));
  }

  [Symbol.dispose](): void {
    this.#undo.dispose();
  }

  /** Tells what was not taken before. */
  resume(): void {
    if (this.#parts.size > 0) this.#schedule();
  }

  #watch({ id, state }: Pick<Session, "id" | "state">): () => void {
    const subscriber = { send: (frame: RelayFrame) => this.#take(frame, id) };
    state.subscribers.add(subscriber);
    return () => state.subscribers.delete(subscriber);
  }

  #take(frame: RelayFrame, session: SessionId): void {
    if (frame.type === "diff") {
      const part = partOf[frame.diff.kind];
      if (part !== undefined) this.#note(part, session);
    } else if (frame.type === "event" && frame.event.type === "receipt.changed") this.#note("prompts", session);
  }

  #note(part: OverviewPart, session?: SessionId): void {
    this.#parts.add(part);
    if (session !== undefined) this.#changed.add(session);
    this.#schedule();
  }

  #schedule(): void {
    const rest = this.#toldAt + AT_MOST_EVERY_MS - performance.now();
    this.#timer ??= setTimeout(() => this.#send(), Math.max(GATHER_MS, rest)).unref();
  }

  #send(): void {
    this.#timer = undefined;
    if (!this.#tell({ parts: [...this.#parts], sessions: [...this.#changed] })) return;
    this.#toldAt = performance.now();
    this.#parts.clear();
    this.#changed.clear();
  }
}
