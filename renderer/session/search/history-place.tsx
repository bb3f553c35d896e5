import { Suspense, useCallback, useState } from "react";
import type { ShellId, TileKey } from "../../../core/protocol/ids.ts";
import type { OpResult } from "../../../core/protocol/relay-ops.ts";
import { search as words } from "../../search/words.ts";
import { lazyPart } from "../../ui/load-guard.tsx";
import { openHistory } from "../actions/open-history.ts";
import { isMethodAllowed } from "../keys/keymap.ts";
import { shellActions } from "../shells/shell-actions.ts";
import { shellInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words as viewWords } from "../words/index.ts";
import { PlaceFrame } from "./place-frame.tsx";
import { Replay } from "./replay.tsx";

const RecordedTerminal = lazyPart(
  () => import("./recorded-terminal.tsx"),
  ({ RecordedTerminal }) => RecordedTerminal,
);

interface Props {
  readonly shell: ShellId;
  /** Of the place in the output, in bytes; undefined: the end. */
  readonly offset: number | undefined;
  /** Characters that are selected there. */
  readonly length: number;
  /** Time of the place, where it is known before it is read. */
  readonly at?: string;
  /** The tile that shows it; undefined: the search does. */
  readonly tile?: TileKey;
  /** Default: true. A tile behind another one is not. */
  readonly isVisible?: boolean;
  readonly back?: () => void;
}

/** Shows the output of a shell around a place, in a terminal that takes no input; the shell may be closed. */
export function HistoryPlace({ shell: id, length, at, tile, isVisible = true, back, ...wanted }: Props) {
  const view = useView();
  const snapshot = useSnapshot();
  const [offset, setOffset] = useState(wanted.offset);
  const read = useCallback(() => view.host.readAround({ shell: id, offset }), [view, id, offset]);
  const isWanted = offset === wanted.offset;
  const shell = snapshot.mirror?.shells.find((one) => one.id === id);
  const [show] = shell === undefined ? [] : shellActions(shell, snapshot);
  const mayOpen = tile === undefined && isMethodAllowed("openTile", snapshot.self?.role ?? "reader");
  const name = viewWords.view.history(shellInfo(id, snapshot).name);
  const goTo = () => {
    view.ui.searchOpen.set(false);
    void show?.run(view);
  };
  const openAsTile = async () => {
    const place = { shell: id, offset, ...(isWanted && length > 0 && { length }) };
    if (await openHistory(view, place)) view.ui.searchOpen.set(false);
  };
  return (
    <PlaceFrame
      name={name}
      heading={name}
      at={(recorded) => (recorded && timeOf(recorded)) ?? (isWanted ? at : undefined)}
      back={back}
      read={read}
      words={words.place}
      earlier={({ before, from }) => (before === "" || from === 0 ? undefined : () => setOffset(from))}
      later={({ to }) => (offset === undefined || to <= offset ? undefined : () => setOffset(to))}
      action={
        <>
          {mayOpen && (
            <button type="button" className="button outlined small" onClick={() => void openAsTile()}>
              {words.place.asTile}
            </button>
          )}
          {show !== undefined && (
            <button type="button" className="button outlined small" onClick={goTo}>
              {words.place.goTo}
            </button>
          )}
        </>
      }
    >
      {(recorded) =>
        recorded.before + recorded.after === "" ? (
          <p className="search-none">{words.place.gone}</p>
        ) : (
          <Replay key={recorded.from} recorded={recorded} isVisible={isVisible}>
            {(shown) => (
              <Suspense fallback={<div className="history-terminal" />}>
                <RecordedTerminal recorded={recorded} selects={isWanted ? length : 0} shown={shown} tile={tile} />
              </Suspense>
            )}
          </Replay>
        )
      }
    </PlaceFrame>
  );
}

/** Returns when the place was printed; undefined where that is not known. */
function timeOf({ before, times }: OpResult<"readAround">): string | undefined {
  const mark = times.findLast(([characters]) => characters <= before.length);
  return mark && new Date(mark[1]).toISOString();
}
