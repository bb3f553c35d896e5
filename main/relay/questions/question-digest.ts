import { createHash } from "node:crypto";
import type { Question } from "../../../core/protocol/questions.ts";
import type { QuestionOrigin } from "../store/question-rows.ts";

/** What a question shows, with the agent that it is of. Its risk is shown too. */
type ShownQuestion = Pick<
  Question,
  | "shellId"
  | "agentType"
  | "agentSessionId"
  | "source"
  | "kind"
  | "title"
  | "text"
  | "detail"
  | "options"
  | "choices"
  | "acceptsText"
  | "risk"
>;

/** Where a question comes from, and the event that waits for its answer, by its name. */
interface AskedBy extends Omit<QuestionOrigin, "digest"> {
  readonly event: string;
}

const NO_EVENT: AskedBy = { hook: null, thread: "", call: "", event: "" };

/**
 * Returns the origin of a question with its digest, which names all that the question shows and all that its answer lets
 * happen: the agent session, the thread, the tool call and its whole event. Two questions with one digest are the same.
 */
export function originOf(shown: ShownQuestion, { event, ...origin }: AskedBy = NO_EVENT): QuestionOrigin {
  const { shellId, agentType, agentSessionId, source, kind, title, text, detail, options, acceptsText, risk } = shown;
  const { command, diff, files, input, screen } = detail;
  const { choices = [] } = shown;
  return {
    ...origin,
    digest: digestOf([
      [shellId, agentType, agentSessionId, source],
      [origin.thread, origin.call, event],
      [kind, title, text, acceptsText, risk.level, risk.reasons],
      [command, diff, files, input, screen],
      options.map(({ id, label, key }) => [id, label, key]),
      // Digests are kept: those of questions without choices stay as they were.
      ...choices.map((one) => [one.question, one.multiple, one.acceptsText, one.options.map(({ label }) => label)]),
    ]),
  };
}

/** Returns the digest of a question that was completed by its dialog. */
export function digestOfDialog(asked: string | null, screen: string, options: Question["options"]): string {
  return digestOf([asked, screen, options.map(({ id, label, key }) => [id, label, key])]);
}

function digestOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
