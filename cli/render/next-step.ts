import { type ErrorCode, RemoteError } from "../../core/protocol/errors.ts";

const nextSteps: Partial<Record<ErrorCode, string>> = {
  unknown_webhook: "`service webhooks` lists the webhooks, `service webhooks deliveries ID` the messages of one.",
  unknown_policy: "`service policies` lists the policies.",
  unknown_invite: "`service invite list` lists the open invites.",
  unknown_budget: "`service budgets` lists the budgets.",
  unknown_question: "`service questions` lists the open questions, `service questions --closed` the others.",
  unknown_receipt: "`service receipts --all` lists the receipts.",
};

/** Returns what to do after a refusal for what does not exist, with a space before it; "" for any other error. */
export function nextStep(error: unknown): string {
  const step = error instanceof RemoteError ? nextSteps[error.code] : undefined;
  return step === undefined ? "" : ` ${step}`;
}
