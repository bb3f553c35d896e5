import { type FormEvent, useId, useState } from "react";
import { OWN_WORDS, type QuestionChoice } from "../../core/protocol/questions.ts";
import { words } from "./words.ts";

/** What was chosen for one of the questions: ids of options, or own words. */
interface Chosen {
  readonly options: readonly string[];
  readonly text: string;
}

const NOTHING: Chosen = { options: [], text: "" };

/** Several questions, or one that takes several options, which are answered at once. */
export function QuestionChoices(props: {
  readonly choices: readonly QuestionChoice[];
  /** Takes little space. */
  readonly small?: boolean;
  /** Called with an answer for each of the choices, as `answerQuestion` takes them. */
  readonly answer: (answers: string[]) => void;
}) {
  const { choices, small = false, answer } = props;
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const name = useId();
  const answers = choices.map((_, place) => {
    const { options, text } = chosen[place] ?? NOTHING;
    return text.trim() === "" ? options.join("+") : `${OWN_WORDS}${text.trim()}`;
  });
  const set = (place: number, next: Chosen) =>
    setChosen(choices.map((_, other) => (other === place ? next : (chosen[other] ?? NOTHING))));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer(answers);
  };
  return (
    <form className="question-choices" onSubmit={submit}>
      {choices.map(({ question, options, multiple, acceptsText }, place) => {
        const { options: ids, text } = chosen[place] ?? NOTHING;
        return (
          <fieldset key={question}>
            <legend>{question}</legend>
            {options.map(({ id, label, description }) => (
              <label key={id} className="question-choice">
                <input
                  type={multiple ? "checkbox" : "radio"}
                  name={`${name}-${place}`}
                  checked={ids.includes(id)}
                  onChange={() => set(place, { options: multiple ? toggled(ids, id) : [id], text: "" })}
                  // It would send the form: Enter chooses nothing, and so must answer nothing.
                  onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
                />
                <span>
                  {label}
                  {description !== "" && <span className="question-choice-description">{description}</span>}
                </span>
              </label>
            ))}
            {acceptsText && (
              <input
                className="field"
                aria-label={words.question.answerLabel}
                placeholder={words.question.answerLabel}
                maxLength={3999}
                value={text}
                onChange={(event) => set(place, { options: [], text: event.target.value })}
              />
            )}
          </fieldset>
        );
      })}
      <button
        type="submit"
        className={`button primary ${small ? "small" : ""}`}
        disabled={answers.some((given) => given === "")}
      >
        {words.question.send}
      </button>
    </form>
  );
}

function toggled(ids: readonly string[], id: string): string[] {
  return ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id].sort();
}
