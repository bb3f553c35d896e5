import { type KeyboardEvent, useId, useRef } from "react";
import { formatDuration } from "../ui/format-duration.ts";
import { formatTime } from "../ui/format-time.ts";
import { type GivenAnswer, QuestionAnswers } from "../ui/question-answers.tsx";
import { describeRisk, optionOfDigit, outcomeOf, titleBeside } from "../ui/question-text.ts";
import { useNow } from "../ui/use-now.ts";
import { words as sharedWords } from "../ui/words.ts";
import { QuestionDetail } from "./question-detail.tsx";
import type { InboxEntry } from "./use-inbox.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

const SECOND_MS = 1_000;

/** One question: who asks what, since when, with which risk, and the ways to answer it. */
export function QuestionCard(props: {
  readonly entry: InboxEntry;
  readonly isFirst: boolean;
  readonly answer: (given: GivenAnswer) => void;
  readonly dismiss: () => void;
}) {
  const { entry, isFirst, answer, dismiss } = props;
  const { question, session, shell, sending, machine, isAway } = entry;
  const { run } = usePanel();
  const title = useId();
  const card = useRef<HTMLDivElement>(null);
  const open = question.state === "open" && !sending;
  const canAnswer = open && question.answerable && !isAway;
  // The heading of its machine is above it.
  const Title = machine === undefined ? "h2" : "h3";
  // The buttons go with the answer; the focus must not go with them.
  const give = (given: GivenAnswer) => {
    card.current?.focus();
    answer(given);
  };
  const answerByDigit = (event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === "Escape" && typing) {
      event.preventDefault();
      card.current?.focus();
    }
    if (!canAnswer || typing || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const option = optionOfDigit(question.options, event.key);
    if (option !== undefined) give({ option: option.id });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a question is no set of form fields
    <div
      ref={card}
      role="group"
      aria-labelledby={title}
      className="panel-card inbox-card"
      data-question={entry.key}
      data-waits={!isAway && open}
      tabIndex={isFirst ? 0 : -1}
      onKeyDown={answerByDigit}
    >
      <div className="panel-row">
        <p className="panel-faint ellipsis" title={words.inbox.from(question.agentType, shell, session)}>
          {words.inbox.fromShort({ agent: <strong>{question.agentType}</strong>, shell: shell, session: session })}
        </p>
        <span className="panel-faint panel-number" title={words.inbox.askedAt(formatTime(question.askedAt))}>
          <Age since={question.askedAt} />
        </span>
      </div>
      {/* Its name, which is the card's, has the command too: a screen reader says no more of a focused card. */}
      <Title id={title} className="inbox-title" aria-label={question.title}>
        {titleBeside(question.title, question.detail.command ?? "")}
      </Title>
      <QuestionDetail question={question} />
      <p className="question-risk" data-level={question.risk.level}>
        {describeRisk(question.risk)}
      </p>
      {canAnswer && <QuestionAnswers question={question} digits answer={give} />}
      {open && isAway && machine !== undefined && (
        <p className="panel-faint">{words.inbox.whenBack(machine.machine)}</p>
      )}
      {open && !isAway && !question.answerable && <p className="panel-faint">{words.inbox.inTerminal}</p>}
      <Outcome entry={entry} />
      <div className="panel-row">
        <span />
        <div className="panel-buttons">
          {question.state !== "open" && !sending && (
            <button type="button" className="button quiet small" onClick={dismiss}>
              {sharedWords.question.dismiss}
            </button>
          )}
          {machine === undefined ? (
            <button
              type="button"
              className="button quiet small"
              aria-label={words.inbox.showTerminalOf(question.agentType, session)}
              onClick={() => void run("panel.open", { id: question.session, shell: question.shellId })}
            >
              {words.inbox.showTerminal}
            </button>
          ) : (
            <button
              type="button"
              className="button quiet small"
              aria-label={words.remotes.openIt(session, machine.machine)}
              onClick={() =>
                void run("panel.openMachine", { ...machine, session: { id: question.session, name: session } })
              }
            >
              {words.sessions.open}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** What became of the answer; spoken when it changes. */
function Outcome({ entry: { question, sending, problem } }: { readonly entry: InboxEntry }) {
  const outcome = sending ? { kind: "info" as const, sentence: words.inbox.sending } : outcomeOf(question);
  const lost = problem !== undefined && outcome !== undefined;
  const kind = problem === undefined ? outcome?.kind : "bad";
  const sentence = lost ? words.inbox.lost(outcome.sentence) : (problem ?? outcome?.sentence);
  return (
    <div role="status">
      {sentence !== undefined && (
        <p className="question-outcome">
          <span className={`dot ${kind}`} />
          {sentence}
        </p>
      )}
    </div>
  );
}

function Age({ since }: { readonly since: string }) {
  const now = useNow(SECOND_MS);
  return <>{formatDuration(now - Date.parse(since)) || words.inbox.now}</>;
}
