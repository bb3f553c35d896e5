import { useEffect, useRef } from "react";
import { useStore } from "../../ui/store.ts";
import type { OpenQuestion } from "../view/ui-state.ts";
import { useModalDialog } from "../view/use-modal-dialog.ts";
import { useView } from "../view/view.ts";
import { words } from "../words/index.ts";

export function QuestionDialog() {
  const question = useStore(useView().ui.question);
  return question === undefined ? null : <Dialog question={question} />;
}

/** Escape and Cancel change nothing. */
function Dialog({ question: { title, body, quote, answers, settle } }: { question: OpenQuestion }) {
  const dialog = useModalDialog();
  const usual = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // showModal focuses the first button; the default answer is the last.
    usual.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="question-title"
      onCancel={(event) => {
        event.preventDefault();
        settle(undefined);
      }}
    >
      <h2 id="question-title">{title}</h2>
      <p>{body}</p>
      {quote !== undefined && <pre className="quote">{quote.join("\n")}</pre>}
      <div className="actions">
        <button type="button" className="button quiet" onClick={() => settle(undefined)}>
          {words.frame.question.cancel}
        </button>
        {answers.map(({ id, label, danger }, index) => (
          <button
            key={id}
            type="button"
            className={`button ${danger ? "danger" : index === answers.length - 1 ? "primary" : "outlined"}`}
            ref={index === answers.length - 1 ? usual : undefined}
            onClick={() => settle(id)}
          >
            {label}
          </button>
        ))}
      </div>
    </dialog>
  );
}
