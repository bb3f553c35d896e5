import { type FormEvent, useState } from "react";
import type { Question } from "../../core/protocol/questions.ts";
import { QuestionChoices } from "./question-choices.tsx";
import { optionDigits } from "./question-text.ts";
import { useStandsStill } from "./stands-still.ts";
import { words } from "./words.ts";

/** An answer of the user: the id of an option, a text, or one for each of the question's choices. */
export type GivenAnswer = { readonly option: string } | { readonly text: string } | { readonly answers: string[] };

/** The options of an open question as buttons, and a field for an answer in words where the question takes one. */
export function QuestionAnswers(props: {
  readonly question: Question;
  /** Shows the digit that chooses each option. */
  readonly digits: boolean;
  /** Takes little space: the field for words is shown on request. */
  readonly small?: boolean;
  readonly answer: (given: GivenAnswer) => void;
}) {
  const { question, digits, small = false, answer } = props;
  const keys = optionDigits(question.options);
  const [showsTextField, setShowsTextField] = useState(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: answers are no set of form fields
    <div {...useStandsStill<HTMLDivElement>()} className="question-answers" role="group">
      {question.options.length > 0 && (
        <div className="question-options">
          {question.options.map(({ id, label }, index) => (
            <button
              key={id}
              type="button"
              className={`button outlined ${small ? "small" : ""}`}
              data-option
              {...(digits && keys[index] ? { "aria-keyshortcuts": keys[index] } : {})}
              onClick={() => answer({ option: id })}
            >
              {digits && keys[index] && (
                <span className="keys" aria-hidden="true">
                  {keys[index]}
                </span>
              )}
              <span>{label}</span>
            </button>
          ))}
          {small && question.acceptsText && (
            <button
              type="button"
              className="button quiet small"
              aria-expanded={showsTextField}
              onClick={() => setShowsTextField(!showsTextField)}
            >
              {question.kind === "permission" ? words.question.refuseInWords : words.question.answerInWords}
            </button>
          )}
        </div>
      )}
      {question.choices !== undefined && (
        <QuestionChoices choices={question.choices} small={small} answer={(answers) => answer({ answers })} />
      )}
      {question.acceptsText && (showsTextField || !small || question.options.length === 0) && (
        <TextAnswer question={question} small={small} answer={answer} />
      )}
    </div>
  );
}

function TextAnswer(props: {
  readonly question: Question;
  readonly small: boolean;
  readonly answer: (given: GivenAnswer) => void;
}) {
  const { question, small, answer } = props;
  const [text, setText] = useState("");
  const refuses = question.kind === "permission";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") answer({ text: text.trim() });
  };
  return (
    <form className="question-text" onSubmit={submit}>
      <input
        className="field"
        aria-label={refuses ? words.question.refuseLabel : words.question.answerLabel}
        placeholder={refuses ? words.question.refuseHint : words.question.answerLabel}
        maxLength={4000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className={`button outlined ${small ? "small" : ""}`} disabled={text.trim() === ""}>
        {refuses ? words.question.refuse : words.question.send}
      </button>
    </form>
  );
}
