import "./search.css";
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import type { SearchHit } from "../../../core/protocol/history-search.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { focusOf } from "../../../core/state/client-state.ts";
import { ResultGroup, ResultLine } from "../../search/result-list.tsx";
import { type ResultGroup as Group, groupHits, hitKey, leadIn, placeOf, splitLine } from "../../search/results.ts";
import { searchStatus } from "../../search/search-status.ts";
import { type SearchState, useSearch } from "../../search/use-search.ts";
import { search as words } from "../../search/words.ts";
import { Icon } from "../../ui/icon.tsx";
import { useStore } from "../../ui/store.ts";
import { shellInfo } from "../view/tile-info.ts";
import type { Searched } from "../view/ui-state.ts";
import { useModalDialog } from "../view/use-modal-dialog.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { ConversationPlace } from "./conversation-place.tsx";
import { goToPlace } from "./go-to-place.ts";
import { groupNames } from "./group-names.ts";
import { HistoryPlace } from "./history-place.tsx";
import { RecordingNotice } from "./recording-notice.tsx";

/** Lines that are drawn at first, and that each approach to the end adds. */
const LINES_PER_PAGE = 60;
/** By how many results a key moves the selection. */
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
const places = ["everything", "output", "commands", "conversations", "chat"] as const;
/** Dialog that searches everything that was printed, run and said, as the user types. */
export function Search() {
  const { ui } = useView();
  const place = useStore(ui.searchPlace);
  const dialog = useModalDialog();
  const close = () => ui.searchOpen.set(false);
  useEffect(() => () => ui.searchPlace.set(undefined), [ui]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, through onCancel
    <dialog
      ref={dialog}
      className="dialog search"
      aria-label={words.title}
      onCancel={(event) => {
        event.preventDefault();
        if (place === undefined) close();
        else ui.searchPlace.set(undefined);
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="search-inside">
        <Results isShown={place === undefined} />
        {place?.conversation !== undefined && (
          <ConversationPlace key={hitKey(place)} hit={place} back={() => ui.searchPlace.set(undefined)} />
        )}
        {place?.shellId !== undefined && place.conversation === undefined && (
          <HistoryPlace
            key={hitKey(place)}
            shell={place.shellId}
            offset={place.offset ?? 0}
            length={place.in === "output" ? place.length : 0}
            at={place.at}
            back={() => ui.searchPlace.set(undefined)}
          />
        )}
      </div>
    </dialog>
  );
}

/** Stays while a place of the history is on show, so that the user comes back to the same result. */
function Results({ isShown }: { isShown: boolean }) {
  const view = useView();
  const { ui } = view;
  const snapshot = useSnapshot();
  const searched = useStore(ui.searched);
  const { text, in: place, regex, shell, chosen } = searched;
  const ask = useCallback(
    ({ query, limit }: { readonly query: string | undefined; readonly limit: number }) => {
      const where = { in: place, regex, limit, ...(shell === undefined ? {} : { shell }) };
      return view.host.search(query === undefined ? where : { ...where, query });
    },
    [view, place, regex, shell],
  );
  const state = useSearch(text, ask, snapshot.connected);
  const { hits } = state.found;
  const groups = useMemo(() => groupHits(hits, groupNames(snapshot)), [hits, snapshot]);
  const order = useMemo(() => groups.flatMap((group) => group.hits), [groups]);
  const [pages, setPages] = useState(1);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isShown) field.current?.select();
  }, [isShown]);
  const chosenAt = order.findIndex((hit) => hitKey(hit) === chosen);
  const at = Math.max(0, chosenAt);
  const current = order[at];
  const isMissing = chosen !== undefined && chosenAt === -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    // The result that was gone to is one of the older ones.
    if (isMissing) state.more();
  }, [isMissing, hits]);
  const setChosen = (hit: SearchHit) => ui.searched.set({ ...searched, chosen: hitKey(hit) });
  const drawn = LINES_PER_PAGE * Math.max(pages, Math.ceil((at + 20) / LINES_PER_PAGE));
  const change = (part: Partial<Searched>) => {
    ui.searched.set({ ...searched, ...part, chosen: undefined });
    setPages(1);
  };
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(order.length - 1, index));
    const hit = order[next];
    if (hit !== undefined) setChosen(hit);
    if (next > order.length - 10) state.more();
  };
  const go = async (hit: SearchHit | undefined, inHistory = false) => {
    if (hit === undefined) return;
    const place = placeOf(hit, hits);
    if (inHistory && hit.shellId !== undefined) ui.searchPlace.set(place);
    else await goToPlace(view, place);
  };
  return (
    <div className="search-results" hidden={!isShown}>
      <div className="search-head">
        <Icon name="search" />
        <input
          ref={field}
          className="search-field"
          role="combobox"
          aria-label={words.field}
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={current === undefined ? undefined : `${list}-${at}`}
          placeholder={words.field}
          spellCheck={false}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the user has just asked to type here
          autoFocus
          value={searched.text}
          onChange={(event) => change({ text: event.target.value })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            const step = steps[event.key];
            if (step !== undefined) choose(at + step);
            else if (event.key === "Enter")
              void go(current !== undefined && state.isResult(current) ? current : undefined, event.shiftKey);
            else return;
            event.preventDefault();
          }}
        />
        <button
          type="button"
          className="icon-button"
          aria-label={words.regex}
          title={words.regex}
          aria-pressed={searched.regex}
          onClick={() => {
            change({ regex: !searched.regex });
            field.current?.focus();
          }}
        >
          .*
        </button>
        <button type="button" className="icon-button" aria-label={words.close} onClick={() => ui.searchOpen.set(false)}>
          <Icon name="close" size={14} />
        </button>
      </div>
      <Places
        searched={searched}
        mayReadConversations={state.answer?.conversations === true}
        change={change}
        field={() => field.current?.focus()}
      />
      <RecordingNotice recording={state.answer?.recording} />
      <div
        id={list}
        className="search-list"
        role="listbox"
        aria-label={words.results}
        aria-busy={state.searching}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + 2 * clientHeight < scrollHeight) return;
          if (drawn < order.length) setPages(drawn / LINES_PER_PAGE + 1);
          else state.more();
        }}
      >
        <Groups
          list={list}
          groups={groups}
          lines={drawn}
          selected={current}
          point={setChosen}
          act={(hit, inHistory) => void go(hit, inHistory)}
        />
      </div>
      {order.length === 0 && <Nothing searched={searched} state={state} />}
      {current !== undefined && <Around hit={current} />}
      <div className="search-foot">
        <span role="status">{searchStatus(order.length, text, state)}</span>
        {current !== undefined && (
          <span className="search-keys" aria-hidden="true">
            <span>⏎ {words.go}</span>
            {current.shellId !== undefined && <span>{words.openHistory}</span>}
          </span>
        )}
      </div>
    </div>
  );
}

interface PlacesProps {
  readonly searched: Searched;
  readonly mayReadConversations: boolean;
  change(part: Partial<Searched>): void;
  /** Gives the keys back to the field. */
  field(): void;
}

/** Where is searched. */
function Places({ searched, mayReadConversations, change, field }: PlacesProps) {
  const snapshot = useSnapshot();
  const { state } = snapshot;
  const [focused] = useState(() => state.tiles[focusOf(state) ?? 0]);
  const isOfShell = focused?.type === "shell" || focused?.type === "peek" || focused?.type === "history";
  const own = isOfShell ? (focused.id as ShellId) : undefined;
  const shell = searched.shell ?? own;
  return (
    <fieldset className="search-places" aria-label={words.places.title}>
      {places
        .filter((place) => place !== "conversations" || mayReadConversations)
        .map((place) => (
          <button
            key={place}
            type="button"
            className="search-chip"
            aria-pressed={searched.in === place}
            disabled={isOfNoShell(place) && searched.shell !== undefined}
            onClick={() => {
              change({ in: place });
              field();
            }}
          >
            {words.places[place]}
          </button>
        ))}
      {shell !== undefined && (
        <button
          type="button"
          className="search-chip search-only ellipsis"
          aria-pressed={searched.shell !== undefined}
          onClick={() => {
            const isOn = searched.shell !== undefined;
            change({ shell: isOn ? undefined : shell, ...(isOfNoShell(searched.in) && { in: "everything" }) });
            field();
          }}
        >
          {words.onlyIn(shellInfo(shell, snapshot).name)}
        </button>
      )}
    </fieldset>
  );
}

/** What no shell has printed. */
function isOfNoShell(place: Searched["in"]): boolean {
  return place === "chat" || place === "conversations";
}

interface GroupsProps {
  readonly list: string;
  readonly groups: readonly Group[];
  /** Results that are drawn. */
  readonly lines: number;
  readonly selected: SearchHit | undefined;
  point(hit: SearchHit): void;
  act(hit: SearchHit, inHistory: boolean): void;
}

function Groups({ list, groups, lines, selected, point, act }: GroupsProps) {
  let index = -1;
  return groups.map(({ key, hits, ...names }) => {
    const drawn = hits.slice(0, Math.max(0, lines - index - 1));
    if (drawn.length === 0) return null;
    return (
      <ResultGroup key={key} {...names}>
        {drawn.map((hit) => {
          index += 1;
          return (
            <ResultLine
              key={hitKey(hit)}
              id={`${list}-${index}`}
              hit={hit}
              isSelected={hit === selected}
              point={point}
              act={act}
            />
          );
        })}
      </ResultGroup>
    );
  });
}

/** The lines around the selected result. */
function Around({ hit }: { hit: SearchHit }) {
  const { before, after } = hit;
  const [lead, match, rest] = splitLine(hit, leadIn(window));
  return (
    <section className="search-around" data-in={hit.in} aria-label={words.around}>
      {before.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines that never move
        <p key={`before ${index}`}>{line}</p>
      ))}
      <p className="search-hit">
        {lead}
        <b>{match}</b>
        {rest}
      </p>
      {after.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines that never move
        <p key={`after ${index}`}>{line}</p>
      ))}
    </section>
  );
}

/** What stands in place of results. */
function Nothing({ searched, state: { found, failed } }: { searched: Searched; state: SearchState }) {
  const text = searched.text.trim();
  if (failed !== undefined) {
    return (
      <p className="search-none" role="alert">
        {words.failed(failed)}
      </p>
    );
  }
  if (text === "") {
    return (
      <div className="search-none">
        <strong>{words.intro.title}</strong>
        <p>{words.intro.body}</p>
      </div>
    );
  }
  if (found.text === undefined) return <div className="search-none" />;
  return (
    <div className="search-none">
      <strong>{found.complete ? words.none(found.text) : words.noneYet(found.text)}</strong>
      <p>{found.complete ? words.noneHint : words.partial}</p>
    </div>
  );
}
