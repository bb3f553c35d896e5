import { Suspense, useEffect, useState } from "react";
import type { RestorableShell } from "../../../core/protocol/restore.ts";
import { LoadGuard, lazyPart } from "../../ui/load-guard.tsx";
import { words as shared } from "../../ui/words.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

const RestoreSheet = lazyPart(
  () => import("./restore-sheet.tsx"),
  ({ RestoreSheet }) => RestoreSheet,
);

/** Exit codes of shells that SIGHUP, SIGKILL or SIGTERM ended. */
const ENDED_FROM_OUTSIDE = [129, 137, 143];

/** Says that shells can be started again, to the session's owner only, and opens the sheet that does so. */
export function RestoreNotice() {
  const { host, ui } = useView();
  const { mirror, self, connected } = useSnapshot();
  const [offers, setOffers] = useState<readonly RestorableShell[]>([]);
  const [open, setOpen] = useState(false);
  const [put, setPut] = useState<string>();
  const isOwner = self?.role === "admin" && mirror?.clients.find(({ id }) => id === self.id)?.guest !== true;
  const ended =
    mirror?.shells.filter(
      ({ running, exitCode, signal = null }) =>
        !running && (exitCode === null || signal !== null || ENDED_FROM_OUTSIDE.includes(exitCode)),
    ) ?? [];
  const candidates = isOwner && connected ? ended.map(({ id }) => id).join() : "";
  useEffect(() => {
    let isCurrent = true;
    const show = (found: readonly RestorableShell[]) => isCurrent && setOffers(found);
    if (candidates === "") show([]);
    // What cannot be asked for is not offered.
    else host.restore({}).then(show, () => show([]));
    return () => {
      isCurrent = false;
    };
  }, [candidates, host]);
  if (open) {
    return (
      <LoadGuard
        fallback={null}
        onFailure={() => {
          setOpen(false);
          ui.toasts.show("error", shared.notLoaded);
        }}
      >
        <Suspense fallback={null}>
          <RestoreSheet
            offers={offers}
            close={() => {
              setOpen(false);
              setPut(candidates);
            }}
          />
        </Suspense>
      </LoadGuard>
    );
  }
  if (offers.length === 0 || put === candidates) return null;
  return (
    <div className="restore-notice" role="status">
      <span>{words.restore.notice(offers.length)}</span>
      <span>
        <button type="button" className="button outlined" onClick={() => setOpen(true)}>
          {words.restore.show}
        </button>
        <button type="button" className="button quiet" onClick={() => setPut(candidates)}>
          {words.restore.later}
        </button>
      </span>
    </div>
  );
}
