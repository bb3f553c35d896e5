import { useState } from "react";
import { isAnsweredOnScreen, type Question } from "../../core/protocol/questions.ts";
import { words as shared } from "../ui/words.ts";
import { excerpt } from "./inbox-items.ts";
import { words } from "./words/index.ts";

const SHOWN = { lines: 10, characters: 900 } as const;

/** What the agent wants to do: the command, the changed lines, the files, and the screen where the question was read from it. */
export function QuestionDetail({ question }: { readonly question: Question }) {
  const { command, diff, files, screen } = question.detail;
  const onScreen = isAnsweredOnScreen(question);
  return (
    <>
      {command !== undefined && <Excerpt what="command" text={command} />}
      {files !== undefined && files.length > 0 && <Excerpt what="files" text={files.join("\n")} />}
      {diff !== undefined && <Excerpt what="diff" text={diff} isDiff />}
      {onScreen && (
        <p className="panel-faint">{question.source === "screen" ? words.inbox.fromScreen : words.inbox.intoScreen}</p>
      )}
      {screen !== undefined && screen !== "" && <Excerpt what="screen" text={screen.trimEnd()} end />}
    </>
  );
}

function Excerpt(props: {
  readonly what: keyof typeof shared.question.whole;
  readonly text: string;
  readonly isDiff?: boolean;
  readonly end?: boolean;
}) {
  const { what, text, isDiff = false, end = false } = props;
  const [whole, setWhole] = useState(false);
  const { shown, isCut } = excerpt(text, { ...SHOWN, end });
  const lines = (whole ? text : shown).split("\n");
  return (
    <div className="inbox-excerpt">
      <pre className="question-excerpt">
        {isDiff
          ? lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have nothing else
              <span key={index} className="inbox-line" data-sign={line.charAt(0)}>
                {line}
                {"\n"}
              </span>
            ))
          : lines.join("\n")}
      </pre>
      {isCut && (
        <button type="button" className="button quiet small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? shared.question.less : shared.question.whole[what]}
        </button>
      )}
    </div>
  );
}
