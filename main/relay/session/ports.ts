import type { AskParams } from "../../../core/commands/asked.ts";
import type { OperationParams, OperationResult } from "../../../core/operations/index.ts";
import type { LimitsReport } from "../../../core/protocol/agent-hooks.ts";
import type {
  Agent,
  AgentCost,
  AgentEvent,
  AgentEvidence,
  AgentKind,
  AgentSession,
  AgentSessionDetails,
  AgentSessionName,
} from "../../../core/protocol/agent-records.ts";
import type { Conversation, ConversationPage, KnownResume } from "../../../core/protocol/conversations.ts";
import type { HistorySettings } from "../../../core/protocol/history.ts";
import type { ExportedHistory, ExportFormat } from "../../../core/protocol/history-export.ts";
import type { SizeMark, TimeMark } from "../../../core/protocol/history-ops.ts";
import type {
  CommandQuery,
  CommandRecord,
  OfShells,
  Redaction,
  RedactionQuery,
  SearchAnswer,
  SearchHit,
  SearchQuery,
} from "../../../core/protocol/history-search.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { PriceListStatus } from "../../../core/protocol/prices.ts";
import type { PromptInput } from "../../../core/protocol/prompt-input.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { AccountWindow } from "../../../core/protocol/quotas.ts";
import type { Recording } from "../../../core/protocol/recording.ts";
import type { RestorableAgent } from "../../../core/protocol/restore.ts";
import type { ShellCallResult } from "../../../core/protocol/shell-host.ts";
import type { UsageRow } from "../../../core/protocol/usage.ts";
import type { KeptMessage } from "../questions/kept-messages.ts";

/** A running agent whose account has quota windows; `account` as in `AccountWindow`. */
interface LimitedAgent extends Readonly<Pick<Agent, "shellId" | "agentType" | "sessionId">> {
  readonly account: string;
}

/** Runs a read within the budget of its caller. */
export type InTurn = <T>(read: () => Promise<T>) => Promise<T>;

/** The conversations with agents on this machine. All reject with `unknown_agent_session` and `invalid_params`. */
interface ConversationsPort {
  list(
    wanted: Omit<OperationParams<"getConversations">, "secrets">,
    options: { readonly hidesSecrets: boolean },
  ): Promise<Conversation[]>;
  page(
    name: ConversationName,
    wanted: Pick<OperationParams<"getConversation">, "before" | "after" | "limit" | "wait">,
    kept: (agentType: string) => readonly KeptMessage[],
    /** `gone` ends the wait for a message; `inTurn` runs each read in the caller's turn. */
    reading?: { readonly gone?: AbortSignal; readonly inTurn?: InTurn },
  ): Promise<ConversationPage>;
  text(
    name: ConversationName,
    wanted: Pick<OperationParams<"getConversationText">, "message" | "part" | "offset">,
    options: { readonly hidesSecrets: boolean },
  ): Promise<OperationResult<"getConversationText">>;
}

/** A conversation that ran in a shell when it ended, with the program that resumes it and the variables of its account. */
export interface ResumableAgent extends RestorableAgent {
  readonly exec: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `command` reads the same in every shell, not only in those that quote as a POSIX shell does. */
  readonly isPlain: boolean;
}

/** A process that outlives the agent that has started it. */
export interface LeftProcess {
  readonly shellId: ShellId;
  readonly agentType: string;
  readonly pid: number;
  readonly name: string;
  /** When the agent ended, in ms. */
  readonly since: number;
}

/** What can be resumed: in shells that have ended, and by its own name. */
interface ResumesPort {
  /** Throws `unknown_agent_session` and `invalid_params`. */
  find(name: ConversationName): KnownResume;
  /** @param endedAt - when the shell ended; undefined where that is not known */
  list(session: SessionId, shell: ShellId, endedAt: string | undefined): Promise<readonly ResumableAgent[]>;
  /** Notes that a conversation is resumed in another shell, before the agent shows it. */
  note(
    session: SessionId,
    conversation: { readonly agentType: string; readonly sessionId: string },
    shells: { readonly from: ShellId; readonly to: ShellId },
  ): void;
  readonly starts: ResumeStartsPort;
}

/** Resumes each conversation in one shell at a time. */
interface ResumeStartsPort {
  /** Returns why a conversation cannot be resumed now: an agent works on it, or is being started with it. */
  problem(name: ConversationName, session: SessionId): string | undefined;
  /**
   * Resumes a conversation in the shell that `create` creates, and notes this before the agent shows it.
   *
   * @throws RemoteError `invalid_request` with the `problem`
   */
  start(
    name: ConversationName,
    session: {
      readonly id: SessionId;
      readonly shells: { find(shell: ShellId): { readonly running: boolean } | undefined };
    },
    create: () => Promise<ShellId>,
  ): Promise<ShellId>;
}

export type ConversationName = Pick<OperationParams<"getConversation">, "agentSessionId" | "agentType">;

/** What the agents' room answers for one session. */
export interface AgentsPort {
  cost(session: SessionId, options: { explain: boolean }): AgentCost;
  sessions(session: SessionId): AgentSession[];
  events(
    session: SessionId,
    agentSession: string,
    options: Omit<AskParams<"getAgentEvents">, "sessionId">,
  ): Promise<AgentEvent[]>;
  /** Usage of all sessions by model, in hours or local days. */
  usageHistory(since: Date, until: Date, by: "hour" | "day"): readonly UsageRow[];
  /** Reads what an agent session that was seen in a session has done. Rejects with `unknown_agent_session`. */
  details(session: SessionId, agentSession: string): Promise<AgentSessionDetails>;
  /** What was said in conversations with agents. */
  readonly conversations: ConversationsPort;
  readonly resumes: ResumesPort;
  /** What agents that ended in a session's shells have left running. */
  readonly leftBehind: {
    list(session: SessionId): readonly LeftProcess[];
    end(session: SessionId, pid: number | undefined): Promise<readonly LeftProcess[]>;
  };
  /** What says which state the agents in a shell have. */
  explain(
    shell: { readonly sessionId: SessionId; readonly shellId: ShellId; readonly pid: number },
    manifest?: string,
  ): Promise<AgentEvidence[]>;
  /** The kinds of agents that are known, and the user's manifests that are not used. */
  kinds(): AgentKind[];
  /**
   * Stops the turn of an agent session that goes on without its terminal. Rejects with `unknown_agent_session`, and with
   * `invalid_request` for one that does not.
   */
  stopTurn(session: SessionId, agentSession: string): Promise<AgentSessionName>;
  /** The price list in use. */
  prices(): PriceListStatus;
  /** Installs a signed price list. Throws `invalid_params` where it is not taken. */
  updatePrices(list: string): void;
  /** The quota windows of all accounts, as agents have last reported them. */
  windows(): readonly AccountWindow[];
  /** The running agents of a session whose accounts have quota windows. */
  limited(session: SessionId): readonly LimitedAgent[];
  /** Reads what the agents in a shell have written. */
  readLatest(session: SessionId, shell: ShellId): Promise<void>;
  /** Takes what an agent in a shell reports of its limits. */
  reportLimits(session: SessionId, shell: ShellId, agentType: string, report: LimitsReport): void;
  /** Takes the report of an agent in a shell that its turn has ended. */
  reportIdle(session: SessionId, shell: ShellId, agentType: string, agentSession: string): void;
  /** Takes the logs that an agent in a shell sends by OTLP. */
  reportTelemetry(session: SessionId, shell: ShellId, resourceLogs: readonly unknown[]): void;
  /** The keys that stop a turn of such an agent; undefined where there are none. */
  interruptKeys(agentType: string): string | undefined;
  /** Returns what reads the new events of an agent session at each call. Throws `unknown_agent_session`. */
  follow(session: SessionId, agentSessionId: string): () => Promise<readonly AgentEvent[]>;
  /** How prompts are entered into a kind of agent; undefined for one that is not known. */
  input(agentType: string): PromptInput | undefined;
}

/** Holds automated input to shells whose agents have spent a budget. */
export interface InputGovernor {
  /** What agents have used, or their states, may have changed. */
  agentsChanged(): void;
  /** @throws RemoteError `budget_reached` */
  checkInput(session: SessionId, shell: ShellId): void;
  /** As `checkInput`, after what the agents in the shell have written was read. @throws RemoteError `budget_reached` */
  checkPrompt(session: SessionId, shell: ShellId): Promise<void>;
  /** Carries out the answer to a question of the governor. */
  answered(question: Question): void;
}

/** An agent in a shell, or what it has left running there. */
export interface AgentInShell {
  /** Names this run of the agent among all of the machine's. */
  readonly run: string;
  readonly agentType: string;
  /** Its working directory; "" where that cannot be told. */
  readonly folder: string;
}

/** Looks for agents among the processes of a shell, at the moment of the call. Rejects where that cannot be told. */
export type FindAgents = (
  session: SessionId,
  shell: { readonly id: ShellId; readonly pid: number },
) => Promise<readonly AgentInShell[]>;

/** A shell whose output is recorded; it may be closed. */
export interface HistoryOwner {
  readonly session: string;
  readonly shell: number;
}

/** The history on disk. */
export interface HistoryControl {
  /** The operating-system user that runs the relay, whose conversations with agents are searched. */
  readonly user: string;
  status(): Promise<OperationResult<"getHistory">>;
  /** What the owner has decided. */
  settings(): HistorySettings;
  /** @throws RemoteError `invalid_request` where no keychain can be reached */
  start(wish: OperationParams<"startHistory">): Promise<HistorySettings>;
  stop(): Promise<HistorySettings>;
  /** Sets an own pattern for secrets; undefined removes it. @throws RemoteError `invalid_params`, `limit_reached` */
  setPattern(name: string, pattern: string | undefined): Promise<HistorySettings>;
  /** Returns the latest redactions in the index. @throws RemoteError as `commands` does */
  redactions(query: RedactionQuery): Promise<Redaction[]>;
  recordSession(session: string, on: boolean): Promise<HistorySettings>;
  trim(wish: OperationParams<"trimHistory">): Promise<OperationResult<"trimHistory">>;
  /** Removes what was recorded: of everything, a session, or a shell. */
  forget(what: {
    readonly session?: string;
    readonly shell?: number | undefined;
  }): Promise<OperationResult<"forgetHistory">>;
  /**
   * Has the index take in what a session's shells have printed up to now. Resolves with whether all of it is indexed, after
   * `ms` at the latest: what is asked of the index then is answered from what it has. Default: 10 s.
   */
  settle(session: string, ms?: number): Promise<boolean>;
  /** Returns the latest commands that a query fits. @throws RemoteError `invalid_request` where nothing is recorded */
  commands(session: string, query: CommandQuery & OfShells): Promise<CommandRecord[]>;
  /** Returns a command; undefined if there is none. @throws RemoteError as `commands` does */
  command(
    session: string,
    place: { readonly shell: number; readonly from: number },
  ): Promise<CommandRecord | undefined>;
  /** Returns the lines of the last commands in a shell, the latest first; none where nothing is recorded. */
  lastCommands(session: string, shell: number): Promise<readonly string[]>;
  /** Returns the last lines that a shell printed as plain text; nothing where it was not recorded. */
  lastOutput(session: string, shell: number): Promise<string>;
  /** Reads output from disk; undefined where none is kept. */
  read(
    owner: HistoryOwner,
    range: { readonly since: number; readonly maxBytes: number; readonly plain: boolean },
  ): Promise<ShellCallResult<"read"> | undefined>;
  /** Returns the latest places whose output holds a text. @throws RemoteError as `commands` does */
  search(session: string, query: SearchQuery & OfShells): Promise<SearchHit[]>;
  /**
   * Returns the latest messages of conversations with agents that hold a text.
   *
   * @param waitMs how long it may wait until what was said up to now is indexed
   * @throws RemoteError as `commands` does
   */
  searchConversations(query: SearchQuery, waitMs: number): Promise<SearchAnswer>;
  /** Exports output of a shell; undefined where none is kept of that time. Times in ms since 1970. */
  export(wish: {
    readonly owner: HistoryOwner;
    readonly since: number;
    readonly until: number;
    readonly format: ExportFormat;
    readonly redacts: boolean;
  }): Promise<ExportedHistory | undefined>;
  /** Whether a session is recorded at the moment. */
  recording(session: string): Recording;
  /** Returns when output of a shell was printed, and in which sizes of its terminal, as far as that is recorded. */
  timeline(
    owner: HistoryOwner,
    range: { readonly from: number; readonly offset: number; readonly to: number },
  ): Promise<{
    readonly size: { readonly cols: number } | undefined;
    readonly times: readonly TimeMark[];
    readonly sizes: readonly SizeMark[];
  }>;
}
