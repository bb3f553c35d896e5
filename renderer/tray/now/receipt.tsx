import type { Question } from "../../../core/protocol/questions.ts";
import { outcomeOf } from "../../ui/question-text.ts";
import { words as sharedWords } from "../../ui/words.ts";
import { PanelIcon } from "../icons.tsx";
import type { InboxEntry } from "../use-inbox.ts";
import { words } from "../words/index.ts";
import type { AnsweredRequest } from "./use-answered-requests.ts";

/** What became of an answer; spoken when it changes. Never in the colour of what waits. */
export function Receipt(props: {
  readonly entry: InboxEntry;
  /** What was asked: two receipts must not be taken for each other. */
  readonly subject: string;
  readonly dismiss: () => void;
  /** Leads to where it was asked; undefined where that cannot be shown. */
  readonly go: (() => void) | undefined;
}) {
  const { entry, subject, dismiss, go } = props;
  const { question, sending, problem, isUnknown } = entry;
  const outcome = sending ? words.inbox.sending : outcomeOf(question)?.sentence;
  const lost = problem !== undefined && outcome !== undefined;
  const sentence = lost ? words.inbox.lost(outcome) : (problem ?? outcome);
  const mark = sending ? "sending" : isUnknown ? "unconfirmed" : problem === undefined ? markOf(question) : "lost";
  return (
    <div className="now-receipt" data-mark={mark}>
      <ReceiptMark mark={mark} />
      <div className="now-receipt-text">
        <code className="ellipsis" title={subject}>
          {subject}
        </code>
        <p role="status">{sentence}</p>
      </div>
      {!sending && (
        <div className="panel-buttons">
          {mark === "unconfirmed" && go !== undefined && (
            <button type="button" className="button outlined small" onClick={go}>
              {words.inbox.showTerminal}
            </button>
          )}
          <button type="button" className="button quiet small" onClick={dismiss}>
            {sharedWords.question.dismiss}
          </button>
        </div>
      )}
    </div>
  );
}

/** Says what became of a request: its answer is being sent, the relay has taken it, or the request closed without it. */
export function answerText({ answer, state }: Pick<AnsweredRequest, "answer" | "state">): string {
  if (state === "sending") return words.inbox.sending;
  if (state === "taken") return words.requests.answered(answer);
  const closed = state === "expired" ? sharedWords.question.expired : words.requests.overtaken;
  return answer === "" ? closed : words.inbox.lost(closed);
}

/** The receipt of a request: the answer that the user gave to it and whether the relay has taken it, or why it closed. */
export function RequestReceipt(props: { readonly answered: AnsweredRequest; readonly dismiss: () => void }) {
  const { answered, dismiss } = props;
  const { answer, state } = answered;
  const closed = answer === "" ? "settled" : "lost";
  const mark = state === "sending" ? state : state === "taken" ? "confirmed" : closed;
  return (
    <div className="now-receipt" data-mark={mark}>
      <ReceiptMark mark={mark} />
      <p className="now-receipt-text" role="status">
        {answerText(answered)}
      </p>
      {state !== "sending" && (
        <button type="button" className="button quiet small" onClick={dismiss}>
          {sharedWords.question.dismiss}
        </button>
      )}
    </div>
  );
}

type Mark = "sending" | "pending" | "confirmed" | "unconfirmed" | "lost" | "settled";

function markOf({ receipt }: Question): Mark {
  if (receipt === null) return "settled";
  return receipt.state === "overruled" || receipt.state === "abandoned" ? "lost" : receipt.state;
}

function ReceiptMark({ mark }: { readonly mark: Mark }) {
  if (mark === "confirmed" || mark === "settled") return <PanelIcon name="check" />;
  if (mark === "lost") return <PanelIcon name="cross" />;
  return <PanelIcon name="ring" dashed={mark === "unconfirmed"} />;
}
