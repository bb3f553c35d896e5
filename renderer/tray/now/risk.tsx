import type { Question } from "../../../core/protocol/questions.ts";
import { describeReasons } from "../../ui/question-text.ts";
import { words as shared } from "../../ui/words.ts";

/** The risk of a question: a shape and a word, and the reasons; never a colour. */
export function Risk({ risk: { level, reasons } }: { readonly risk: Question["risk"] }) {
  return (
    <p className="now-risk" data-level={level}>
      <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" aria-hidden="true">
        {level === "low" && <circle cx="6" cy="6" r="4" strokeWidth="1.5" />}
        {level === "medium" && (
          <>
            <path d="M6 1l5 5-5 5-5-5z" strokeWidth="1.25" />
            <path d="M6 1l5 5-5 5z" fill="currentColor" stroke="none" />
          </>
        )}
        {level === "high" && <path d="M6 1l5.5 10H.5z" fill="currentColor" stroke="none" />}
      </svg>
      <strong>{shared.question.risk[level]}</strong>
      {reasons.length > 0 && <span className="now-reasons">{`· ${describeReasons(reasons)}`}</span>}
    </p>
  );
}
