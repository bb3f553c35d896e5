import type { conversationOperations } from "../../../core/operations/conversations.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { Handlers } from "../calls/calls.ts";
import { keptMessages } from "../questions/kept-messages.ts";
import type { AgentsPort } from "../session/ports.ts";

/** A session, as far as the conversations in its shells need it. */
interface SessionQuestions {
  readonly owner: string;
  readonly questions: { list(wanted: { readonly all: boolean }): readonly Question[] };
}

interface ConversationHandlersOptions {
  readonly sessions: { all(): readonly SessionQuestions[] };
  /** The operating-system user that runs the relay, whose conversations these are. */
  readonly user: string;
  readonly agents: Pick<AgentsPort, "conversations">;
}

export function conversationHandlers({
  sessions,
  user,
  agents,
}: ConversationHandlersOptions): Handlers<keyof typeof conversationOperations> {
  const questions = () =>
    sessions
      .all()
      .filter(({ owner }) => owner === user)
      .flatMap(({ questions }) => questions.list({ all: true }));
  return {
    getConversations: (wanted) => agents.conversations.list(wanted),
    getConversation({ agentSessionId, agentType, ...wanted }, context) {
      const kept = (kind: string) => keptMessages(questions(), kind, agentSessionId);
      return agents.conversations.page({ agentSessionId, agentType }, wanted, kept, context.signal);
    },
    getConversationText: ({ agentSessionId, agentType, message, part, offset }) =>
      agents.conversations.text({ agentSessionId, agentType }, { message, part, offset }),
  };
}
