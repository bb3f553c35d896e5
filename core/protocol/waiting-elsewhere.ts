import type { MachineOverview } from "./machines.ts";
import { isOpen, type Question, questionKey } from "./questions.ts";

/** Reports whether a machine answers, and accepts the key that is kept for it. */
export function isUsable({ state, key }: Pick<MachineOverview, "state" | "key">): boolean {
  return state === "reachable" && key === "valid";
}

/** Returns the keys of the open questions of machines that can be asked: one of a question that is reached in two ways. */
export function openElsewhere(machines: readonly MachineOverview[]): ReadonlySet<string> {
  const listed = machines.filter(isUsable).flatMap(({ questions }) => questions.map(({ question }) => question));
  return new Set(listed.filter(isOpen).map(questionKey));
}

interface SessionQuestions {
  readonly id: string;
  readonly questions: readonly Pick<Question, "id" | "state">[];
}

/**
 * Counts what waits on other machines. A machine may list questions of this machine's own sessions too, which count there.
 *
 * @param keys as `openElsewhere` returns them
 * @param sessions those of this machine
 */
export function countElsewhere(keys: ReadonlySet<string>, sessions: readonly SessionQuestions[]): number {
  const here = new Set(
    sessions.flatMap(({ id: session, questions }) =>
      questions.filter(isOpen).map(({ id }) => questionKey({ session, id })),
    ),
  );
  return [...keys].filter((key) => !here.has(key)).length;
}
