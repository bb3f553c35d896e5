import { useState } from "react";
import { isAnsweredOnScreen, type Question } from "../../core/protocol/questions.ts";
import { excerpt } from "./inbox-items.ts";

const SHOWN = { lines: 10, characters: 900 } as const;

/** What the agent wants to do: the command, the changed lines, the files, and the screen where the question was read from it. */
export function QuestionDetail({ question }: { readonly question: Question }) {
  const { command, diff, files, screen } = question.detail;
  const onScreen = isAnsweredOnScreen(question);
  return (
    <>
      {command !== undefined && <Excerpt label="command" text={command} />}
      {files !== undefined && files.length > 0 && <Excerpt label="list of files" text={files.join("\n")} />}
      {diff !== undefined && <Excerpt label="change" text={diff} isDiff />}
      {onScreen && (
        <p className="panel-faint">
          {question.source === "screen"
            ? "This was read from the terminal's screen. Check the screen before you answer."
            : "The answer is typed into the dialog on the terminal's screen. Check the screen before you answer."}
        </p>
      )}
      {screen !== undefined && screen !== "" && <Excerpt label="screen" text={screen.trimEnd()} end />}
    </>
  );
}

function Excerpt(props: {
  readonly label: string;
  readonly text: string;
  readonly isDiff?: boolean;
  readonly end?: boolean;
}) {
  const { label, text, isDiff = false, end = false } = props;
  const [whole, setWhole] = useState(false);
  const { shown, isCut } = excerpt(text, { ...SHOWN, end });
  const lines = (whole ? text : shown).split("\n");
  return (
    <div className="inbox-excerpt">
      <pre>
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
          {whole ? "Show less" : `Show the whole ${label}`}
        </button>
      )}
    </div>
  );
}
