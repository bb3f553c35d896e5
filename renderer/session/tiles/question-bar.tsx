import { useEffect, useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import {
  isAnsweredOnScreen,
  isOpen,
  partsOf,
  type Question,
  shownDigest,
  textRepeatsTitle,
} from "../../../core/protocol/questions.ts";
import { mayAnswer } from "../../../core/protocol/waiting.ts";
import { type GivenAnswer, QuestionAnswers } from "../../ui/question-answers.tsx";
import {
  askedIn,
  askerOf,
  countLines,
  describeRisk,
  isRisky,
  outcomeOf,
  showAll,
  titleBeside,
} from "../../ui/question-text.ts";
import { useStore } from "../../ui/store.ts";
import { useBusy } from "../../ui/use-busy.ts";
import { words as shared } from "../../ui/words.ts";
import { newestAnswer } from "../view/shown-answers.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/**
 * The questions of the agent in a shell, below its terminal: a row of its own, so that it covers no line. The oldest open
 * one; where none is open, the newest answer, until it is settled or dismissed. Never takes the focus, so that typed keys
 * cannot answer a question. A question that is answered on the screen has no bar: the agent's dialog is in view, and a
 * smaller terminal would no longer show the screen that the answer is for.
 */
export function QuestionBar({ shell }: { readonly shell: number }) {
  const { shownAnswers } = useView().ui;
  const { mirror } = useSnapshot();
  const questions = (mirror?.questions ?? []).filter((one) => one.shellId === shell && !isAnsweredOnScreen(one));
  const open = questions.filter(isOpen);
  const [question] = open;
  const answer = newestAnswer(questions, useStore(shownAnswers), shell);
  const mark = (dismissed: boolean) => {
    if (answer !== undefined)
      shownAnswers.set(new Map([...shownAnswers.get(), [shell, { question: answer, dismissed }]]));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is marked once, when it is first shown
  useEffect(() => mark(false), [answer?.id]);
  return (
    <div aria-live="polite">
      {question !== undefined && <OpenQuestion key={question.id} question={question} others={open.length - 1} />}
      {question === undefined && answer !== undefined && <AnswerLine question={answer} dismiss={() => mark(true)} />}
    </div>
  );
}

/** A question that waits, with its answers. */
function OpenQuestion({ question, others }: { readonly question: Question; readonly others: number }) {
  const view = useView();
  const { self, mirror, connected } = useSnapshot();
  const { title, risk, answerable, id } = question;
  const state = isRisky(question) ? describeRisk(risk) : "";
  const isAnsweredHere = connected && mayAnswer(question, mirror?.clients ?? [], self);
  const [isSending, runOnce] = useBusy();
  const send = async (given: GivenAnswer) => {
    try {
      const shown = { id, ...given, ...shownDigest(question), confirmScreen: false };
      await view.keyboard.during(view.host.answerQuestion(shown));
    } catch (error) {
      view.ui.toasts.show("error", errorText(error));
    }
  };
  const answer = (given: GivenAnswer) => runOnce(() => send(given));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a question is no set of form fields
    <div
      className="agent-question"
      role="group"
      aria-label={words.tiles.question.label(askerOf(question), title)}
      aria-disabled={isSending}
    >
      <span className="dot wait" />
      <div className="agent-question-text question-bar">
        {/* The form of several questions shows all that they ask. */}
        {(question.choices === undefined || !answerable || !isAnsweredHere) && <QuestionSubject question={question} />}
        {(state !== "" || others > 0) && (
          <p className="question-risk" data-level={risk.level}>
            {others > 0 ? words.tiles.question.more(state, others) : state}
          </p>
        )}
        {answerable && isAnsweredHere && <QuestionAnswers question={question} answer={answer} />}
        {!answerable && <p className="agent-question-waits">{words.tiles.question.inTerminal}</p>}
        {self?.role === "reader" && <p className="agent-question-waits">{shared.question.forWriters}</p>}
      </div>
    </div>
  );
}

/** What became of an answer: in the colours of the frame, because it waits for nobody. */
function AnswerLine({ question, dismiss }: { readonly question: Question; readonly dismiss: () => void }) {
  const { title } = question;
  const outcome = outcomeOf(question);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an answer is no set of form fields
    <div
      className="agent-question"
      data-answered={question.receipt?.state}
      role="group"
      aria-label={words.tiles.question.label(askerOf(question), title)}
    >
      <span className={`dot ${outcome?.kind ?? ""}`} />
      <div className="agent-question-text question-bar">
        <QuestionTitle question={question} title={askedIn(question).asked} />
        <p className="question-risk">{outcome?.sentence}</p>
      </div>
      <button type="button" className="button quiet small" onClick={dismiss}>
        {shared.question.dismiss}
      </button>
    </div>
  );
}

function QuestionTitle({ question, title }: { readonly question: Question; readonly title: string }) {
  const { text } = question;
  const agent = <strong>{askerOf(question)}</strong>;
  return (
    <p className="question-title" title={text === "" ? undefined : text}>
      {askedIn(question).byAgent ? words.tiles.question.asks({ agent, title }) : title}
    </p>
  );
}

/**
 * What the agent asks. What it wants to do is shown in full where the title does not say all of it: what is hidden cannot be
 * agreed to. On request, because the row takes its lines from the terminal.
 */
function QuestionSubject({ question }: { readonly question: Question }) {
  const [wanted, setWanted] = useState(false);
  const { asked } = askedIn(question);
  const parts = partsOf(question).filter((one) => one.text !== asked && !question.title.endsWith(one.text));
  const [first] = parts;
  const whole = parts.map((one) => one.text).join("\n\n");
  const hasMore = first !== undefined;
  const shown = hasMore && wanted;
  const beside = textRepeatsTitle(question) ? "" : titleBeside(asked, question.detail.command ?? whole);
  const said = shown ? beside : asked;
  return (
    <>
      <QuestionTitle question={question} title={said} />
      {shown && <pre className="question-excerpt">{whole}</pre>}
      {hasMore && (
        <button type="button" className="button quiet small" aria-expanded={shown} onClick={() => setWanted(!wanted)}>
          {shown ? shared.question.less : showAll(parts.length === 1 ? first.part : undefined, countLines(whole))}
        </button>
      )}
    </>
  );
}
