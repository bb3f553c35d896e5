import { lazy, Suspense, useEffect, useState } from "react";
import type { SearchHit } from "../../../core/protocol/history-search.ts";
import type { OpResult } from "../../../core/protocol/relay-ops.ts";
import { formatTime } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { shellActions } from "../shells/shell-actions.ts";
import { shellInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { search as words } from "../words/search.ts";

type Recorded = OpResult<"readAround">;

const RecordedTerminal = lazy(() =>
  import("./recorded-terminal.tsx").then(({ RecordedTerminal }) => ({ default: RecordedTerminal })),
);

/** What a shell printed around a result, in a terminal that takes no input; the shell may be closed. */
export function HistoryPlace({ hit, back }: { hit: SearchHit; back(): void }) {
  const view = useView();
  const snapshot = useSnapshot();
  const { shellId } = hit;
  const [offset, setOffset] = useState(hit.offset ?? 0);
  const [recorded, setRecorded] = useState<Recorded>();
  const [failed, setFailed] = useState<string>();
  useEffect(() => {
    if (shellId === undefined) return;
    let isStale = false;
    setRecorded(undefined);
    view.host.readAround({ shell: shellId, offset }).then(
      (answer) => isStale || setRecorded(answer),
      (error: unknown) => isStale || setFailed(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      isStale = true;
    };
  }, [view, shellId, offset]);
  const shell = snapshot.mirror?.shells.find(({ id }) => id === shellId);
  const [show] = shell === undefined ? [] : shellActions(shell, snapshot);
  const name = shellInfo(shellId ?? 0, snapshot).name;
  const isEmpty = recorded !== undefined && recorded.before + recorded.after === "";
  return (
    <section className="history-place" aria-label={words.place.title(name)}>
      <div className="history-head">
        <button
          type="button"
          className="icon-button"
          aria-label={words.place.back}
          title={words.place.back}
          onClick={back}
        >
          <Icon name="left" />
        </button>
        <strong className="ellipsis">{words.place.title(name)}</strong>
        <time dateTime={hit.at}>{formatTime(hit.at)}</time>
        <span className="history-buttons">
          <button
            type="button"
            className="button quiet small"
            disabled={recorded === undefined || recorded.before === "" || recorded.from === 0}
            onClick={() => setOffset(recorded?.from ?? 0)}
          >
            {words.place.earlier}
          </button>
          <button
            type="button"
            className="button quiet small"
            disabled={recorded === undefined || recorded.to <= offset}
            onClick={() => setOffset(recorded?.to ?? 0)}
          >
            {words.place.later}
          </button>
          {show !== undefined && (
            <button
              type="button"
              className="button outlined small"
              onClick={() => {
                view.ui.searchOpen.set(false);
                void show.run(view);
              }}
            >
              {words.place.goTo}
            </button>
          )}
        </span>
      </div>
      {failed !== undefined && (
        <p className="search-none" role="alert">
          {words.place.failed(failed)}
        </p>
      )}
      {recorded === undefined && failed === undefined && (
        <p className="search-none" role="status">
          {words.place.loading}
        </p>
      )}
      {isEmpty && <p className="search-none">{words.place.gone}</p>}
      {recorded !== undefined && !isEmpty && (
        <Suspense>
          <RecordedTerminal
            recorded={recorded}
            selects={offset === hit.offset && hit.in === "output" ? hit.length : 0}
          />
        </Suspense>
      )}
    </section>
  );
}
