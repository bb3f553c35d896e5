import { type FormEvent, useState } from "react";
import type { Question } from "../../core/protocol/questions.ts";
import { QuestionChoices } from "./question-choices.tsx";
import { type NumberedOption, sortOptions } from "./question-options.ts";
import { useStandsStill } from "./stands-still.ts";
import { words } from "./words.ts";

/** An answer of the user: the id of an option, a text, or one for each of the question's choices. */
export type GivenAnswer = { readonly option: string } | { readonly text: string } | { readonly answers: string[] };

/**
 * The options of an open question as buttons, of which one at most is primary and those that outlast the question stand
 * apart, and a field for an answer in words where the question takes one.
 */
export function QuestionAnswers(props: {
  readonly question: Question;
  /** Shows the digit that chooses each option. */
  readonly digits: boolean;
  /** Takes little space: the field for words is shown on request. */
  readonly small?: boolean;
  readonly answer: (given: GivenAnswer) => void;
}) {
  const { question, digits, small = false, answer } = props;
  const { primary, others, persistent } = sortOptions(question);
  const shared = { small, digits, choose: (option: string) => answer({ option }) };
  const [showsTextField, setShowsTextField] = useState(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: answers are no set of form fields
    <div {...useStandsStill<HTMLDivElement>()} className="question-answers" role="group">
      {question.options.length > 0 && (
        <div className="question-options">
          {primary !== undefined && <OptionButton look="primary" option={primary} {...shared} />}
          {others.map((option) => (
            <OptionButton key={option.id} look="outlined" option={option} {...shared} />
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
      {persistent.length > 0 && (
        <div className="question-options question-persistent">
          {persistent.map((option) => (
            <OptionButton key={option.id} look="quiet" option={option} {...shared} />
          ))}
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

function OptionButton(props: {
  readonly look: "primary" | "outlined" | "quiet";
  readonly option: NumberedOption;
  readonly small: boolean;
  readonly digits: boolean;
  readonly choose: (option: string) => void;
}) {
  const { look, option, small, digits, choose } = props;
  const key = digits ? option.digit : "";
  return (
    <button
      type="button"
      className={`button ${look} ${small ? "small" : ""}`}
      data-option
      {...(key === "" ? {} : { "aria-keyshortcuts": key })}
      onClick={() => choose(option.id)}
    >
      {key !== "" && (
        <span className="keys" aria-hidden="true">
          {key}
        </span>
      )}
      <span>{option.label}</span>
    </button>
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
