import { useState } from "react";
import { isAnsweredOnScreen, partsOf, type Question, shownDigest } from "../../../core/protocol/questions.ts";
import { type GivenAnswer, QuestionAnswers } from "../../ui/question-answers.tsx";
import { askedIn, countLines, describeRisk, outcomeOf, showAll, titleBeside } from "../../ui/question-text.ts";
import { words as shared } from "../../ui/words.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/**
 * The oldest question of the agent in a shell, below its terminal: a row of its own, so that it covers no line. Never
 * takes the focus, so that typed keys cannot answer it. A question that is answered on the screen has no bar: the agent's
 * dialog is in view, and a smaller terminal would no longer show the screen that the answer is for.
 */
export function QuestionBar({ shell }: { readonly shell: number }) {
  const view = useView();
  const { mirror, self, connected } = useSnapshot();
  const questions = (mirror?.questions ?? []).filter((one) => one.shellId === shell && !isAnsweredOnScreen(one));
  const open = questions.filter(({ state }) => state === "open");
  // An answer that awaits its proof stands back behind the next question.
  const question = open[0] ?? questions[0];
  const others = open.filter((one) => one !== question).length;
  const answer = async (given: GivenAnswer) => {
    if (question === undefined) return;
    try {
      const shown = { id: question.id, ...given, ...shownDigest(question), confirmScreen: false };
      await view.keyboard.during(view.host.answerQuestion(shown));
    } catch (error) {
      view.ui.toasts.show("error", error instanceof Error ? error.message : String(error));
    }
  };
  if (question === undefined) return <div aria-live="polite" />;
  const { agentType, title, risk, answerable } = question;
  const outcome = outcomeOf(question);
  const state = outcome?.sentence ?? describeRisk(risk);
  const mayAnswer = self?.role !== "reader" && connected;
  return (
    <div aria-live="polite">
      {/* biome-ignore lint/a11y/useSemanticElements: a question is no set of form fields */}
      <div className="agent-question" role="group" aria-label={words.tiles.question.label(agentType, title)}>
        <span className="dot wait" />
        <div className="agent-question-text question-bar">
          <QuestionSubject key={`asked ${question.id}`} question={question} isOpen={outcome === undefined} />
          <p className="question-risk" data-level={outcome === undefined ? risk.level : undefined}>
            {others > 0 ? words.tiles.question.more(state, others) : state}
          </p>
          {outcome === undefined && answerable && mayAnswer && (
            <QuestionAnswers
              key={question.id}
              question={question}
              digits={false}
              small
              answer={(given) => void answer(given)}
            />
          )}
          {outcome === undefined && !answerable && (
            <p className="agent-question-waits">{words.tiles.question.inTerminal}</p>
          )}
          {outcome === undefined && self?.role === "reader" && (
            <p className="agent-question-waits">{words.tiles.question.waits}</p>
          )}
        </div>
      </div>
    </div>
  );
}

/**
 * What the agent asks. What it wants to do is shown in full where the title does not say all of it: what is hidden cannot be
 * agreed to. On request, because the row takes its lines from the terminal.
 */
function QuestionSubject({ question, isOpen }: { readonly question: Question; readonly isOpen: boolean }) {
  const [wanted, setWanted] = useState(false);
  const { agentType, title, text } = question;
  const { asked, byAgent } = askedIn(question);
  const parts = partsOf(question).filter((one) => one.text !== asked && !title.endsWith(one.text));
  const [first] = parts;
  const whole = parts.map((one) => one.text).join("\n\n");
  const hasMore = isOpen && first !== undefined;
  const shown = hasMore && wanted;
  const said = shown ? titleBeside(asked, question.detail.command ?? whole) : asked;
  return (
    <>
      <p className="question-title" title={text === "" ? undefined : text}>
        {byAgent ? words.tiles.question.asks({ agent: <strong>{agentType}</strong>, title: said }) : said}
      </p>
      {shown && <pre className="question-excerpt">{whole}</pre>}
      {hasMore && (
        <button type="button" className="button quiet small" aria-expanded={shown} onClick={() => setWanted(!wanted)}>
          {shown ? shared.question.less : showAll(parts.length === 1 ? first.part : undefined, countLines(whole))}
        </button>
      )}
    </>
  );
}
