import type { conversationOperations } from "../../../core/operations/conversations.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { answerText, partsOf, type Question } from "../../../core/protocol/questions.ts";
import type { HandlerContext, Handlers } from "../calls/calls.ts";
import type { AgentsPort, KeptMessage } from "../session/ports.ts";

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
  const questionsOf = (agentType: string, agentSessionId: string) =>
    sessions
      .all()
      .filter(({ owner }) => owner === user)
      .flatMap(({ questions }) => questions.list({ all: true }))
      .filter((question) => question.agentType === agentType && question.agentSessionId === agentSessionId);
  return {
    getConversations(wanted, context) {
      refuseGuests("getConversations", context);
      return agents.conversations.list(wanted);
    },
    getConversation({ agentSessionId, agentType, ...wanted }, context) {
      refuseGuests("getConversation", context);
      const kept = (kind: string) => keptMessages(questionsOf(kind, agentSessionId));
      return agents.conversations.page({ agentSessionId, agentType }, wanted, kept, context.signal);
    },
    getConversationText({ agentSessionId, agentType, message, part, offset }, context) {
      refuseGuests("getConversationText", context);
      return agents.conversations.text({ agentSessionId, agentType }, { message, part, offset });
    },
  };
}

/** Refuses the shell of a person with fewer rights than the owner, whose conversations these are. */
function refuseGuests(name: string, { caller: { principal } }: HandlerContext): void {
  const { membership } = principal;
  if (membership === undefined || (!membership.guest && membership.role === "admin")) return;
  throw new RemoteError(
    "scope_forbids",
    `${name} is for the owner of the relay, and the person whose shell this is has fewer rights.`,
  );
}

/** Returns the questions of an agent and the answers to them as messages, in the order of their time. */
export function keptMessages(questions: readonly Question[]): readonly KeptMessage[] {
  const all = questions.flatMap((question): KeptMessage[] => {
    const { id, session, askedAt, closedAt } = question;
    const asked = { id: `question:${session}:${id}`, role: "system", kind: "question", at: askedAt } as const;
    const shown = [question.title, ...partsOf(question).map(({ text }) => text)].join("\n\n");
    if (closedAt === null) return [{ ...asked, text: shown }];
    const closed = { id: `answer:${session}:${id}`, kind: "answer", at: closedAt } as const;
    return [
      { ...asked, text: shown },
      question.state === "answered"
        ? { ...closed, role: "user", text: describeAnswer(question) }
        : { ...closed, role: "system", text: question.closedBecause ?? question.state },
    ];
  });
  return all.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** The answer, who gave it, and what became of it. */
function describeAnswer(question: Question): string {
  const { answeredBy, receipt } = question;
  const said = answerText(question) ?? "";
  const by = answeredBy === null ? "" : ` (${answeredBy.kind === "terminal" ? "in the terminal" : answeredBy.name})`;
  const proof = receipt === null || receipt.state === "confirmed" ? "" : ` [${receipt.state}: ${receipt.evidence}]`;
  return `${said === "" ? "Answered" : said}${by}${proof}`;
}
