import type { ConversationResume } from "../../../core/protocol/conversations.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { AgentsPort, ConversationName } from "./ports.ts";

/**
 * Returns how a conversation is resumed in a new shell of a session.
 *
 * @throws RemoteError `invalid_request` with why it cannot be resumed now, `unknown_agent_session`, `invalid_params`
 */
export function findResumable(
  resumes: AgentsPort["resumes"],
  name: ConversationName,
  session: SessionId,
): ConversationResume {
  const { why, runsIn: _runsIn, ...resume } = resumes.find(name);
  const problem = resumes.starts.problem(name, session) ?? why;
  if (problem !== undefined) throw new RemoteError("invalid_request", problem);
  return resume;
}
