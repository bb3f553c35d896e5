import { randomUUID } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { answerText, type Question, questionLimits } from "../../../core/protocol/questions.ts";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import { visibleText } from "../../../core/protocol/visible-text.ts";
import { sessionBeside } from "./agent-ref.ts";
import type { Questions } from "./questions.ts";

/** A question that a program in a shell asks the people who watch. */
interface AskedQuestion {
  readonly shell: ShellId;
  /** Kind of the agent in the shell, or what stands for one where there is none. */
  readonly agentType: string;
  readonly question: string;
  /** Labels; without any the answer is in words. */
  readonly options: readonly string[];
  readonly waitMs: number;
}

/** An answer as the program gets it. */
interface PersonsAnswer {
  readonly question: number;
  readonly answer: string;
  readonly answeredBy: string;
}

/** Names the one tool call of such a question. */
const CALL = "ask";

/**
 * Asks the people who watch a session, for a program. The first answer counts; the question is withdrawn when the program
 * is gone or has waited for long enough.
 *
 * @throws RemoteError `wait_timeout`, `limit_reached` with too many open questions, `question_closed` where it was ended
 * without an answer
 */
export async function askPerson(
  questions: Pick<Questions, "hook" | "stored">,
  { shell, agentType, question, options, waitMs }: AskedQuestion,
  gone: AbortSignal,
): Promise<PersonsAnswer> {
  const key = randomUUID();
  const agentSessionId = sessionBeside(key);
  const told = { shell, agentType, source: "protocol", key, isBeside: true } as const;
  const tell = (kind: "settled" | "withdrawn", decision?: string) =>
    questions.hook(
      { ...told, report: { agentSessionId, call: CALL, kind, ...(decision !== undefined && { decision }) } },
      new AbortController().signal,
    );
  const isLate = AbortSignal.timeout(waitMs);
  const ended = AbortSignal.any([gone, isLate]);
  ended.addEventListener("abort", () => void tell("withdrawn"), { once: true });
  const labels = options.map((label, index) => ({
    id: String(index + 1),
    key: String(index + 1),
    label: shownLine(label, questionLimits.label),
  }));
  const title = shownLine(question, questionLimits.title);
  const output = await questions.hook(
    {
      ...told,
      report: {
        kind: "asks",
        question: {
          ...{ agentSessionId, thread: "", call: CALL, event: key, takesReply: true, tellsAnswers: true },
          kind: labels.length === 0 ? "text" : "choice",
          title,
          text: title === question ? "" : visibleText(question),
          detail: {},
          options: labels,
          acceptsText: true,
          risk: { level: "low", reasons: [] },
          reply: () => ({ output: { answered: true }, allows: false, decision: key }),
        },
      },
    },
    ended,
  );
  const asked = questions.stored().find(({ origin }) => origin.hook === key)?.question;
  if (asked === undefined)
    throw new RemoteError(
      "limit_reached",
      "Too many questions are open in this shell, or were asked a short while ago: wait for their answers.",
    );
  if (output.answered !== true) throw unanswered(asked, isLate.aborted ? waitMs : undefined);
  // The program gets it with this.
  await tell("settled", key);
  return { question: asked.id, answer: answerText(asked) ?? "", answeredBy: asked.answeredBy?.name ?? "" };
}

function unanswered({ id, closedBecause }: Question, waitedMs: number | undefined): RemoteError {
  if (waitedMs !== undefined)
    return new RemoteError("wait_timeout", `Nobody answered question ${id} within ${formatSeconds(waitedMs)}.`);
  return new RemoteError(
    "question_closed",
    `Question ${id} was ended without an answer${closedBecause === null ? "" : `: ${closedBecause}`}.`,
  );
}
