import { z } from "zod";
import { ShellId } from "./ids.ts";
import { JsonValue } from "./json-value.ts";
import { AgentContext, QuotaWindow } from "./quotas.ts";
import { Timestamp } from "./records.ts";

/**
 * Tokens and their price. `input` is fresh input including cache writes, `cached` the cache reads, `output` includes
 * thinking, so the three add up to all tokens. `cost` is the API list price in US dollars (docs/decisions/0008).
 */
export const TokenUsage = z
  .object({
    input: z.number().min(0),
    output: z.number().min(0),
    cached: z.number().min(0),
    cost: z.number().min(0),
    /** At least one call was of a model that no price list knows; that call has cost 0. */
    unpriced: z.literal(true).optional(),
    /** At least one call was priced by the list's entry for a sibling model. */
    approximate: z.literal(true).optional(),
    /** The part of `cost` of the calls that were priced by a sibling's entry: there where `approximate` is. */
    approximateCost: z.number().min(0).optional(),
  })
  .meta({ id: "TokenUsage" });
export type TokenUsage = z.infer<typeof TokenUsage>;

/**
 * `waiting`: in the middle of a turn, for a user's permission or input. `idle`: between turns. `error`: between turns,
 * after a turn that failed. `unknown`: it was said to work, and nothing supports that any more.
 */
export const AgentStatus = z.enum(["working", "waiting", "idle", "error", "unknown", "ended"]);
export type AgentStatus = z.infer<typeof AgentStatus>;

/** The signals that determine an agent's status, in order of precedence. */
export const StatusSource = z.enum([
  "process",
  "program-status",
  "title",
  "agent-file",
  "hook",
  "notification",
  "bell",
  "transcript",
  "screen",
  "telemetry",
]);
export type StatusSource = z.infer<typeof StatusSource>;

/** Why an agent has its status: the deciding signal, its content and its time. */
export const StatusReason = z
  .object({ source: StatusSource, detail: z.string(), at: Timestamp })
  .meta({ id: "StatusReason" });
export type StatusReason = z.infer<typeof StatusReason>;

/** What says which state an agent has: the latest report of each source, the newest first. */
export const AgentEvidence = z
  .object({
    agentType: z.string(),
    sessionId: z.string(),
    assumed: z.literal(true).optional(),
    state: AgentStatus,
    reason: StatusReason,
    evidence: z.array(
      z.object({
        source: StatusSource,
        status: AgentStatus,
        detail: z.string(),
        at: Timestamp,
        ageMs: z.number().min(0),
        decides: z.boolean(),
      }),
    ),
    patterns: z
      .array(z.object({ name: z.string().describe("such as `screen.working`"), matches: z.boolean() }))
      .optional()
      .describe("for a kind with a manifest: which of its patterns the terminal's title and screen have now"),
  })
  .meta({ id: "AgentEvidence" });
export type AgentEvidence = z.infer<typeof AgentEvidence>;

/** A kind of agent that Patchbay knows, or a manifest that it does not use. */
export const AgentKind = z
  .object({
    kind: z.string(),
    from: z.string().describe("`built-in`, or the path of the user's manifest"),
    used: z
      .boolean()
      .describe("false for a manifest with a problem, and for one that was changed since the relay started"),
    problem: z.string().optional(),
  })
  .meta({ id: "AgentKind" });
export type AgentKind = z.infer<typeof AgentKind>;

/** An agent session of a kind of agent. */
export const AgentSessionName = z
  .object({ agentType: z.string(), sessionId: z.string() })
  .meta({ id: "AgentSessionName" });
export type AgentSessionName = z.infer<typeof AgentSessionName>;

/** An agent that a tool of another agent has started. Its usage is not in that of the agent that started it. */
export const ChildAgent = z
  .object({
    agentType: z.string(),
    sessionId: z.string(),
    model: z.string(),
    state: AgentStatus,
    tokenUsage: TokenUsage,
    startedBy: AgentSessionName.describe("the agent in the shell, or another child of it"),
  })
  .meta({ id: "ChildAgent" });
export type ChildAgent = z.infer<typeof ChildAgent>;

/**
 * Work that an agent reports beside its own state, such as a background command or a sub-agent. It has no process and no
 * session of its own here.
 */
export const AgentTask = z
  .object({
    id: z.string().describe("as the agent names it: `build/test` is a part of `build`"),
    state: AgentStatus,
    since: Timestamp,
    app: z.string().optional().describe("the program that does the work, where the report says it"),
    title: z.string().optional(),
    message: z.string().optional().describe("one line: what it does, asks or failed with"),
    progress: z.int().min(0).max(100).optional().describe("in percent"),
  })
  .meta({ id: "AgentTask" });
export type AgentTask = z.infer<typeof AgentTask>;

/** A coding agent that runs in a shell. `sessionId` and `model` are "" until the agent reports them. */
export const Agent = z
  .object({
    shellId: ShellId,
    agentType: z.string(),
    model: z.string(),
    sessionId: z.string(),
    /** `sessionId` is inferred from folder and time: nothing has proven it yet. */
    assumed: z.literal(true).optional(),
    tokenUsage: TokenUsage,
    state: AgentStatus.optional(),
    status: AgentStatus.optional().describe("as `state`: the name that agent sessions have for it"),
    /** Start of this state. */
    since: Timestamp.optional(),
    reason: StatusReason.optional(),
    /** The agent's error message: one line of at most 2048 characters, in the state `error` only. */
    message: z.string().optional(),
    /** Stopped by job control (Ctrl-Z). */
    paused: z.literal(true).optional(),
    /** In a pane of tmux: what is typed into the shell may reach another pane, so that nothing is typed for it. */
    inPane: z.literal(true).optional(),
    /** Absent before the first answer, after a compaction, and where the agent does not report it. */
    context: AgentContext.optional(),
    /** The quota windows of its account; absent where the agent reports none. */
    windows: z.array(QuotaWindow).optional(),
    /** The agents that its tools have started, ended ones too: the last 50. Absent without any. */
    children: z.array(ChildAgent).optional(),
    /** How far its turn is in percent, where it reports that. */
    progress: z.int().min(0).max(100).optional(),
    /** The work that it reports beside its own state, by id: 64 at most. Absent without any. */
    tasks: z.array(AgentTask).optional(),
  })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof Agent>;

/** Calls that an agent counts itself and tells by OTLP, since the relay's start. `cost` is in US dollars. */
export const ToldUsage = TokenUsage.pick({ input: true, output: true, cached: true }).extend({
  since: Timestamp.describe("time of the first of them"),
  calls: z.int(),
  cost: z.number().min(0).optional(),
});
export type ToldUsage = Readonly<z.infer<typeof ToldUsage>>;

/** How a sum was computed: which calls were counted, which were skipped and why, and which prices were used. */
export const CostExplanation = z
  .object({
    prices: z.object({
      list: z.string(),
      version: z.string(),
      date: z.string(),
      ageDays: z.int().describe("how old the list is, in days"),
      overrides: z.string().optional(),
    }),
    models: z.array(
      z.object({
        model: z.string(),
        calls: z.int(),
        basis: z.enum(["listed", "approximate", "override", "reported", "unpriced"]),
        /** The part of the model's cost that was priced by a sibling's entry, in US dollars. */
        approximateCost: z.number().min(0).optional(),
        /** Name of the price list's entry that was applied. */
        pricedAs: z.string().optional(),
      }),
    ),
    sessions: z.array(
      z.object({
        sessionId: z.string(),
        agentType: z.string(),
        files: z.int(),
        counted: z.int(),
        skipped: z.array(z.object({ reason: z.string(), count: z.int() })),
        /** Cost as reported by the agent; may include calls that are in no transcript. */
        reported: z.number().optional(),
        /** `reported` less the cost that was counted; what the agent reports at its end may not include its last run. */
        difference: z.number().optional(),
        told: ToldUsage.optional().describe("what the agent counts itself, where it tells that by OTLP"),
      }),
    ),
  })
  .meta({ id: "CostExplanation" });
export type CostExplanation = z.infer<typeof CostExplanation>;

/** Cost of every agent session seen in a session's shells, each with the shell where it was last seen. */
export const AgentCost = z
  .object({
    total: TokenUsage,
    byModel: z.array(TokenUsage.extend({ model: z.string() })),
    agents: z.array(
      TokenUsage.extend({
        shellId: ShellId,
        agentType: z.string(),
        sessionId: z.string(),
        startedBy: AgentSessionName.optional().describe("the agent session whose tool started it"),
      }),
    ),
    explain: CostExplanation.optional(),
  })
  .meta({ id: "AgentCost" });
export type AgentCost = z.infer<typeof AgentCost>;

/** One distinct run of an agent, kept after the agent has ended. */
export const AgentSession = z
  .object({
    sessionId: z.string(),
    agentType: z.string(),
    model: z.string(),
    shellId: ShellId,
    cwd: z.string(),
    status: AgentStatus,
    state: AgentStatus.optional().describe("as `status`: the name that agents have for it"),
    startedAt: Timestamp,
    lastActivityAt: Timestamp,
    tokenUsage: TokenUsage,
    startedBy: AgentSessionName.optional().describe("the agent session whose tool started it"),
    detached: z
      .literal(true)
      .optional()
      .describe("its terminal has ended, and its turn goes on in a daemon of the agent: `agents stop` ends the turn"),
  })
  .meta({ id: "AgentSession" });
export type AgentSession = z.infer<typeof AgentSession>;

const ms = z.number().min(0).describe("milliseconds");

/** What an agent session has done, read from its transcript; without what was said in it. */
export const AgentSessionDetails = z
  .object({
    sessionId: z.string(),
    agentType: z.string(),
    model: z.string(),
    branch: z.string().optional().describe("branch of the repository, as the agent saw it last"),
    mode: z.string().optional().describe("what it asks permission for, in the agent's own words"),
    effort: z.string().optional(),
    linesAdded: z.int().min(0).optional().describe("as the agent counts them"),
    linesRemoved: z.int().min(0).optional(),
    tokenUsage: TokenUsage,
    reported: z.number().optional().describe("the agent's own total, in US dollars"),
    difference: z.number().optional().describe("`reported` less the cost that was counted"),
    turnCount: z.int(),
    turns: z
      .array(z.object({ at: Timestamp, ms: ms, calls: z.int(), tokenUsage: TokenUsage }))
      .describe("from one prompt to the next, sub-agents included: the last 200"),
    tools: z
      .array(z.object({ name: z.string(), calls: z.int(), failed: z.int(), ms: ms, longestMs: ms }))
      .describe("by the time that they took, waiting for permission included"),
    subagents: z
      .array(
        z.object({
          id: z.string().describe('"" for those that have no transcript of their own'),
          parent: z.string().nullable().describe("the sub-agent that started it; null for the agent itself"),
          type: z.string().optional(),
          description: z.string().optional(),
          calls: z.int(),
          tokenUsage: TokenUsage,
        }),
      )
      .describe("the tree of sub-agents"),
  })
  .meta({ id: "AgentSessionDetails" });
export type AgentSessionDetails = z.infer<typeof AgentSessionDetails>;

export const AgentEventType = z.enum([
  "user_message",
  "assistant_message",
  "thinking",
  "tool_call",
  "tool_result",
  "permission_request",
  "interrupted",
  "compacted",
  "subagent_prompt",
  "error",
]);
export type AgentEventType = z.infer<typeof AgentEventType>;

/**
 * An event in an agent session, in transcript order; sub-agents' events follow their parent's. `text` is human-readable
 * (for `tool_call` the tool's name) and truncated at a limit; `data` is machine-readable.
 */
export const AgentEvent = z
  .object({
    id: z.string(),
    type: AgentEventType,
    at: Timestamp,
    text: z.string(),
    data: z.record(z.string(), JsonValue),
  })
  .meta({ id: "AgentEvent" });
export type AgentEvent = z.infer<typeof AgentEvent>;
