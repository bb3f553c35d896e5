import { lazy, Suspense, useCallback, useState } from "react";
import type { HitPlace } from "../../../core/protocol/history-search.ts";
import { search as words } from "../../search/words.ts";
import { shellActions } from "../shells/shell-actions.ts";
import { shellInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { PlaceFrame } from "./place-frame.tsx";
import { Replay } from "./replay.tsx";

const RecordedTerminal = lazy(() =>
  import("./recorded-terminal.tsx").then(({ RecordedTerminal }) => ({ default: RecordedTerminal })),
);

/** What a shell printed around a result, in a terminal that takes no input; the shell may be closed. */
export function HistoryPlace({ hit, back }: { hit: HitPlace; back(): void }) {
  const view = useView();
  const snapshot = useSnapshot();
  const { shellId = 0 } = hit;
  const [offset, setOffset] = useState(hit.offset ?? 0);
  const read = useCallback(() => view.host.readAround({ shell: shellId, offset }), [view, shellId, offset]);
  const shell = snapshot.mirror?.shells.find(({ id }) => id === shellId);
  const [show] = shell === undefined ? [] : shellActions(shell, snapshot);
  const { name } = shellInfo(shellId, snapshot);
  const goTo = () => {
    view.ui.searchOpen.set(false);
    void show?.run(view);
  };
  return (
    <PlaceFrame
      name={words.place.title(name)}
      heading={words.place.title(name)}
      at={hit.at}
      back={back}
      read={read}
      words={words.place}
      earlier={({ before, from }) => (before === "" || from === 0 ? undefined : () => setOffset(from))}
      later={({ to }) => (to <= offset ? undefined : () => setOffset(to))}
      action={
        show !== undefined && (
          <button type="button" className="button outlined small" onClick={goTo}>
            {words.place.goTo}
          </button>
        )
      }
    >
      {(recorded) =>
        recorded.before + recorded.after === "" ? (
          <p className="search-none">{words.place.gone}</p>
        ) : (
          <Replay key={recorded.from} recorded={recorded}>
            {(shown) => (
              <Suspense fallback={<div className="history-terminal" />}>
                <RecordedTerminal
                  recorded={recorded}
                  selects={offset === hit.offset && hit.in === "output" ? hit.length : 0}
                  shown={shown}
                />
              </Suspense>
            )}
          </Replay>
        )
      }
    </PlaceFrame>
  );
}
