import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { isSearchable } from "../../../core/protocol/searchable.ts";
import { searchStatus } from "../../search/search-status.ts";
import { search as searchWords } from "../../search/words.ts";
import { Icon } from "../../ui/icon.tsx";
import { findEntries } from "../now/search.ts";
import { type FoundEverything, useEverything } from "../now/search-everything.ts";
import { type SearchOption, searchOptions } from "../now/search-options.ts";
import { SearchResults } from "../now/search-results.tsx";
import { useSearchEntries } from "../now/use-search-entries.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

export interface SearchControl {
  focus(): void;
  clear(): void;
}

/**
 * The search over what the panel has (sessions, agents, people, places, settings and actions), and from three letters on over
 * what was printed, run and said in all sessions. Enter goes to what is chosen.
 */
export function Search(props: {
  readonly control: Ref<SearchControl>;
  /** There is room for a word only. */
  readonly short: boolean;
  /** Whether results stay when the user goes to one of them: where that opens beside them. */
  readonly stays: boolean;
  /** Shows the results in the place of the content; undefined: none. */
  readonly show: (results: ReactNode) => void;
  /** Tells what Enter does. */
  readonly setEnter: (label: string | undefined) => void;
}) {
  const { control, short, stays, show, setEnter } = props;
  const { run } = usePanel();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const entries = findEntries(useSearchEntries(), text);
  const everything = useEverything(text);
  const showAll = (group: string) => setWhole(new Set([...whole, group]));
  const options = searchOptions({ entries, everything, whole, run, showAll });
  const at = Math.max(
    0,
    options.findIndex(({ key }) => key === chosen),
  );
  const option = options[at];
  const isActive = text.trim() !== "";
  const status = statusOf(entries.length, text, everything);
  const wasActive = useRef(false);
  const change = (next: string) => {
    setText(next);
    setChosen(undefined);
    setWhole(new Set());
  };
  useImperativeHandle(control, () => ({ focus: () => field.current?.focus(), clear: () => setText("") }), []);
  const go = (wanted: SearchOption) => {
    setChosen(wanted.key);
    if (wanted.kind === "entry" || (wanted.kind === "found" && !stays)) change("");
    if (wanted.kind === "more") setChosen(wanted.first);
    wanted.run();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options are new in every render; what is shown of them is not
  useEffect(() => {
    const shown = { id, options, chosen: option?.key, status, choose: go, more: everything.state.more };
    show(isActive ? <SearchResults {...shown} point={({ key }) => setChosen(key)} /> : undefined);
    // Without a search the item that has the focus says it.
    if (isActive || wasActive.current) setEnter(isActive ? option?.enter : undefined);
    wasActive.current = isActive;
  }, [text, option?.key, status, options.map(({ key }) => key).join("\n")]);
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const canRun = option?.kind !== "found" || everything.state.isResult(option.hit);
    if (event.key === "Escape" && text !== "") change("");
    else if (event.key === "Enter" && option !== undefined && canRun) go(option);
    else if (step !== undefined && options.length > 0)
      setChosen(options[(at + step + options.length) % options.length]?.key);
    else return;
    event.preventDefault();
  };
  return (
    <search className="panel-find">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-label={words.search.label}
        aria-expanded={isActive}
        aria-controls={isActive ? id : undefined}
        aria-activedescendant={isActive && option !== undefined ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        placeholder={short ? words.search.shortHint : words.search.hint}
        maxLength={200}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={keyDown}
      />
      {text === "" && (
        <span className="keys" aria-hidden="true">
          /
        </span>
      )}
    </search>
  );
}

/** Tells what else was found than what the panel has, or that nothing was. */
function statusOf(entries: number, text: string, { state, groups }: FoundEverything): string {
  const { found, failed, searching } = state;
  if (failed !== undefined) return searchWords.failed(failed);
  if (!isSearchable(text.trim())) return entries === 0 ? searchWords.tooShort : words.search.fromThree;
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  if (count > 0 || searching || found.text === undefined) return searchStatus(count, text, state);
  const nothing = entries === 0 ? words.search.nothing : words.search.nothingElse;
  return found.complete ? nothing : `${nothing} · ${searchWords.partial}`;
}
