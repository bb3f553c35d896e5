import type { AuditEntry } from "../../../core/protocol/audit.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";

/** An event that has the key of an earlier question, and the question that it asks itself, if it may. */
interface OtherEvent {
  readonly session: SessionId;
  readonly shell: ShellId;
  readonly agentType: string;
  readonly question: number;
  readonly asked: number | null;
}

/** Returns the entry for an event that has the key of a question and asks something else: it gets no answer to that. */
export function otherEventEntry({
  session,
  shell,
  agentType,
  question,
  asked,
}: OtherEvent): Omit<AuditEntry, "id" | "at" | "kind" | "count"> {
  return {
    who: `shell ${shell}`,
    credential: "shell",
    from: "relay",
    session,
    action: "reportAgentHook",
    params: { agent: agentType, question, ...(asked !== null && { asked }) },
    outcome: "question_changed",
    client: null,
    durationMs: null,
  };
}
