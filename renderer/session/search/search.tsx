import "./search.css";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import type { SearchHit } from "../../../core/protocol/history-search.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { focusOf } from "../../../core/state/client-state.ts";
import { formatTime } from "../../ui/format-time.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { useStore } from "../../ui/store.ts";
import { shellInfo } from "../view/tile-info.ts";
import type { Searched } from "../view/ui-state.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { search as words } from "../words/search.ts";
import { ConversationPlace } from "./conversation-place.tsx";
import { goToHit } from "./go-to-hit.ts";
import { HistoryPlace } from "./history-place.tsx";
import { RecordingNotice } from "./recording-notice.tsx";
import { groupHits, hitKey, leadIn, type ResultGroup, splitLine } from "./results.ts";
import { LEAST_LENGTH, MOST_RESULTS, type SearchState, useSearch } from "./use-search.ts";

/** Lines that are drawn at first, and that each approach to the end adds. */
const LINES_PER_PAGE = 60;
/** By how many results a key moves the selection. */
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
const places = ["everything", "output", "commands", "conversations", "chat"] as const;
const icons: Readonly<Record<SearchHit["in"], IconName>> = {
  output: "terminal",
  commands: "commands",
  conversations: "agent",
  chat: "chat",
};

/** Dialog that searches everything that was printed, run and said, as the user types. */
export function Search() {
  const { ui } = useView();
  const place = useStore(ui.searchPlace);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => ui.searchOpen.set(false);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      ui.searchPlace.set(undefined);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [ui]);
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
        {place !== undefined && place.conversation === undefined && (
          <HistoryPlace key={hitKey(place)} hit={place} back={() => ui.searchPlace.set(undefined)} />
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
  const state = useSearch(searched);
  const { hits } = state.found;
  const groups = useMemo(() => groupHits(hits, snapshot), [hits, snapshot]);
  const order = useMemo(() => groups.flatMap((group) => group.hits), [groups]);
  const [chosen, setChosen] = useState<string>();
  const [pages, setPages] = useState(1);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isShown) field.current?.select();
  }, [isShown]);
  const at = Math.max(
    0,
    order.findIndex((hit) => hitKey(hit) === chosen),
  );
  const current = order[at];
  const change = (part: Partial<Searched>) => {
    ui.searched.set({ ...searched, ...part });
    setChosen(undefined);
    setPages(1);
  };
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(order.length - 1, index));
    const hit = order[next];
    if (hit !== undefined) setChosen(hitKey(hit));
    if (next > pages * LINES_PER_PAGE - 10) setPages(Math.ceil((next + 20) / LINES_PER_PAGE));
    if (next > order.length - 10) state.more();
  };
  const read = (hit: SearchHit) => {
    ui.searchPlace.set(hit);
    ui.searchOpen.set(true);
  };
  const go = async (hit: SearchHit | undefined, inHistory = false) => {
    if (hit === undefined) return;
    if (inHistory && hit.shellId !== undefined) read(hit);
    else if (!(await goToHit(view, hit, hits))) read(hit);
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
            else if (event.key === "Enter") void go(current, event.shiftKey);
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
        mayReadConversations={state.conversations}
        change={change}
        field={() => field.current?.focus()}
      />
      <RecordingNotice recording={state.recording} />
      <div
        id={list}
        className="search-list"
        role="listbox"
        aria-label={words.results}
        aria-busy={state.searching}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + 2 * clientHeight < scrollHeight) return;
          if (pages * LINES_PER_PAGE < order.length) setPages(pages + 1);
          else state.more();
        }}
      >
        <Groups
          list={list}
          groups={groups}
          lines={pages * LINES_PER_PAGE}
          selected={current}
          point={(hit) => setChosen(hitKey(hit))}
          act={(hit, inHistory) => void go(hit, inHistory)}
        />
      </div>
      {order.length === 0 && <Nothing searched={searched} state={state} />}
      {current !== undefined && <Around hit={current} />}
      <div className="search-foot">
        <span role="status">{statusOf(order.length, searched, state)}</span>
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
  const own = focused?.type === "shell" || focused?.type === "peek" ? (focused.id as ShellId) : undefined;
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
  readonly groups: readonly ResultGroup[];
  /** Results that are drawn. */
  readonly lines: number;
  readonly selected: SearchHit | undefined;
  point(hit: SearchHit): void;
  act(hit: SearchHit, inHistory: boolean): void;
}

function Groups({ list, groups, lines, selected, point, act }: GroupsProps) {
  let index = -1;
  return groups.map(({ key, title, detail, hits }) => {
    const drawn = hits.slice(0, Math.max(0, lines - index - 1));
    if (drawn.length === 0) return null;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a group of options
      <div key={key} role="group" aria-label={title} className="search-group">
        <div className="search-group-head" role="presentation">
          <strong className="ellipsis">{title}</strong>
          <span className="ellipsis">{detail}</span>
        </div>
        {drawn.map((hit) => {
          index += 1;
          return (
            <Line
              key={hitKey(hit)}
              id={`${list}-${index}`}
              hit={hit}
              isSelected={hit === selected}
              point={point}
              act={act}
            />
          );
        })}
      </div>
    );
  });
}

interface LineProps extends Pick<GroupsProps, "point" | "act"> {
  readonly id: string;
  readonly hit: SearchHit;
  readonly isSelected: boolean;
}

function Line({ id, hit, isSelected, point, act }: LineProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const [before, match, after] = splitLine(hit, leadIn(window));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      className="search-line"
      data-in={hit.in}
      onPointerMove={() => isSelected || point(hit)}
      onClick={(event) => act(hit, event.shiftKey)}
    >
      <Icon name={icons[hit.in]} size={14} />
      <span className="visually-hidden">{words.kinds[hit.in]}</span>
      <span className="search-text">
        {before}
        <b>{match}</b>
        {after}
      </span>
      <time dateTime={hit.at}>{formatTime(hit.at)}</time>
    </div>
  );
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
      <strong>{words.none(found.text)}</strong>
      <p>{words.noneHint}</p>
    </div>
  );
}

function statusOf(count: number, { text }: Searched, { found, searching, failed }: SearchState): string {
  if (failed !== undefined || text.trim() === "") return "";
  if ([...text.trim()].length < LEAST_LENGTH) return words.tooShort;
  if (found.text === undefined || (searching && count === 0)) return searching ? words.searching : "";
  return count >= MOST_RESULTS && found.hasMore
    ? words.most(MOST_RESULTS)
    : found.hasMore
      ? words.latest(count)
      : words.count(count);
}
