import { useState } from "react";
import { isAnsweredOnScreen, partsOf, type Question, type QuestionPart } from "../../core/protocol/questions.ts";
import { showRest } from "../ui/question-text.ts";
import { words as shared } from "../ui/words.ts";
import { excerpt } from "./inbox-items.ts";
import { words } from "./words/index.ts";

const SHOWN = { lines: 10, characters: 900 } as const;

/** All that the agent wants to do: each part whole, or with how much of it is left out. */
export function QuestionDetail({ question }: { readonly question: Question }) {
  const parts = partsOf(question);
  const screen = parts.find(({ part }) => part === "screen");
  return (
    <>
      {parts
        .filter((one) => one !== screen)
        .map(({ part, text }) => (
          <Part key={part} part={part} text={text} />
        ))}
      {isAnsweredOnScreen(question) && (
        <p className="panel-faint">{question.source === "screen" ? words.inbox.fromScreen : words.inbox.intoScreen}</p>
      )}
      {screen !== undefined && <Part part="screen" text={screen.text} />}
    </>
  );
}

function Part({ part, text }: { readonly part: QuestionPart; readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const { shown, isCut } = excerpt(text, { ...SHOWN, end: part === "screen" });
  const seen = whole ? text : shown;
  return (
    <div className="inbox-excerpt">
      {part === "text" ? (
        <p className="inbox-text">{seen}</p>
      ) : (
        <pre className="question-excerpt">{part === "diff" ? <Diff text={seen} /> : seen}</pre>
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
    <span key={index} className="inbox-line" data-sign={line.charAt(0)}>
      {line}
      {"\n"}
    </span>
  ));
}
