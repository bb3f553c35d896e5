import { AgentQuestion } from "../tiles/agent-question.tsx";
import { useSnapshot } from "../view/view.ts";

/** Requests of agents in shells that no tile of this client shows. */
export function AgentRequests() {
  const { mirror, state } = useSnapshot();
  const shown = new Set(
    Object.values(state.tiles).flatMap(({ type, id }) => (type === "shell" || type === "peek" ? [id] : [])),
  );
  const hidden = (mirror?.restrictions.requests ?? []).filter(({ shellId }) => !shown.has(shellId));
  return (
    <div aria-live="assertive">
      {hidden.map((request) => (
        <div key={request.id} className="toast" data-kind="wait">
          <span className="dot wait" />
          <div className="toast-text">
            <p className="times">Shell {request.shellId}</p>
            <AgentQuestion request={request} />
          </div>
        </div>
      ))}
    </div>
  );
}
