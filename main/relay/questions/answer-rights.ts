import { isDeepStrictEqual } from "node:util";
import type { HookReply } from "../../../core/protocol/agent-hooks.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Question, QuestionAnswer } from "../../../core/protocol/questions.ts";
import { withoutSecretsAtOnce } from "../../system/hide-in-value.ts";
import { hideSecrets, hideSecretsInCut } from "../../system/redact-part.ts";
import { typedAnswer } from "./call-record.ts";

/** Says that the caller may not answer a question of the relay. */
export function notForCaller({ id }: Question): RemoteError {
  return new RemoteError(
    "scope_forbids",
    `Question ${id} is about a budget, which only the session's owner decides: answer in the app, or with an API key that is not for automation.`,
  );
}

/**
 * Checks that an answer of a caller from whom secrets are hidden allows nothing that they were not shown. A refusal is
 * always possible.
 *
 * @param reply what the answer says to the hook; undefined for one that is typed into a dialog
 * @throws RemoteError `scope_forbids`
 */
export function checkNothingHidden(question: Question, answer: QuestionAnswer, reply: HookReply | undefined): void {
  const { id, shellId, options } = question;
  const option = options.find((one) => one.id === answer.option);
  const allows = reply?.allows ?? (option && typedAnswer(question, option, 0).allows);
  if (allows === false || !hidesPart(question)) return;
  throw new RemoteError(
    "scope_forbids",
    `Question ${id} has a part that is hidden from this key as a secret, so that the key can only refuse it: answer with a key that is shown secrets, or in shell ${shellId}.`,
  );
}

/**
 * Returns whether a part of a question is hidden from those who are shown no secrets. The agent chooses its text, and what
 * looks like a secret may be a command. A title that is cut repeats a part that is shown whole: its cut end does not count.
 */
export function hidesPart({ title, text, detail, options, choices }: Question): boolean {
  const parts = { text, detail, options, choices };
  return hideSecrets(title) !== title || !isDeepStrictEqual(withoutSecretsAtOnce(parts, hideSecretsInCut), parts);
}
