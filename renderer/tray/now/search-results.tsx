import { words } from "../words/index.ts";
import type { SearchHit } from "./search.ts";

/** What the search has found, by group, with the typed letters in bold. */
export function SearchResults(props: {
  readonly id: string;
  readonly hits: readonly SearchHit[];
  readonly chosen: number;
  choose(hit: SearchHit): void;
}) {
  const { id, hits, chosen, choose } = props;
  return (
    <div className="now-results">
      <div id={id} role="listbox" aria-label={words.search.results}>
        {[...new Set(hits.map(({ group }) => group))].map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: the groups of a list of options are no set of form fields
          <div key={group} role="group" aria-label={words.search.groups[group]}>
            <p className="now-head" aria-hidden="true">
              {words.search.groups[group]}
            </p>
            {hits.map((hit, index) =>
              hit.group !== group ? null : (
                // biome-ignore lint/a11y/useFocusableInteractive: the search field keeps the focus
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are in the search field
                <div
                  key={hit.key}
                  id={`${id}-${index}`}
                  role="option"
                  className="now-row"
                  aria-selected={index === chosen}
                  onClick={() => choose(hit)}
                >
                  <span className="ellipsis" title={hit.name}>
                    {hit.name.slice(0, hit.from)}
                    <strong>{hit.name.slice(hit.from, hit.to)}</strong>
                    {hit.name.slice(hit.to)}
                    {hit.detail !== "" && <span className="panel-faint"> · {hit.detail}</span>}
                  </span>
                </div>
              ),
            )}
          </div>
        ))}
      </div>
      <p className="panel-faint now-nothing" role="status">
        {hits.length === 0 ? words.search.nothing : words.search.nothingElse}
      </p>
    </div>
  );
}
