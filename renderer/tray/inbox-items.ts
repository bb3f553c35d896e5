import type { MachineOverview, MachineRef } from "../../core/protocol/machines.ts";
import { type Question, questionKey } from "../../core/protocol/questions.ts";
import type { PanelContent } from "../../preload/channels.ts";
import { words } from "./words/index.ts";

/** A question with the names of the places that it comes from. */
export interface InboxItem {
  /** Unique among the questions of all sessions. */
  readonly key: string;
  readonly question: Question;
  readonly session: string;
  readonly shell: string;
  /** The machine that the session is on; undefined for this one. */
  readonly machine: MachineRef | undefined;
}

/** Lists the questions of all sessions that need a person, oldest first. */
export function inboxItems({ sessions }: Pick<PanelContent, "sessions">): readonly InboxItem[] {
  return sessions
    .flatMap(({ name, shells, questions }) =>
      questions.map((question) => ({
        key: questionKey(question),
        question,
        session: name,
        machine: undefined,
        shell: shells.find(({ id }) => id === question.shellId)?.name ?? words.shell(question.shellId),
      })),
    )
    .sort(byAge);
}

/** Lists the questions on other machines that need a person, oldest first on each machine. */
export function machineItems(remotes: readonly Pick<MachineOverview, "via" | "machine" | "questions">[]): InboxItem[] {
  return remotes.flatMap(({ via, machine, questions }) =>
    questions
      .map(({ session, question }) => ({
        // One machine may be both a remote and a relay of the fleet.
        key: `${via} ${machine} ${questionKey(question)}`,
        question,
        session,
        machine: { via, machine },
        shell: words.shell(question.shellId),
      }))
      .sort(byAge),
  );
}

/** Returns the items of one machine; undefined: of this one. */
export function itemsOf<Item extends InboxItem>(items: readonly Item[], place: MachineRef | undefined): Item[] {
  return items.filter(({ machine }) => machine?.via === place?.via && machine?.machine === place?.machine);
}

/**
 * Adds items that the user still looks at to those that need a person. Of one question the later state counts: a closed
 * question never opens again.
 */
export function withKept(live: readonly InboxItem[], kept: Iterable<InboxItem>): readonly InboxItem[] {
  const merged = new Map(live.map((item) => [item.key, item]));
  for (const item of kept) {
    const now = merged.get(item.key);
    if (now === undefined || (now.question.state === "open" && item.question.state !== "open"))
      merged.set(item.key, item);
  }
  return [...merged.values()].sort(byAge);
}

function byAge({ question: a, key }: InboxItem, { question: b, key: other }: InboxItem): number {
  return Date.parse(a.askedAt) - Date.parse(b.askedAt) || a.id - b.id || (key < other ? -1 : 1);
}

/** The lines of a text that are shown first, and how many are left. `end`: the last lines instead of the first. */
export function excerpt(
  text: string,
  { lines, characters, end = false }: { readonly lines: number; readonly characters: number; readonly end?: boolean },
): { readonly shown: string; readonly isCut: boolean } {
  const all = text.split("\n");
  const some = end ? all.slice(-lines) : all.slice(0, lines);
  const joined = some.join("\n");
  const shown = end ? joined.slice(-characters) : joined.slice(0, characters);
  return { shown, isCut: shown.length < text.length };
}
