import type { ConversationMessage } from "../../core/protocol/conversations.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import { MAX_PROOF, type RestorableAgent } from "../../core/protocol/restore.ts";
import type { AgentAdapter } from "./adapters/adapter.ts";
import type { KnownRun } from "./agent-reports.ts";
import type { Conversations } from "./conversations.ts";
import { isPlainLine, resumeCommand, shellLine } from "./program-start.ts";
import type { AgentRun, AgentSessionKey, ProgramStart, UsageStore } from "./usage-store.ts";

/** A conversation that can be resumed, with what starts its agent. */
interface ResumableRun extends RestorableAgent {
  /** The program and its arguments. */
  readonly exec: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `command` reads the same in every shell, not only in those that quote as a POSIX shell does. */
  readonly isPlain: boolean;
}

interface ResumesOptions {
  readonly store: UsageStore;
  readonly adapters: readonly AgentAdapter[];
  readonly live: { runs(): readonly KnownRun[] };
  readonly conversations: Pick<Conversations, "page">;
}

/** An agent that ended so shortly before its shell was ended with it, as when the system shuts down. */
const ENDED_TOGETHER_MS = 3000;
/** Pages of a conversation in which its last prompt is looked for. */
const PROOF_PAGES = 5;
const PROOF_MESSAGES = 200;
const MOST_AGENTS = 8;
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/;

/** Tells which conversations ran in a shell that has ended, and how each is resumed. It changes nothing of them. */
export class Resumes {
  readonly #options: ResumesOptions;

  constructor(options: ResumesOptions) {
    this.#options = options;
  }

  /**
   * The conversations of the agents that ran in a shell when it ended, the latest first.
   * @param endedAt - when it ended; undefined where that is not known
   */
  async list(session: SessionId, shell: ShellId, endedAt: string | undefined): Promise<ResumableRun[]> {
    const ran = this.#options.store
      .runs(session)
      .filter((run) => run.shellId === shell && run.startedBy === undefined && wasCutOff(run, endedAt))
      .sort((one, other) => (one.lastActivityAt < other.lastActivityAt ? 1 : -1))
      .slice(0, MOST_AGENTS);
    return Promise.all(ran.map((run) => this.#described(run)));
  }

  /** Notes that a conversation is resumed in another shell, before the agent shows it: so that it is not lost again. */
  note(session: SessionId, { agentType, sessionId }: AgentSessionKey, shells: { from: ShellId; to: ShellId }): void {
    const run = this.#options.store
      .runs(session)
      .find((one) => one.shellId === shells.from && one.agentType === agentType && one.sessionId === sessionId);
    if (run === undefined) return;
    this.#options.store.recordRun({ ...run, shellId: shells.to, endedAt: undefined });
    this.#options.store.removeRun(run);
  }

  async #described(run: AgentRun): Promise<ResumableRun> {
    const { agentType, sessionId, home, cwd, lastActivityAt } = run;
    const adapter = this.#options.adapters.find(({ kind }) => kind === agentType);
    const program: ProgramStart = run.program ?? { name: agentType, args: [], env: {} };
    const { state, why } = this.#stateOf(run, adapter);
    const form = adapter?.resume;
    const { words, leftOut } =
      form === undefined
        ? { words: [program.name], leftOut: [] }
        : resumeCommand(form, program, state === "empty" ? undefined : sessionId);
    return {
      ...{ agentType, sessionId, state, cwd, lastActivityAt, leftOut: [...leftOut] },
      ...(why !== undefined && { why }),
      ...(run.assumed === true && { assumed: true }),
      command: shellLine(words, program.env),
      exec: words,
      isPlain: isPlainLine(words, program.env),
      env: program.env,
      ...(adapter?.stored(home, sessionId) !== undefined && (await this.#proof(run))),
    };
  }

  #stateOf(run: AgentRun, adapter: AgentAdapter | undefined): Pick<RestorableAgent, "state" | "why"> {
    const { agentType, sessionId, home } = run;
    // It stands in a file that any program can write, and is typed into a shell.
    if (!SESSION_ID.test(sessionId)) return { state: "unsupported", why: "Its id is not one that an agent chooses." };
    if (adapter?.resume === undefined) {
      return { state: "unsupported", why: `${agentType} cannot resume a conversation by its id.` };
    }
    const live = this.#options.live
      .runs()
      .find((one) => one.run.agentType === agentType && one.run.sessionId === sessionId);
    if (live !== undefined) return { state: "busy", why: `An agent works on it in shell ${live.run.shellId}.` };
    const holder = adapter.holder?.(home, sessionId);
    if (holder !== undefined) return { state: "busy", why: `The process ${holder} works on it.` };
    if (adapter.stored(home, sessionId) !== undefined) return { state: "ready" };
    const calls = this.#options.store.sums(run).reduce((sum, one) => sum + one.calls, 0);
    if (calls === 0) return { state: "empty", why: "Nothing was said in it, so that the agent starts anew." };
    return { state: "missing", why: "Its transcript is not found now. What is known of it is kept." };
  }

  /** The last prompt and the last answer, by which people know a conversation. */
  async #proof({ agentType, sessionId }: AgentRun): Promise<Pick<RestorableAgent, "lastPrompt" | "lastAnswer">> {
    let before: string | undefined;
    let answer: string | undefined;
    try {
      for (let page = 0; page < PROOF_PAGES; page++) {
        const wanted = { agentSessionId: sessionId, agentType };
        const read = await this.#options.conversations.page(wanted, { before, limit: PROOF_MESSAGES }, () => []);
        const said = read.messages.filter(({ text }) => text.trim() !== "");
        answer ??= said.findLast(({ role, kind }) => role === "assistant" && kind === "text")?.text;
        const prompt = said.findLast(isPrompt)?.text;
        if (prompt !== undefined)
          return { lastPrompt: excerpt(prompt), ...(answer && { lastAnswer: excerpt(answer) }) };
        if (read.before === null) break;
        before = read.before;
      }
    } catch {
      // A transcript that cannot be read proves nothing; it is offered without proof.
    }
    return answer === undefined ? {} : { lastAnswer: excerpt(answer) };
  }
}

function isPrompt({ role, kind }: ConversationMessage): boolean {
  return role === "user" && kind === "prompt";
}

function excerpt(text: string): string {
  const line = text
    .slice(0, MAX_PROOF * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MAX_PROOF ? `${line.slice(0, MAX_PROOF - 1)}…` : line;
}

function wasCutOff({ endedAt }: AgentRun, shellEndedAt: string | undefined): boolean {
  if (endedAt === undefined) return true;
  if (shellEndedAt === undefined) return false;
  // Of a shell that seems to have ended long before its agent only the clock was set back.
  return Math.abs(Date.parse(shellEndedAt) - Date.parse(endedAt)) < ENDED_TOGETHER_MS;
}
