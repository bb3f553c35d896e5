import { AgentQuestion } from "../tiles/agent-question.tsx";
import { shellInfo } from "../view/tile-info.ts";
import { useSnapshot } from "../view/view.ts";
import { useLiveRequests } from "./use-live-requests.ts";

/** Requests of agents in shells that no tile of this client shows. */
export function AgentRequests() {
  const live = useLiveRequests();
  const snapshot = useSnapshot();
  const { mirror, state } = snapshot;
  const shown = new Set(
    Object.values(state.tiles).flatMap(({ type, id }) => (type === "shell" || type === "peek" ? [id] : [])),
  );
  const hidden = (mirror?.restrictions.requests ?? []).filter(({ shellId }) => !shown.has(shellId));
  return (
    <div aria-live={live}>
      {hidden.map((request) => (
        <div key={request.id} className="toast" data-kind="wait">
          <span className="dot wait" />
          <div className="toast-text">
            <p className="times">{shellInfo(request.shellId, snapshot).name}</p>
            <AgentQuestion request={request} />
          </div>
        </div>
      ))}
    </div>
  );
}
