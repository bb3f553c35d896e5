import { sep } from "node:path";
import type { ConversationMessage, KnownResume } from "../../core/protocol/conversations.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import { MAX_PROOF, type RestorableAgent } from "../../core/protocol/restore.ts";
import { isFolder } from "../system/is-folder.ts";
import { BESIDE, redactPart } from "../system/redact-part.ts";
import type { AgentAdapter, ResumeForm } from "./adapters/adapter.ts";
import type { KnownRun } from "./agent-reports.ts";
import type { ConversationName, Conversations, LocatedConversation } from "./conversations.ts";
import { isPlainLine, resumeCommand, shellLine } from "./program-start.ts";
import { ResumeStarts } from "./resume-starts.ts";
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
  readonly conversations: Pick<Conversations, "page" | "locate">;
}

/** An agent that ended so shortly before its shell was ended with it, as when the system shuts down. */
const ENDED_TOGETHER_MS = 3000;
/** Pages of a conversation in which its last prompt is looked for. */
const PROOF_PAGES = 5;
const PROOF_MESSAGES = 200;
const MOST_AGENTS = 8;
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/;

/** A conversation, and where its agent keeps it. */
type StoredKey = Pick<AgentRun, "agentType" | "sessionId" | "home">;

/**
 * Tells which conversations ran in a shell that has ended, and how any conversation is resumed. It changes nothing of
 * them.
 */
export class Resumes {
  readonly #options: ResumesOptions;
  /** Starts every resume: in the place of an ended shell, and in a new shell. */
  readonly starts = new ResumeStarts({
    of: ({ agentSessionId, agentType }) => this.#liveRun(agentSessionId, agentType),
    hasEnded: ({ agentSessionId }, session, shell) =>
      this.#options.store
        .runs(session)
        .some((run) => run.shellId === shell && run.sessionId === agentSessionId && run.endedAt !== undefined),
  });

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

  /**
   * Tells how a conversation that has a transcript on this machine is resumed in a new shell, wherever it ran.
   *
   * @throws RemoteError `unknown_agent_session`, `invalid_params`
   */
  find(conversation: ConversationName): KnownResume {
    const found = this.#options.conversations.locate(conversation);
    const { adapter, home, sessionId, cwd = "", run } = found;
    const key = { agentType: adapter.kind, sessionId, home };
    const { state, why } = this.#stateOf(key, adapter);
    const { name, args, env }: ProgramStart = run?.program ?? { name: adapter.kind, args: [], env: {} };
    const line =
      adapter.resume === undefined || state === "unsupported"
        ? { command: adapter.kind, leftOut: [] }
        : typedLine(adapter.resume, { name: isPlainLine([name], {}) ? name : adapter.kind, args }, sessionId);
    const live = this.#liveRun(sessionId, adapter.kind);
    const reason = state === "ready" ? placeProblem(found) : why;
    return {
      ...line,
      ...{ cwd, env },
      ...(reason !== undefined && { why: reason }),
      ...(live !== undefined && { runsIn: { session: live.session, shellId: live.shellId } }),
    };
  }

  #liveRun(sessionId: string, agentType: string | undefined): AgentRun | undefined {
    const isOf = ({ run }: KnownRun) =>
      run.sessionId === sessionId && (agentType === undefined || run.agentType === agentType);
    return this.#options.live.runs().find(isOf)?.run;
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

  #stateOf(run: StoredKey, adapter: AgentAdapter | undefined): Pick<RestorableAgent, "state" | "why"> {
    const { agentType, sessionId, home } = run;
    // It stands in a file that any program can write, and is typed into a shell.
    if (!SESSION_ID.test(sessionId)) return { state: "unsupported", why: "Its id is not one that an agent chooses." };
    if (adapter?.resume === undefined) {
      return { state: "unsupported", why: `${agentType} cannot resume a conversation by its id.` };
    }
    const live = this.#liveRun(sessionId, agentType);
    if (live !== undefined) return { state: "busy", why: `An agent works on it in shell ${live.shellId}.` };
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

/** Returns the line that resumes a conversation, of plain words: options that would need quotes are left out. */
function typedLine(
  form: ResumeForm,
  program: Pick<ProgramStart, "name" | "args">,
  sessionId: string,
): Pick<KnownResume, "command" | "leftOut"> {
  const { words, leftOut } = resumeCommand(form, program, sessionId);
  const length = 1 + form.words(sessionId).length;
  const options = words.slice(length);
  if (isPlainLine(options, {})) return { command: words.join(" "), leftOut: [...leftOut] };
  const names = options.filter((word) => word.startsWith("-")).map((word) => word.split("=", 1)[0] ?? word);
  return { command: words.slice(0, length).join(" "), leftOut: [...new Set([...leftOut, ...names])] };
}

/** Returns why a conversation cannot be resumed in the place where it was; undefined where it can. */
function placeProblem({ adapter, home, isOwn, cwd = "", run }: LocatedConversation): string | undefined {
  const isNamed = isOwn || adapter.home((name) => run?.program?.env[name]) === home;
  // Its options were those of an agent that was kept in there, and its paths are others here.
  if (!isNamed && home.endsWith(sep)) return "Its agent saw other files, as in a container: resume it there.";
  if (!isOwn && run?.program === undefined) {
    return `It is kept in ${home}: start the agent with the variables that choose this folder.`;
  }
  if (cwd === "") return "Its folder is not known.";
  return isFolder(cwd) ? undefined : `Its folder ${cwd} does not exist now.`;
}

function isPrompt({ role, kind }: ConversationMessage): boolean {
  return role === "user" && kind === "prompt";
}

/** Returns the beginning of a text without its secrets, also of one that the end of the beginning divides. */
function excerpt(text: string): string {
  const [beginning, after] = [text.slice(0, MAX_PROOF * 4), text.slice(MAX_PROOF * 4, MAX_PROOF * 4 + BESIDE)];
  const line = redactPart(beginning, { after }).replace(/\s+/g, " ").trim();
  return line.length > MAX_PROOF ? `${line.slice(0, MAX_PROOF - 1)}…` : line;
}

function wasCutOff({ endedAt }: AgentRun, shellEndedAt: string | undefined): boolean {
  if (endedAt === undefined) return true;
  if (shellEndedAt === undefined) return false;
  // Of a shell that seems to have ended long before its agent only the clock was set back.
  return Math.abs(Date.parse(shellEndedAt) - Date.parse(endedAt)) < ENDED_TOGETHER_MS;
}
