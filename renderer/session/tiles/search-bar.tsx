import type { SearchAddon } from "@xterm/addon-search";
import { useEffect, useRef, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import type { OpenTerminal } from "../terminal/open-terminal.ts";
import { useTerminalTheme } from "../terminal/terminal-theme.ts";
import { useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Searches the screen and the scrollback. Enter goes to the older match, Shift+Enter to the newer; Escape closes. */
export function SearchBar({ terminal, close }: { terminal: OpenTerminal; close: () => void }) {
  const search = useSearch(terminal);
  const [text, setText] = useState("");
  const [caseSensitive, setCaseSensitive] = useState(false);
  const [regex, setRegex] = useState(false);
  const [found, setFound] = useState({ index: -1, count: 0 });
  const field = useRef<HTMLInputElement>(null);
  const theme = useTerminalTheme();
  const options = {
    caseSensitive,
    regex,
    decorations: {
      matchBackground: hex(theme.selectionBackground),
      matchOverviewRuler: hex(theme.brightBlue),
      activeMatchBackground: hex(theme.blue),
      activeMatchBorder: hex(theme.foreground),
      activeMatchColorOverviewRuler: hex(theme.foreground),
    },
  };

  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (search === undefined) return;
    const results = search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setFound({ index: resultIndex, count: resultCount }),
    );
    return () => {
      results.dispose();
      search.clearDecorations();
    };
  }, [search]);

  const valid = !regex || isRegex(text);
  const find = (older: boolean) => {
    if (search === undefined) return;
    if (text === "" || !valid) search.clearDecorations();
    else if (older) search.findPrevious(text, options);
    else search.findNext(text, options);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: searches anew for what was typed or switched, not when the theme changes
  useEffect(() => find(true), [search, text, caseSensitive, regex]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marks keep the colours that they were made with
  useEffect(() => {
    if (search === undefined || text === "" || !valid) return;
    search.clearDecorations();
    // Incremental: keeps the current match.
    search.findNext(text, { ...options, incremental: true });
  }, [theme]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` as an element is not in all supported browsers
    <div
      className="search-bar"
      role="search"
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Escape") close();
        else if (event.key === "Enter" && event.target === field.current) find(!event.shiftKey);
        else return;
        event.preventDefault();
      }}
    >
      <Icon name="search" size={14} />
      <input
        ref={field}
        aria-label={words.tiles.search.title}
        placeholder={words.tiles.search.hint}
        value={text}
        onChange={(event) => setText(event.target.value)}
        spellCheck={false}
      />
      <span className="count" role="status">
        {summary(text, valid, found)}
      </span>
      <Toggle
        label={words.tiles.search.matchCase}
        text={words.tiles.search.matchCaseSign}
        on={caseSensitive}
        set={setCaseSensitive}
      />
      <Toggle label={words.tiles.search.pattern} text=".*" on={regex} set={setRegex} />
      <button
        type="button"
        className="icon-button"
        aria-label={words.tiles.search.older}
        title={words.tiles.search.olderHint}
        onClick={() => find(true)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={words.tiles.search.newer}
        title={words.tiles.search.newerHint}
        onClick={() => find(false)}
      >
        <Icon name="down" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={words.tiles.search.close}
        title={words.tiles.search.closeHint}
        onClick={close}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** What searches in the terminal; undefined until it is loaded. */
function useSearch(terminal: OpenTerminal): SearchAddon | undefined {
  const { toasts } = useView().ui;
  const [search, setSearch] = useState<SearchAddon>();
  useEffect(() => {
    let isWanted = true;
    terminal.search().then(
      (addon) => isWanted && setSearch(addon),
      () => isWanted && toasts.show("error", words.tiles.search.notLoaded, [], "search"),
    );
    return () => {
      isWanted = false;
    };
  }, [terminal, toasts]);
  return search;
}

function Toggle({ label, text, on, set }: { label: string; text: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={on}
      onClick={() => set(!on)}
    >
      {text}
    </button>
  );
}

function summary(text: string, valid: boolean, { index, count }: { index: number; count: number }): string {
  if (text === "") return "";
  if (!valid) return words.tiles.search.noPattern;
  if (count === 0) return words.tiles.search.none;
  return index === -1 ? words.tiles.search.atLeast(count) : words.tiles.search.position(index + 1, count);
}

function isRegex(text: string): boolean {
  try {
    // Bounded pattern: the user's own, and it is compiled only.
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Converts a computed colour, rgb(r, g, b), to #rrggbb for the search addon. A theme's is one already. */
function hex(colour: string | undefined): string {
  if (colour?.startsWith("#")) return colour;
  const parts = colour?.match(/\d+/g)?.slice(0, 3) ?? ["128", "128", "128"];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}
