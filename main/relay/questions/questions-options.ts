import type { HookReport } from "../../../core/protocol/agent-hooks.ts";
import type { Agent } from "../../../core/protocol/agent-records.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { QuestionRows } from "../store/question-rows.ts";
import type { QuestionPolicies } from "./policy-decision.ts";
import type { FollowEvents } from "./proofs.ts";
import type { NewQuestion, QuestionsSession } from "./question-book.ts";
import type { ScreenPort } from "./screen-questions.ts";

export interface QuestionsOptions {
  readonly session: QuestionsSession;
  readonly rows: QuestionRows;
  readonly isRunning: (shell: ShellId) => boolean;
  readonly agents: () => readonly Agent[];
  readonly follow: FollowEvents;
  readonly screen: ScreenPort;
  /** Carries out the answer to a question of the relay itself. */
  readonly relayAnswered?: ((question: Question) => void) | undefined;
  readonly unconfirmedAfterMs?: number;
  /** The policies that answer questions in the owner's name. */
  readonly policies?: QuestionPolicies | undefined;
  /** Records that an event with the key of a question is another one, and so gets no answer to that. */
  readonly askedOtherwise?: ((event: OtherEvent) => void) | undefined;
}

/** An event that has the key of an earlier question, and the question that it asks itself, if it may. */
export interface OtherEvent {
  readonly shell: ShellId;
  readonly agentType: string;
  readonly question: number;
  readonly asked: number | null;
}

/** A question of the relay itself about an agent: see `askForRelay`. */
export type RelayQuestion = Pick<
  NewQuestion,
  "shellId" | "agentType" | "agentSessionId" | "kind" | "title" | "text" | "options" | "risk" | "rule"
>;

/** What an answerer may decide. */
export interface AnswerRights {
  /** The questions of the relay itself: for the session's owner. */
  readonly forRelay: boolean;
  /** The answerer is shown no secrets, and allows nothing that is hidden as one. */
  readonly hidesSecrets?: boolean;
}

/** An event of an agent in a shell, from its hook or by its protocol. */
export interface HookEvent {
  readonly shell: ShellId;
  readonly agentType: string;
  /** Default: its hook. */
  readonly source?: "hook" | "protocol";
  /** A program beside the agent reports: the agent itself has said nothing. */
  readonly isBeside?: true;
  /** Names the run of the hook, so that one that connects again continues its question. */
  readonly key: string;
  readonly report: HookReport;
}
