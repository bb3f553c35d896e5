import type { Question } from "../../../core/protocol/questions.ts";

/** The newest answer that was shown of each shell. */
export type ShownAnswers = ReadonlyMap<number, { readonly question: Question; readonly dismissed: boolean }>;

/**
 * Returns the answer to show of a shell's questions: the newest one whose arrival is or was awaited, unless the user has
 * dismissed it. An older one does not come back once a newer one was shown: it would read as the answer to that.
 */
export function newestAnswer(questions: readonly Question[], shown: ShownAnswers, shell: number): Question | undefined {
  const answers = questions.filter(
    ({ shellId, state, receipt }) => shellId === shell && state === "answered" && receipt !== null,
  );
  const newest = answers.toSorted(byAnswer).at(-1);
  const last = shown.get(shell);
  if (newest === undefined || last === undefined) return newest;
  const order = byAnswer(newest, last.question);
  return order < 0 || (order === 0 && last.dismissed) ? undefined : newest;
}

function byAnswer(one: Question, other: Question): number {
  return (one.closedAt ?? "").localeCompare(other.closedAt ?? "") || one.id - other.id;
}
