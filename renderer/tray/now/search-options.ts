import { SessionId } from "../../../core/protocol/ids.ts";
import { hitKey } from "../../search/results.ts";
import { search as searchWords } from "../../search/words.ts";
import type { PanelView } from "../use-panel.ts";
import { words } from "../words/index.ts";
import type { SearchHit } from "./search.ts";
import type { FoundEverything, FoundGroup } from "./search-everything.ts";

/** Results of a group that are listed before the user asks for all. */
const FEW = 3;

/** Line in the results of the panel's search on which Enter can be pressed. */
export type SearchOption = {
  readonly key: string;
  /** What Enter does with it. */
  readonly enter: string;
  run(): void;
} & (
  | { readonly kind: "entry"; readonly entry: SearchHit }
  | { readonly kind: "found"; readonly group: FoundGroup; readonly hit: FoundGroup["hits"][number] }
  /** `first`: the key of the first result that is not listed yet. */
  | { readonly kind: "more"; readonly group: FoundGroup; readonly count: number; readonly first: string }
);

interface OptionParts {
  /** What the panel itself has. */
  readonly entries: readonly SearchHit[];
  readonly everything: FoundEverything;
  /** Keys of the groups that are listed whole. */
  readonly whole: ReadonlySet<string>;
  readonly run: PanelView["run"];
  showAll(group: string): void;
}

/** Lists what was found: what the panel has, then what was printed, run and said, of each shell and conversation the latest. */
export function searchOptions({ entries, everything, whole, run, showAll }: OptionParts): readonly SearchOption[] {
  return [
    ...entries.map((entry) => ({
      kind: "entry" as const,
      key: entry.key,
      enter: entry.enter,
      entry,
      run: () => entry.run(),
    })),
    ...everything.groups.flatMap((group): SearchOption[] => {
      const isWhole = whole.has(group.key) || group.hits.length <= FEW + 1;
      const listed = isWhole ? group.hits : group.hits.slice(0, FEW);
      const keyOf = (hit: FoundGroup["hits"][number]) => `${group.key} ${hitKey(hit)}`;
      const found = listed.map((hit) => ({
        kind: "found" as const,
        key: keyOf(hit),
        enter: searchWords.go,
        ...{ group, hit },
        run() {
          const { session, place } = everything.target(hit);
          void run("panel.open", { id: SessionId.parse(session), place });
        },
      }));
      const [next] = group.hits.slice(listed.length);
      if (next === undefined) return found;
      const count = group.hits.length - listed.length;
      const more = { key: `${group.key} more`, enter: words.search.showAll, run: () => showAll(group.key) };
      return [...found, { kind: "more", ...more, group, count, first: keyOf(next) }];
    }),
  ];
}
