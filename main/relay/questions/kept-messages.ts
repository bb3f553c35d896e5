import type { ConversationMessage } from "../../../core/protocol/conversations.ts";
import { answerText, partsOf, type Question } from "../../../core/protocol/questions.ts";

/** A message of a conversation that the relay itself has kept. */
export type KeptMessage = Pick<ConversationMessage, "id" | "role" | "kind" | "at" | "text">;

/** Returns the questions of an agent's session and the answers to them as messages, in the order of their time. */
export function keptMessages(
  questions: readonly Question[],
  agentType: string,
  agentSessionId: string,
): readonly KeptMessage[] {
  const own = questions.filter((one) => one.agentType === agentType && one.agentSessionId === agentSessionId);
  const all = own.flatMap((question): KeptMessage[] => {
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
