import { type FormEvent, useState } from "react";
import type { Question, QuestionOption } from "../../core/protocol/questions.ts";
import { QuestionChoices } from "./question-choices.tsx";
import { sortOptions } from "./question-options.ts";
import { useStandsStill } from "./stands-still.ts";
import { words } from "./words.ts";

/** An answer of the user: the id of an option, a text, or one for each of the question's choices. */
export type GivenAnswer = { readonly option: string } | { readonly text: string } | { readonly answers: string[] };

/**
 * The options of an open question as buttons, of which one at most is primary and those that outlast the question stand
 * apart with a second step, and a field for an answer in words where the question takes one: on request, where there are
 * options.
 */
export function QuestionAnswers(props: { readonly question: Question; readonly answer: (given: GivenAnswer) => void }) {
  const { question, answer } = props;
  const { primary, others, persistent } = sortOptions(question);
  const choose = (option: string) => answer({ option });
  const [showsTextField, setShowsTextField] = useState(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: answers are no set of form fields
    <div {...useStandsStill<HTMLDivElement>()} className="question-answers" role="group">
      {question.options.length > 0 && (
        <div className="question-options">
          {primary !== undefined && <OptionButton look="primary" option={primary} choose={choose} />}
          {others.map((option) => (
            <OptionButton key={option.id} look="outlined" option={option} choose={choose} />
          ))}
          {question.acceptsText && (
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
      <PersistentOptions options={persistent} choose={choose} />
      {question.choices !== undefined && (
        <QuestionChoices choices={question.choices} small answer={(answers) => answer({ answers })} />
      )}
      {question.acceptsText && (showsTextField || question.options.length === 0) && (
        <TextAnswer question={question} answer={answer} />
      )}
    </div>
  );
}

/** Options that outlast the question, each in a row: a press opens the second step, which gives the answer. */
export function PersistentOptions(props: {
  readonly options: readonly Pick<QuestionOption, "id" | "label">[];
  readonly choose: (option: string) => void;
}) {
  const { options, choose } = props;
  const [second, setSecond] = useState<string>();
  return options.map(({ id, label }) => (
    <div key={id} className="question-options question-persistent">
      <button
        type="button"
        className="button quiet small"
        data-option
        aria-expanded={second === id}
        onClick={() => setSecond(second === id ? undefined : id)}
      >
        <span>{label}</span>
      </button>
      {second === id && (
        <button type="button" className="button outlined small" onClick={() => choose(id)}>
          {words.question.allowPersistent}
        </button>
      )}
    </div>
  ));
}

function OptionButton(props: {
  readonly look: "primary" | "outlined";
  readonly option: QuestionOption;
  readonly choose: (option: string) => void;
}) {
  const { look, option, choose } = props;
  return (
    <button type="button" className={`button ${look} small`} data-option onClick={() => choose(option.id)}>
      <span>{option.label}</span>
    </button>
  );
}

function TextAnswer(props: { readonly question: Question; readonly answer: (given: GivenAnswer) => void }) {
  const { question, answer } = props;
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
      <button type="submit" className="button outlined small" disabled={text.trim() === ""}>
        {refuses ? words.question.refuse : words.question.send}
      </button>
    </form>
  );
}
