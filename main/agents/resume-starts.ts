import { RemoteError } from "../../core/protocol/errors.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { ConversationName } from "./conversations.ts";

/** A session in whose shells conversations are resumed. */
interface ResumingSession {
  readonly id: SessionId;
  readonly shells: { find(shell: ShellId): { readonly running: boolean } | undefined };
}

interface SessionShell {
  readonly session: SessionId;
  readonly shellId: ShellId;
}

/** A conversation that is being resumed: its agent may not have shown it yet. */
interface ResumeStart {
  readonly name: ConversationName;
  readonly session: ResumingSession;
  /** The new shell; undefined while it is created. */
  created: ShellId | undefined;
  /** When that began, or it was created, by `performance.now()`. */
  since: number;
}

/** The runs of agents that are known. */
interface Runs {
  /** Returns the shell in which an agent works on a conversation. */
  of(name: ConversationName): SessionShell | undefined;
  /** Tells whether an agent has worked on a conversation in a shell and has ended. */
  hasEnded(name: ConversationName, session: SessionId, shell: ShellId): boolean;
}

/** How long a shell may take to be created, and its agent to show the conversation that it resumes, in ms. */
const START_MS = 60_000;

/** Resumes each conversation in one shell at a time, whichever session, client or operation requests it. */
export class ResumeStarts {
  readonly #runs: Runs;
  readonly #starts = new Set<ResumeStart>();

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  /**
   * Returns why a conversation cannot be resumed now: an agent works on it, or is being started with it.
   *
   * @param session - the session of the caller; shells of other sessions are named as such
   */
  problem(name: ConversationName, session: SessionId): string | undefined {
    const live = this.#runs.of(name);
    if (live !== undefined) {
      return `An agent works on this conversation in ${shellName(live, session)}: go there instead.`;
    }
    for (const one of this.#starts) if (this.#hasPassed(one)) this.#starts.delete(one);
    const start = [...this.#starts].find((one) => isSame(one.name, name));
    if (start === undefined) return undefined;
    if (start.created === undefined) return "It is resumed already.";
    return `It is resumed in ${shellName({ session: start.session.id, shellId: start.created }, session)}.`;
  }

  /**
   * Resumes a conversation in the shell that `create` creates, and notes this before the agent shows it.
   *
   * @param session - the session in which the shell is created
   * @throws RemoteError `invalid_request` with the `problem`
   */
  async start(name: ConversationName, session: ResumingSession, create: () => Promise<ShellId>): Promise<ShellId> {
    const problem = this.problem(name, session.id);
    if (problem !== undefined) throw new RemoteError("invalid_request", problem);
    const start: ResumeStart = { name, session, created: undefined, since: performance.now() };
    this.#starts.add(start);
    try {
      const shellId = await create();
      start.created = shellId;
      start.since = performance.now();
      // It may have taken so long that it was counted as passed.
      this.#starts.add(start);
      return shellId;
    } catch (error) {
      this.#starts.delete(start);
      throw error;
    }
  }

  /** Tells whether a shell or the agent in it has ended, or the agent had the time to show its conversation. */
  #hasPassed({ name, session, created, since }: ResumeStart): boolean {
    if (performance.now() - since > START_MS) return true;
    if (created === undefined) return false;
    return session.shells.find(created)?.running !== true || this.#runs.hasEnded(name, session.id, created);
  }
}

/** Tells whether two names may mean one conversation: the kind of agent may be left out. */
function isSame(one: ConversationName, other: ConversationName): boolean {
  if (one.agentSessionId !== other.agentSessionId) return false;
  return one.agentType === undefined || other.agentType === undefined || one.agentType === other.agentType;
}

function shellName({ session, shellId }: SessionShell, own: SessionId): string {
  return session === own ? `shell ${shellId}` : `shell ${shellId} of another session`;
}
