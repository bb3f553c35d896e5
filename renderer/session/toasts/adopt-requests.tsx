import type { AdoptRequest } from "../../../core/protocol/records.ts";
import { adoptRequestsFor } from "../../../core/protocol/waiting.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { useBusy } from "../../ui/use-busy.ts";
import { useNow } from "../../ui/use-now.ts";
import { shellInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { ToastActions } from "./toast-actions.tsx";
import { useLiveRequests } from "./use-live-requests.ts";

/** Requests to take over a shell that this client's user answers. Amber, because they wait for the user. */
export function AdoptRequests() {
  const live = useLiveRequests();
  const { mirror, self } = useSnapshot();
  const asked = mirror === undefined ? [] : adoptRequestsFor(mirror, self);
  return (
    <div aria-live={live}>
      {asked.map((request) => (
        <Request key={request.id} request={request} />
      ))}
    </div>
  );
}

function Request({ request: { id, from, shellId, expiresAt } }: { request: AdoptRequest }) {
  const view = useView();
  const snapshot = useSnapshot();
  const left = formatDuration(Date.parse(expiresAt) - useNow(1000));
  const [isBusy, runOnce] = useBusy();
  const answer = (allow: boolean) => runOnce(() => view.run("answerAdopt", { request: id, allow }));
  return (
    <div className="toast" data-kind="wait">
      <span className="dot wait" />
      <div className="toast-text">
        {words.toasts.takeOver(from.name, shellInfo(shellId, snapshot).name)}
        <ToastActions isBusy={isBusy}>
          <button type="button" className="button primary small" onClick={() => answer(true)}>
            {words.toasts.give(from.name)}
          </button>
          <button type="button" className="button outlined small" onClick={() => answer(false)}>
            {words.toasts.later}
          </button>
          {left !== "" && (
            <span className="times" aria-hidden="true">
              {words.toasts.left(left)}
            </span>
          )}
        </ToastActions>
      </div>
    </div>
  );
}
