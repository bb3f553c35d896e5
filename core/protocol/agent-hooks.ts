import { acpAgentTypes } from "./acp-agents.ts";
import type { JsonValue } from "./json-value.ts";
import type { ToolAction } from "./policies.ts";
import type { Question, QuestionAnswer } from "./questions.ts";
import type { ReportedWindow } from "./quotas.ts";

/** A question as an agent's hook asks it, without what the relay adds. */
export interface HookQuestion
  extends Pick<
    Question,
    "agentSessionId" | "kind" | "title" | "text" | "detail" | "options" | "choices" | "acceptsText" | "risk"
  > {
  /** The agent's main thread, or a sub-agent of it: dialogs of one thread follow one another. */
  readonly thread: string;
  /** Identifies the tool call, so that its result can be recognized. */
  readonly call: string;
  /** Names the whole event as the agent gave it, by its digest: what an answer lets happen. */
  readonly event: string;
  /** What the tool call does, where that is known for certain; policies answer no other question. */
  readonly action?: ToolAction | undefined;
  /** False where the agent takes no answer from a hook; the question is then answered in its terminal. */
  readonly takesReply: boolean;
  /** The agent's dialog shows numbered options, and takes their numbers: they are read from the screen. */
  readonly onScreen?: boolean;
  /** The agent tells of each answer that it takes, so that a lost connection says nothing but that. */
  readonly tellsAnswers?: boolean;
  /**
   * Returns what the hook prints for an answer.
   * @param by - the question and who answered, for the agent's own record
   */
  reply(answer: QuestionAnswer, by: string): HookReply;
}

export interface HookReply {
  /** The hook's output, in the agent's own format. */
  readonly output: Readonly<Record<string, JsonValue>>;
  /** Whether the tool runs because of it. */
  readonly allows: boolean;
  /** What the agent's record has of the call once it has taken the reply; undefined where the tool's run is the proof. */
  readonly recorded?: RecordedRefusal;
  /** The reply as an agent that tells of the answers that it takes names it. */
  readonly decision?: string;
}

/** A refusal as the agent records it. */
export interface RecordedRefusal {
  readonly text: string;
  /** A word of the call's input that names it; undefined where only the time can tell which call it is. */
  readonly subject: string | undefined;
}

/** What an event of an agent's hook, or of a protocol that the relay speaks with the agent, means for its questions. */
export type HookReport =
  | { readonly kind: "asks"; readonly question: HookQuestion }
  /** The agent has an answer to its question, from the relay or from its own prompt. `decision`: which, where it tells. */
  | { readonly kind: "settled"; readonly agentSessionId: string; readonly call: string; readonly decision?: string }
  /** The agent, or its user by stopping the turn, has taken the question back. */
  | { readonly kind: "withdrawn"; readonly agentSessionId: string; readonly call: string }
  /** A tool has run, with or without success: it was allowed. */
  | { readonly kind: "ran"; readonly agentSessionId: string; readonly call: string }
  /** A turn of a thread has ended or a new one begun: what the thread asked before is settled. */
  | {
      readonly kind: "turn";
      readonly agentSessionId: string;
      readonly thread: string;
      /** The agent waits for the user's next prompt, and its transcript does not say so. */
      readonly isIdle?: true;
    }
  | { readonly kind: "ended"; readonly agentSessionId: string };

/** What an agent reports of its limits. */
export interface LimitsReport {
  readonly kind: "limits";
  readonly agentSessionId: string;
  /** Tokens that fit into the context. */
  readonly contextSize: number | undefined;
  /** The quota windows of its account; undefined where it does not know yet whether there are any. */
  readonly windows: readonly ReportedWindow[] | undefined;
}

/** Agents that can report to the relay: by their hooks, or by `patchbay acp`, which speaks with them. */
export const hookAgents = ["claude", "gemini", "opencode", ...acpAgentTypes] as const;
export type HookAgent = (typeof hookAgents)[number];

/** Reads an event of an agent's hook; undefined for one that says nothing about questions or limits. */
export type ReadHook = (agent: HookAgent, event: unknown) => HookReport | LimitsReport | undefined;
