import type { AgentEvent, AgentStatus } from "../../../core/protocol/agent-records.ts";
import type { ProcessInfo } from "../../system/processes/process-source.ts";

/** How sure a process's looks make us. "likely" counts only once a transcript of its own has been found as well. */
export type Recognition = "certain" | "likely";

/** A status that an agent's own file reports, and when it changed (ms since the epoch). */
export interface ReportedStatus {
  readonly status: AgentStatus;
  readonly detail: string;
  readonly at: number;
}

/** The agent session that a process works on. */
export interface JoinedSession {
  readonly sessionId: string;
  /** The agent's own data folder; nothing outside of it is read. */
  readonly home: string;
  readonly cwd: string;
  readonly reported?: ReportedStatus;
  /** The session that was taken for the process's before, and has turned out to be another's. */
  readonly insteadOf?: string;
}

/**
 * Whose prompt a transcript tells of, by what the terminals reported at that time: this agent's; certainly another's; or
 * `unheard`, where this agent's terminal reports its turns and told of none.
 */
export type PromptOrigin = "own" | "other" | "unheard";

/** A process to join. `launchedAt` is the start of the outermost process of the same program, in ms. */
export interface JoinRequest {
  readonly process: ProcessInfo;
  readonly launchedAt: number;
  readonly cwd: string;
  readonly known: JoinedSession | undefined;
  /** Is the agent session another process's? */
  taken(sessionId: string): boolean;
  /** No other agent of this kind is in the same folder; with one a guess would be a coin toss. */
  readonly alone: boolean;
  /** Since when it is alone there, in ms; absent when it always was. */
  readonly aloneSince?: number;
  /** Where was the agent session seen before? undefined: nowhere. */
  seenIn?(sessionId: string): "here" | "elsewhere" | undefined;
  /** Whose prompt was it that a transcript holds at this time (ms)? undefined where the terminals do not tell. */
  prompted?(at: number): PromptOrigin | undefined;
}

/** What a process was joined to before has turned out to be another's, and nothing else is known to be its own. */
export const NO_SESSION = "not joined";

/** A process that ended before its session was known. Times in ms. */
export interface EndedProcess {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly home: string;
  readonly cwd: string;
  readonly launchedAt: number;
  /** It had ended by then. */
  readonly endedAt: number;
  /** How far off `launchedAt` may be. */
  readonly inaccuracy: number;
  taken(sessionId: string): boolean;
}

/** Tokens of one API call, in the parts that have different prices. `cacheWrite` includes `cacheWrite1h`. */
export interface CallTokens {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly cached: number;
  readonly output: number;
}

/** One API call as a transcript tells it. The same id again is the same call, told again. */
export interface ApiCall {
  readonly id: string;
  readonly model: string;
  readonly at: string;
  readonly tokens: CallTokens;
  /** Of a sub-agent: counted, but not the session's model. */
  readonly subagent: boolean;
}

/** Takes what a parser finds. */
export interface TranscriptSink {
  call(call: ApiCall): void;
  event(event: AgentEvent): void;
  /** The transcript's word on what the agent does; `at` is a transcript time. For `error` the detail is its message. */
  status(status: "working" | "idle" | "error", at: string, detail: string): void;
  model(model: string): void;
  /** What the agent says the whole session cost, in US dollars. */
  reported(cost: number): void;
  skip(reason: string): void;
}

/** What a reader is after: `usage` reads the least, `events` also fills `event`. */
export type ParsePurpose = "usage" | "events";

/** Knows the records of one transcript file. Stateful: one parser per file and reading. */
export interface TranscriptParser {
  /** Looks at a line's raw bytes: "no" only when it cannot matter, "status" when it can only change the status. Must be cheap. */
  matters(bytes: Buffer, start: number, end: number): "no" | "status" | "yes";
  /** One parsed record. `subagent` is true for a file other than the session's main one. */
  record(record: unknown, subagent: boolean, sink: TranscriptSink): void;
}

/** A session's files, the main one first. A path ending in `.json` is one document, rewritten as a whole. */
export interface TranscriptFiles {
  readonly main: string | undefined;
  readonly subagents: readonly string[];
}

/** Older sessions whose records a session may repeat (forks), oldest first. */
export interface RelatedSession {
  readonly sessionId: string;
  readonly files: TranscriptFiles;
}

/** One kind of agent. A new kind is a file with one of these and a row in `adapters/all.ts`. */
export interface AgentAdapter {
  /** Lower-case name, as in `agentType`. */
  readonly kind: string;
  /** The names by which the program reports its state (`app=` of OSC 7501). */
  readonly apps: readonly string[];
  /** The price list's provider. */
  readonly provider: string;
  /** The program starts itself again and works in the inner process. */
  readonly relaunches?: true;
  recognise(process: ProcessInfo): Recognition | undefined;
  /**
   * The model that was asked for by the arguments, the environment or the settings: shown until the first answer. The
   * settings of a project are read without the event loop waiting for them.
   */
  startModel(process: ProcessInfo, cwd: string): string | undefined | Promise<string | undefined>;
  /** The session that the process works on, looked up again on every look; undefined while it cannot be told. */
  join(request: JoinRequest): JoinedSession | undefined | typeof NO_SESSION;
  /** The sessions that may have been an ended process's: named by its arguments, or begun while it ran. Only one is certain. */
  sessionsOf(process: EndedProcess): readonly string[];
  files(home: string, sessionId: string): TranscriptFiles;
  /** Sessions that came before this one and share records with it. */
  relatedSessions(home: string, sessionId: string): readonly RelatedSession[];
  /** Every session below a home folder, oldest first. */
  sessions(home: string): readonly string[];
  /** Where this agent keeps its data for a user with this home folder and environment. */
  home(env: (name: string) => string | undefined): string | undefined;
  parser(sessionId: string, purpose: ParsePurpose): TranscriptParser;
  /** What a terminal title says, or undefined for a title that says nothing. */
  titleStatus(title: string): Exclude<AgentStatus, "ended"> | undefined;
}
