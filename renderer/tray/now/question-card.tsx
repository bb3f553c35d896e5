import { type FormEvent, useEffect, useRef, useState } from "react";
import { ASKING_PROGRAM, optionDigits, type Question, type QuestionOption } from "../../../core/protocol/questions.ts";
import type { GivenAnswer } from "../../ui/question-answers.tsx";
import { QuestionChoices } from "../../ui/question-choices.tsx";
import { sortOptions } from "../../ui/question-options.ts";
import { askerOf, isRisky, optionLabel, optionOfDigit, outcomeOf } from "../../ui/question-text.ts";
import { words as sharedWords } from "../../ui/words.ts";
import { conversationItem, keysLabel, muteItem } from "../row-actions.ts";
import type { InboxEntry } from "../use-inbox.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { AgentMark, Card, CardButton, type CardPlace, type CardState, IconMark } from "./card.tsx";
import { cardKindOf, codeInLabel, subjectOf, toolOf } from "./card-kinds.ts";
import { PersistentRow, SecondStep } from "./persistent.tsx";
import { QuestionDetail, QuestionSubject } from "./question-detail.tsx";
import { Receipt } from "./receipt.tsx";
import { Risk } from "./risk.tsx";

/** Options of at most so many characters stand two in a row. */
const SHORT_LABEL = 16;

interface Props {
  readonly entry: InboxEntry;
  readonly place: CardPlace;
  readonly answer: (given: GivenAnswer) => void;
  readonly dismiss: () => void;
}

/** One question: who asks what, since when, with which risk, and the ways to answer it; then its receipt. */
export function QuestionCard({ entry, place, answer, dismiss }: Props) {
  const { question, session, shell, sending, isUnknown, machine, isAway } = entry;
  const panel = usePanel();
  const { run } = panel;
  const mayAnswer = machine !== undefined || panel.canRun("answerQuestion");
  const [second, setSecond] = useState<QuestionOption>();
  const isOpen = question.state === "open" && !sending && !isUnknown;
  const canAnswer = isOpen && question.answerable && !isAway && mayAnswer;
  // The form shows all that is asked.
  const asksAtOnce = canAnswer && question.choices !== undefined;
  const { persistent } = sortOptions(question);
  const said = words.inbox.sentences[cardKindOf(question)];
  const tool = toolOf(question) ?? "";
  const asker = <strong>{askerOf(question)}</strong>;
  // In one line there is room for who asks and what: what is asked says by itself that it is asked.
  const isShort = !place.isOpen && (question.kind === "choice" || question.kind === "text");
  const subject = subjectOf(question);
  const leads = () =>
    machine === undefined
      ? void run("panel.open", { id: question.session, shell: question.shellId })
      : void run("panel.openMachine", { ...machine, session: { id: question.session, name: session } });
  const go = machine === undefined || panel.can("panel.openMachine") ? leads : undefined;
  const choose = (option: QuestionOption) => {
    const chosen = persistent.find(({ id }) => id === option.id);
    if (chosen !== undefined) setSecond(chosen);
    else answer({ option: option.id });
  };
  const here = machine === undefined ? panel.content.sessions.find(({ id }) => id === question.session) : undefined;
  const talk = here === undefined ? [] : conversationItem(panel, here.id, question);
  const label = machine === undefined ? words.inbox.showTerminal : words.remotes.openShort(session);
  const enter = go && { label, run: go };
  const options = canAnswer && !panel.isAway && !asksAtOnce && second === undefined ? question.options : [];
  const digits = optionDigits(options);
  const sections = [
    [...(enter === undefined ? [] : [{ ...enter, keys: keysLabel("Enter") }]), ...talk],
    options.map((option, index) => ({
      label: optionLabel(question, option.label),
      keys: digits[index] || undefined,
      run: () => choose(option),
    })),
    here === undefined ? [] : muteItem(panel, here, question.shellId, askerOf(question)),
    isOpen || sending ? [] : [{ label: sharedWords.question.dismiss, run: dismiss }],
  ].filter((items) => items.length > 0);
  const about = words.inbox.lasts(question.agentType);
  return (
    <Card
      place={place}
      mark={<AskerMark question={question} />}
      sentence={isShort ? asker : said.sentence({ agent: asker, tool })}
      name={said.name(askerOf(question), subject, tool)}
      where={[shell, session, ...(machine === undefined ? [] : [machine.machine])].join(" · ")}
      since={question.askedAt}
      waits={isOpen && !isAway}
      line={isOpen ? subject : (outcomeOf(question)?.sentence ?? subject)}
      enter={enter}
      readConversation={talk[0]?.run}
      actions={sections.length === 0 ? undefined : { label: words.actions.of(askerOf(question)), sections }}
      onDigit={(digit) => {
        const option = canAnswer && second === undefined ? optionOfDigit(question.options, digit) : undefined;
        if (option !== undefined) choose(option);
      }}
      second={second !== undefined && canAnswer ? `${second.label}. ${about}` : undefined}
      onEscape={() => {
        setSecond(undefined);
        return second !== undefined;
      }}
    >
      {(state) => {
        if (!isOpen) return <Receipt entry={entry} subject={subject} dismiss={dismiss} go={go} />;
        if (second !== undefined && canAnswer) {
          return (
            <SecondStep
              label={<GrantLabel question={question} label={second.label} />}
              about={about}
              state={state}
              back={() => {
                setSecond(undefined);
                state.keepFocus();
              }}
              confirm={() => {
                state.keepFocus();
                answer({ option: second.id });
              }}
            />
          );
        }
        return (
          <>
            {asksAtOnce ? null : (
              <>
                <QuestionSubject question={question} />
                <QuestionDetail question={question} />
              </>
            )}
            {isRisky(question) && <Risk risk={question.risk} />}
            {entry.problem !== undefined && (
              <p className="panel-error" role="status">
                {entry.problem}
              </p>
            )}
            {asksAtOnce && (
              <QuestionChoices
                choices={question.choices ?? []}
                answer={(answers) => {
                  state.keepFocus();
                  answer({ answers });
                }}
              />
            )}
            {canAnswer && !asksAtOnce && (
              <Answers
                question={question}
                state={state}
                choose={choose}
                say={(text) => {
                  state.keepFocus();
                  answer({ text });
                }}
              />
            )}
            {isAway && machine !== undefined && <p className="panel-faint">{words.inbox.whenBack(machine.machine)}</p>}
            {question.answerable && !mayAnswer && <p className="panel-faint">{sharedWords.question.forWriters}</p>}
            {!isAway && !question.answerable && (
              <div className="now-card-actions">
                <p className="panel-faint">{words.inbox.inTerminal}</p>
                {go !== undefined && (
                  <CardButton look="outlined" isReady isAnswer={false} press={go}>
                    {words.inbox.showTerminal}
                  </CardButton>
                )}
              </div>
            )}
          </>
        );
      }}
    </Card>
  );
}

function AskerMark({ question: { source, agentType } }: { readonly question: Question }) {
  if (source === "governor") return <IconMark name="money" />;
  return agentType === ASKING_PROGRAM ? <IconMark name="terminal" /> : <AgentMark agentType={agentType} />;
}

/** The options of an open question: one that goes on, one that does not, an answer in words, and what lasts. */
function Answers(props: {
  readonly question: Question;
  readonly state: CardState;
  readonly choose: (option: QuestionOption) => void;
  readonly say: (text: string) => void;
}) {
  const { question, state, choose, say } = props;
  const { primary, others, persistent } = sortOptions(question);
  const no = question.kind === "permission" ? (others.at(-1)?.digit ?? "") : "";
  const isChoice = question.kind === "choice" || (primary === undefined && others.length > 2);
  const isShort = question.options.every(({ label }) => optionLabel(question, label).length <= SHORT_LABEL);
  const [writes, setWrites] = useState(question.options.length === 0);
  const press = (option: QuestionOption) => {
    // The buttons go with the answer; the focus must not go with them.
    state.keepFocus();
    choose(option);
  };
  return (
    <>
      {question.options.length > 0 && (
        <div className={isChoice ? "now-choices" : "now-card-actions"} data-short={isShort}>
          {primary !== undefined && (
            <CardButton look="primary" digit={primary.digit} isReady={state.isReady} press={() => press(primary)}>
              {primary.label}
            </CardButton>
          )}
          {others.map((option) => (
            <CardButton
              key={option.id}
              look="outlined"
              digit={option.digit}
              isReady={state.isReady}
              press={() => press(option)}
            >
              {option.label}
            </CardButton>
          ))}
          {question.acceptsText && !writes && (
            <CardButton look="quiet" commandDigit={no} isReady isAnswer={false} press={() => setWrites(true)}>
              {question.kind === "permission" ? sharedWords.question.refuseInWords : sharedWords.question.answerInWords}
            </CardButton>
          )}
        </div>
      )}
      {question.acceptsText && writes && (
        <TextAnswer question={question} say={say} takesFocus={question.options.length > 0} />
      )}
      {persistent.map((option) => (
        <PersistentRow key={option.id} digit={option.digit} isReady={state.isReady} press={() => press(option)}>
          <GrantLabel question={question} label={option.label} />
        </PersistentRow>
      ))}
    </>
  );
}

/** The label of what lasts, with what it names of the command as code. */
function GrantLabel({ question, label }: { readonly question: Question; readonly label: string }) {
  const code = codeInLabel(label, question.detail.command);
  if (code === undefined) return label;
  const at = label.indexOf(code);
  return (
    <>
      {label.slice(0, at)}
      <code>{code}</code>
      {label.slice(at + code.length)}
    </>
  );
}

function TextAnswer(props: {
  readonly question: Question;
  readonly say: (text: string) => void;
  /** It was asked for: the keys go there. */
  readonly takesFocus: boolean;
}) {
  const { question, say, takesFocus } = props;
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const said = sharedWords.question;
  const refuses = question.kind === "permission";
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") say(text.trim());
  };
  return (
    <form className="question-text" onSubmit={submit}>
      <input
        ref={field}
        className="field"
        aria-label={refuses ? said.refuseLabel : said.answerLabel}
        placeholder={refuses ? said.refuseHint : said.answerLabel}
        maxLength={4000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="button outlined" disabled={text.trim() === ""}>
        {refuses ? said.refuse : said.send}
      </button>
    </form>
  );
}
