import { type ReactNode, useState } from "react";
import {
  isAnsweredOnScreen,
  partsOf,
  type Question,
  type QuestionPart,
  textRepeatsTitle,
} from "../../../core/protocol/questions.ts";
import { showRest } from "../../ui/question-text.ts";
import { words as shared } from "../../ui/words.ts";
import { excerpt } from "../inbox-items.ts";
import { words } from "../words/index.ts";
import { cardKindOf, countChanges } from "./card-kinds.ts";

const SHOWN = { lines: 8, characters: 900 } as const;

/** In which order parts are read: what is done leads, the agent's reason follows. */
const ORDER = ["command", "files", "diff", "input", "text", "screen"] as const satisfies readonly QuestionPart[];

/** All that the agent wants to do: each part whole, or with how much of it is left out. */
export function QuestionDetail({ question }: { readonly question: Question }) {
  const isReason = question.detail.command !== undefined || question.detail.diff !== undefined;
  const parts = partsOf(question).filter(({ part, text }) => part !== "files" || !isFileOfChange(question, text));
  const ordered = isReason ? [...parts].sort((a, b) => ORDER.indexOf(a.part) - ORDER.indexOf(b.part)) : parts;
  const screen = ordered.find(({ part }) => part === "screen");
  return (
    <>
      {ordered
        .filter((one) => one !== screen)
        .map(({ part, text }) => (
          <Part key={part} part={part} text={text} isReason={isReason}>
            {part === "diff" && <ChangedFile question={question} diff={text} />}
          </Part>
        ))}
      {isAnsweredOnScreen(question) && (
        <p className="panel-faint">{question.source === "screen" ? words.inbox.fromScreen : words.inbox.intoScreen}</p>
      )}
      {screen !== undefined && <Part part="screen" text={screen.text} isReason={false} />}
    </>
  );
}

/** Whether a list of files has only the file that the heading of the change names. */
function isFileOfChange({ detail }: Question, files: string): boolean {
  return detail.diff !== undefined && !files.includes("\n");
}

function ChangedFile({ question, diff }: { readonly question: Question; readonly diff: string }) {
  const [file] = question.detail.files ?? [];
  const { added, removed } = countChanges(diff);
  if (file === undefined || question.detail.files?.length !== 1) return null;
  return (
    <span className="now-diff-file">
      <bdi className="now-diff-path">{file}</bdi>
      <span className="panel-number">{words.inbox.changed(added, removed)}</span>
    </span>
  );
}

function Part(props: {
  readonly part: QuestionPart;
  readonly text: string;
  readonly isReason: boolean;
  readonly children?: ReactNode;
}) {
  const { part, text, isReason, children } = props;
  const [whole, setWhole] = useState(false);
  const { shown, isCut } = excerpt(text, { ...SHOWN, end: part === "screen" });
  const seen = whole ? text : shown;
  return (
    <div className="inbox-excerpt">
      {part === "text" ? (
        <p className={isReason ? "inbox-text panel-faint" : "inbox-text"}>{seen}</p>
      ) : (
        <pre className={part === "diff" ? "now-code now-diff" : "now-code"}>
          {children}
          {part === "diff" ? <Diff text={seen} /> : seen}
        </pre>
      )}
      {isCut && (
        <button type="button" className="button quiet small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? shared.question.less : showRest(part, text, shown)}
        </button>
      )}
    </div>
  );
}

function Diff({ text }: { readonly text: string }) {
  return text.split("\n").map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have nothing else
    <span key={index} className="now-line" data-sign={line.charAt(0)}>
      {line}
      {"\n"}
    </span>
  ));
}

/** Returns the question itself, where the card's sentence does not say it. */
export function QuestionSubject({ question }: { readonly question: Question }) {
  switch (cardKindOf(question)) {
    case "command":
    case "change":
    case "plan":
    case "screen":
      return null;
    case "use": {
      const subject = /^[\w.-]+: (.+)$/s.exec(question.title)?.[1];
      return subject === undefined ? (
        <p className="inbox-title">{question.title}</p>
      ) : (
        <pre className="now-code">{subject}</pre>
      );
    }
    default:
      return textRepeatsTitle(question) ? null : <p className="inbox-title">{question.title}</p>;
  }
}
