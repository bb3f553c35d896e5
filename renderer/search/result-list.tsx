import "./result-list.css";
import type { ReactNode } from "react";
import type { SearchHit } from "../../core/protocol/history-search.ts";
import { formatTime } from "../ui/format-time.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { useInSight } from "../ui/use-in-sight.ts";
import { type ResultGroup as Group, leadIn, splitLine } from "./results.ts";
import { search as words } from "./words.ts";

const icons: Readonly<Record<SearchHit["in"], IconName>> = {
  output: "terminal",
  commands: "commands",
  conversations: "agent",
  chat: "chat",
};

/** The head of a group of results in a list of options, and its lines. */
export function ResultGroup(props: Pick<Group, "title" | "detail"> & { readonly children: ReactNode }) {
  const { title, detail, children } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options
    <div role="group" aria-label={title} className="search-group">
      <div className="search-group-head" role="presentation">
        <strong className="ellipsis">{title}</strong>
        <span className="ellipsis">{detail}</span>
      </div>
      {children}
    </div>
  );
}

interface LineProps<H extends SearchHit> {
  readonly id: string;
  readonly hit: H;
  readonly isSelected: boolean;
  /** The pointer is over it. */
  point(hit: H): void;
  act(hit: H, inHistory: boolean): void;
}

/** A result as an option: its line with what was found in bold, and its time. */
export function ResultLine<H extends SearchHit>({ id, hit, isSelected, point, act }: LineProps<H>) {
  const element = useInSight<HTMLDivElement>(isSelected);
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
