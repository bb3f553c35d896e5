import type { AgentEvent, AgentSessionDetails, AgentStatus } from "../../../core/protocol/agent-records.ts";
import type { MessageImage, MessageKind } from "../../../core/protocol/conversations.ts";
import type { PromptInput } from "../../../core/protocol/prompt-input.ts";
import type { AgentContext, ReportedWindow } from "../../../core/protocol/quotas.ts";
import type { ProcessInfo } from "../../system/processes/process-source.ts";

/** How certain a process is recognized. "likely" counts only once a transcript of its own was found. */
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
  /** The session joined before, which has turned out to be another process's. */
  readonly insteadOf?: string;
  /** Only folder and time speak for it: nothing names the process, and its terminal has not shown the session's text. */
  readonly assumed?: true;
}

/**
 * Whose prompt a transcript contains, by the terminals' reports at that time: this agent's; another's; or `unheard`,
 * when this agent's terminal reports its turns and reported none.
 */
export type PromptOrigin = "own" | "other" | "unheard";

/** A process to join. `launchedAt` is the start of the outermost process of the same program, in ms. */
export interface JoinRequest {
  readonly process: ProcessInfo;
  readonly launchedAt: number;
  readonly cwd: string;
  readonly known: JoinedSession | undefined;
  /** Whether the agent session belongs to another process. */
  taken(sessionId: string): boolean;
  /** Whether no other agent of this kind was in the same folder at a time (ms); otherwise a guess would be arbitrary. */
  aloneAt(at: number): boolean;
  /** Where the agent session was seen before; undefined: nowhere. */
  seenIn?(sessionId: string): "here" | "elsewhere" | undefined;
  /**
   * Which terminal was proven to show the agent session, see `SessionEvidence`; undefined: none yet.
   * @param since - in ms: only a proof of a later time counts for this process
   */
  shownIn(sessionId: string, since?: number): "here" | "elsewhere" | undefined;
  /** Whose prompt a transcript holds at this time (ms); undefined when the terminals do not report it. */
  prompted?(at: number): PromptOrigin | undefined;
}

/** The session joined before belongs to another process, and no other session is known. */
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
  /** Is a session another agent's, also of one that has ended? */
  taken(sessionId: string): boolean;
  /** Does an agent that runs work on a session? A process that continues one may continue that of an ended agent. */
  runsOn(sessionId: string): boolean;
}

/** Tokens of one API call, in the parts that have different prices. `cacheWrite` includes `cacheWrite1h`. */
export interface CallTokens {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly cached: number;
  readonly output: number;
}

/** A model as an agent of several providers names it. */
export interface UsedModel {
  readonly provider: string;
  readonly model: string;
}

/** One API call in a transcript. A repeated id is the same call again. */
export interface ApiCall {
  readonly id: string;
  readonly model: string;
  readonly at: string;
  readonly tokens: CallTokens;
  /** Of a sub-agent: counted, but not the session's model. */
  readonly subagent: boolean;
  /** Names the events that are its answer (`EventDetails.answer`), where they do not have its id. */
  readonly answer?: string;
  /** The price list's provider, where it is not the adapter's. */
  readonly provider?: string;
  /** The agent's own name of the provider, for an agent of several. */
  readonly usedProvider?: string;
  /** By how much the tokens' price is multiplied: a faster mode, a region, a service tier. */
  readonly factor?: number;
  /** Searches of the web, which are paid each. */
  readonly webSearches?: number;
  /** What the agent itself says that the call cost, in US dollars: for a model that no list knows. */
  readonly ownCost?: number;
  /** `ownCost` counts before a list's price: this stands for several calls, whose tokens are not all told. */
  readonly isSeveral?: true;
}

/** What only a conversation shows of an event. */
export interface EventDetails {
  /** What a note is, and of an event where its type does not say it. */
  readonly kind?: MessageKind;
  /** Who says a note; the agent itself without it. */
  readonly role?: "user" | "assistant";
  /** The API answer that it is a part of, see `ApiCall.answer`. */
  readonly answer?: string | undefined;
  readonly model?: string | undefined;
  /** The text of an error in words, where the event has the answer of an API. */
  readonly words?: string;
  /** Of a tool's result. */
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly decision?: string | undefined;
  readonly images?: readonly MessageImage[];
  /** Id of the sub-agent, where its transcript is not a file of its own. */
  readonly subagent?: string | undefined;
  /** What the transcript does not contain of it. */
  readonly incomplete?: string;
}

/** What happened in a session, with its whole text. */
export interface TranscriptEvent extends AgentEvent, EventDetails {}

/** What stands in a conversation, and is no event: commands of the agent, what they print, what the agent adds by itself. */
export interface TranscriptNote extends Omit<AgentEvent, "type">, EventDetails {
  readonly type: "note";
}

/** What a transcript tells of its session as a whole: the latest of each. */
export type SessionFacts = Readonly<
  Partial<Pick<AgentSessionDetails, "branch" | "mode" | "effort" | "linesAdded" | "linesRemoved">>
>;

/** A sub-agent with a transcript of its own. */
interface SubagentFacts {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  /** Id of the tool call that started it. */
  readonly toolUse?: string | undefined;
  /** Id of the sub-agent that started it, where that is known. */
  readonly parent?: string;
}

/** Receives what a parser finds. */
export interface TranscriptSink {
  call(call: ApiCall): void;
  event(event: TranscriptEvent): void;
  /** Absent for a reader that takes no notes. */
  note?(note: TranscriptNote): void;
  /** A status in the transcript; `at` is a transcript time. For `error` the detail is its message. */
  status(status: "working" | "idle" | "error", at: string, detail: string): void;
  model(model: string): void;
  /** The cost of the whole session as the agent reports it, in US dollars. */
  reported(cost: number): void;
  /** The fill of the context, for an agent that counts it in another way than by the last request; undefined: not known. */
  context(context: AgentContext | undefined): void;
  /** The quota windows of the account as the agent reports them; none where it says that it has none. */
  windows(windows: readonly ReportedWindow[], at: string): void;
  /** For the purpose `events`. */
  facts(facts: SessionFacts): void;
  skip(reason: string): void;
}

/** What a reader needs: `usage` reads the least, `events` also fills `event`. */
export type ParsePurpose = "usage" | "events";

/** Parses the records of one transcript file. Stateful: one parser per file and reading. */
export interface TranscriptParser {
  /**
   * Classifies a line by its raw bytes: "no" only when it cannot matter, "status" when it can only change the status.
   * Must be cheap.
   */
  matters(bytes: Buffer, start: number, end: number): "no" | "status" | "yes";
  /** One parsed record. `subagent` is true for a file other than the session's main one. */
  record(record: unknown, subagent: boolean, sink: TranscriptSink): void;
}

/** How the records of a session are read from an agent's SQLite database. */
export interface DatabaseTranscript {
  /** The tables that a query reads. */
  readonly tables: readonly string[];
  /**
   * Rows of `kind`, `id`, `mark` (grows with every change), `record` (a JSON object) and `subagent` (0 or 1), in the order of
   * `mark`. Parameters: the session, the smallest mark, the number of rows.
   */
  query(purpose: ParsePurpose): string;
}

/**
 * A session's files, the main one first. A path ending in `.json` is one document, rewritten as a whole; one ending in `.db`
 * is a database, which `AgentAdapter.database` describes.
 */
export interface TranscriptFiles {
  readonly main: string | undefined;
  readonly subagents: readonly string[];
}

/** Older sessions whose records a session may repeat (forks), oldest first. */
export interface RelatedSession {
  readonly sessionId: string;
  readonly files: TranscriptFiles;
}

/** A session that an agent's folder has. */
export interface StoredSession {
  /** Its main transcript, or the database that it is in. */
  readonly path: string;
  /** When it was last written, in ms. */
  readonly changedAt: number;
  /** Its folder, where that can be told without reading the transcript. */
  readonly cwd?: string | undefined;
}

/** How an agent resumes a conversation by its id, and which options of an earlier start are repeated then. */
export interface ResumeForm {
  /** The words that resume a conversation, before all others. */
  words(sessionId: string): readonly string[];
  /** Options without a value that are repeated. */
  readonly flags: readonly string[];
  /** Options with a value that are repeated. */
  readonly values: readonly string[];
  /** Options with several values, up to the next option. */
  readonly lists?: readonly string[];
  /** Options that chose a conversation, or started one; with a value where none is in the same word and no option follows. */
  readonly chooses: readonly string[];
}

/** A pattern, of which only matters whether a text has it. */
export interface TextTest {
  test(text: string): boolean;
}

/** One kind of agent. A new kind is a file with one of these and a row in `adapters/all.ts`. */
export interface AgentAdapter {
  /** Lower-case name, as in `agentType`. */
  readonly kind: string;
  /** The names by which the program reports its state (`app=` of OSC 7501). */
  readonly apps: readonly string[];
  /** The price list's provider; empty for an agent of several, whose calls are priced by their model's id. */
  readonly provider: string;
  /** How it resumes a conversation by its id; absent where it cannot. */
  readonly resume?: ResumeForm;
  /** The process that says that it works on a session; undefined where none does, or none could say it. */
  holder?(home: string, sessionId: string): number | undefined;
  /** Whether a daemon of the agent works on sessions without their terminals, and has this one; absent where there is none. */
  worksOn?(home: string, sessionId: string): boolean;
  /** The keys that stop a turn, as the terminal sends them; absent where no single key does. */
  readonly interruptKeys?: string;
  /** How prompts are entered into the program; absent where what its screen shows is not known. */
  readonly input?: PromptInput;
  /**
   * Its transcript shows that a turn runs, and nothing but its screen shows a dialog in the turn, or that a key has ended it.
   * `busy`: what the screen shows while the turn runs. `waits`: what it shows besides numbered options while the agent asks.
   * `omitsCalls`: the transcript has a tool's call only once the tool has run, so that a call that waits for permission looks
   * like the end of an answer. `alone`: the screen tells a turn too, unless the terminal reports one.
   */
  readonly screenStatus?: {
    readonly busy: TextTest;
    readonly waits?: TextTest | undefined;
    readonly omitsCalls?: true;
    readonly alone?: true;
  };
  /** The program stands for the agent that it starts, and counts what that uses. */
  readonly wraps?: true;
  /** What it tells by OTLP may come from a daemon that works for the terminals of several shells, with the token of one. */
  readonly exportsForOthers?: true;
  /** The program starts itself again and works in the inner process. */
  readonly relaunches?: true;
  recognise(process: ProcessInfo): Recognition | undefined;
  /**
   * The model requested by arguments, environment or settings: shown until the first response. Project settings are
   * read without blocking the event loop.
   */
  startModel(process: ProcessInfo, cwd: string): string | undefined | Promise<string | undefined>;
  /** How many tokens fit into a model's context by the agent's own files; read without blocking the event loop. */
  contextSize?(process: ProcessInfo, cwd: string, used: UsedModel): Promise<number | undefined>;
  /** The session of the process, determined again at every poll; undefined while unknown. */
  join(request: JoinRequest): JoinedSession | undefined | typeof NO_SESSION;
  /**
   * Candidate sessions of an ended process: named by its arguments, or begun while it ran. Only a single candidate is
   * certain.
   */
  sessionsOf(process: EndedProcess): readonly string[];
  files(home: string, sessionId: string): TranscriptFiles;
  /** What its transcripts never contain of a conversation, as a sentence for people. */
  readonly omits?: string;
  /** What is known of the sub-agent of a file in `files`. */
  subagent?(path: string): SubagentFacts;
  readonly database?: DatabaseTranscript;
  /** Sessions that came before this one and share records with it. */
  relatedSessions(home: string, sessionId: string): Promise<readonly RelatedSession[]>;
  /** Every session below a home folder, oldest first. */
  sessions(home: string): readonly string[];
  /** Where a session is stored; undefined for one that is not. */
  stored(home: string, sessionId: string): StoredSession | undefined;
  /** Where this agent keeps its data for a user with this home folder and environment. */
  home(env: (name: string) => string | undefined): string | undefined;
  parser(sessionId: string, purpose: ParsePurpose): TranscriptParser;
  /**
   * Reads the status in a terminal title; undefined for titles without one.
   * @param before - the status of the last title that had one, for an agent that drops its sign at the end of a turn
   */
  titleStatus(title: string, before?: AgentStatus): Exclude<AgentStatus, "ended"> | undefined;
}
