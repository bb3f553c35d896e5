import { ResultGroup, ResultLine } from "../../search/result-list.tsx";
import { useInSight } from "../../ui/use-in-sight.ts";
import { words } from "../words/index.ts";
import type { SearchHit } from "./search.ts";
import type { SearchOption } from "./search-options.ts";

interface Props {
  readonly id: string;
  readonly options: readonly SearchOption[];
  /** Key of the option that takes Enter. */
  readonly chosen: string | undefined;
  /** How the search fares, in a sentence. */
  readonly status: string;
  point(option: SearchOption): void;
  choose(option: SearchOption): void;
  /** The user comes to the end. */
  more(): void;
}

/** What the search has found, by group, with the typed letters in bold. */
export function SearchResults({ id, options, chosen, status, point, choose, more }: Props) {
  const groups = [...new Set(options.map(groupKey))];
  return (
    <div
      className="now-results"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
        scrollTop + 2 * clientHeight > scrollHeight && more()
      }
    >
      <div id={id} role="listbox" aria-label={words.search.results}>
        {groups.map((key) => {
          const lines = options.map((option, index) => {
            if (groupKey(option) !== key) return null;
            const line = { id: `${id}-${index}`, isSelected: option.key === chosen };
            const act = () => choose(option);
            return option.kind === "found" ? (
              <ResultLine key={option.key} {...line} hit={option.hit} point={() => point(option)} act={act} />
            ) : (
              <Row key={option.key} {...line} act={act}>
                {option.kind === "more" ? (
                  <span className="panel-faint">{words.search.more(option.count)}</span>
                ) : (
                  <EntryName entry={option.entry} />
                )}
              </Row>
            );
          });
          const [first] = options.filter((option) => groupKey(option) === key);
          return first?.kind === "entry" ? (
            <EntryGroup key={key} title={words.search.groups[first.entry.group]}>
              {lines}
            </EntryGroup>
          ) : (
            <ResultGroup key={key} title={first?.group.title ?? ""} detail={first?.group.detail ?? ""}>
              {lines}
            </ResultGroup>
          );
        })}
      </div>
      <p className="panel-faint now-nothing" role="status">
        {status}
      </p>
    </div>
  );
}

function groupKey(option: SearchOption): string {
  return option.kind === "entry" ? option.entry.group : option.group.key;
}

function EntryGroup({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the groups of a list of options are no set of form fields
    <div role="group" aria-label={title}>
      <p className="now-head" aria-hidden="true">
        {title}
      </p>
      {children}
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly isSelected: boolean;
  readonly children: React.ReactNode;
  act(): void;
}

function Row({ id, isSelected, children, act }: RowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the search field keeps the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are in the search field
    <div
      ref={useInSight<HTMLDivElement>(isSelected)}
      id={id}
      role="option"
      className="now-row"
      aria-selected={isSelected}
      onClick={act}
    >
      {children}
    </div>
  );
}

function EntryName({ entry: { name, from, to, detail } }: { readonly entry: SearchHit }) {
  return (
    <span className="ellipsis" title={name}>
      {name.slice(0, from)}
      <strong>{name.slice(from, to)}</strong>
      {name.slice(to)}
      {detail !== "" && <span className="panel-faint"> · {detail}</span>}
    </span>
  );
}
