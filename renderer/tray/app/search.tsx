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
import { Icon } from "../../ui/icon.tsx";
import { findEntries, type SearchHit } from "../now/search.ts";
import { SearchResults } from "../now/search-results.tsx";
import { useSearchEntries } from "../now/use-search-entries.ts";
import { words } from "../words/index.ts";

export interface SearchControl {
  focus(): void;
  clear(): void;
}

/** The search over sessions, agents, people, places, settings and actions. Enter goes to what is chosen. */
export function Search(props: {
  readonly control: Ref<SearchControl>;
  /** There is room for a word only. */
  readonly short: boolean;
  /** Shows the results in the place of the content; undefined: none. */
  readonly show: (results: ReactNode) => void;
  /** Tells what Enter does. */
  readonly setEnter: (label: string | undefined) => void;
}) {
  const { control, short, show, setEnter } = props;
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const hits = findEntries(useSearchEntries(), text);
  const at = Math.min(chosen, hits.length - 1);
  const hit = hits[at];
  const isActive = text.trim() !== "";
  useImperativeHandle(control, () => ({ focus: () => field.current?.focus(), clear: () => setText("") }), []);
  const go = (entry: SearchHit) => {
    setText("");
    entry.run();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hits are new in every render; what is shown of them is not
  useEffect(() => {
    show(isActive ? <SearchResults id={id} hits={hits} chosen={at} choose={go} /> : undefined);
    setEnter(isActive ? hit?.enter : undefined);
  }, [text, at, hits.map(({ key }) => key).join("\n")]);
  const keyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && text !== "") setText("");
    else if (event.key === "Enter" && hit !== undefined) go(hit);
    else if (step !== undefined && hits.length > 0) setChosen((at + step + hits.length) % hits.length);
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
        aria-activedescendant={isActive && hit !== undefined ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        placeholder={short ? words.search.shortHint : words.search.hint}
        maxLength={200}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
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
