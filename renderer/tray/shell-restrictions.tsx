import { SessionId } from "../../core/protocol/ids.ts";
import type { AgentAnswer } from "../../core/protocol/shell-restrictions.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { usePanel } from "./use-panel.ts";

const answers = [
  { answer: "once", label: "Allow once" },
  { answer: "always", label: "Always in this folder" },
  { answer: "no", label: "No" },
] as const satisfies readonly { readonly answer: AgentAnswer; readonly label: string }[];

/** Requests of agents in a session's shells, permanent permissions, and whether the shells are restricted. */
export function ShellRestrictions({ session }: { readonly session: PanelSession }) {
  const { run } = usePanel();
  const id = SessionId.parse(session.id);
  const { restrictShells, requests, allowed } = session.restrictions;
  return (
    <>
      {restrictShells && <p className="panel-faint">Its shells are restricted: each may change only itself.</p>}
      {requests.map(({ id: request, agentType, shellId, folder, wants }) => (
        // biome-ignore lint/a11y/useSemanticElements: a question is no set of form fields
        <div
          key={request}
          className="panel-card"
          data-waits="true"
          role="group"
          aria-label={`Question of ${agentType}`}
        >
          <p>
            <strong>{agentType}</strong> in “
            {session.shells.find((shell) => shell.id === shellId)?.name ?? `shell ${shellId}`}” wants to control the
            session.
          </p>
          <p className="panel-faint">
            It called {wants}
            {folder !== "" && ` in ${folder}`}.
          </p>
          <div className="panel-actions">
            {answers
              .filter(({ answer }) => answer !== "always" || folder !== "")
              .map(({ answer, label }) => (
                <button
                  key={answer}
                  type="button"
                  className={`button ${answer === "once" ? "primary" : "outlined"}`}
                  onClick={() => void run("panel.answerAgent", { id, request, answer })}
                >
                  {label}
                </button>
              ))}
          </div>
        </div>
      ))}
      {allowed.length > 0 && (
        <ul className="panel-list" aria-label={`Agents that always control ${session.name}`}>
          {allowed.map(({ agentType, folder }) => (
            <li key={`${agentType} ${folder}`} className="panel-row">
              <span className="panel-faint ellipsis" title={folder}>
                {agentType} in {folder} always controls it
              </span>
              <button
                type="button"
                className="button quiet"
                aria-label={`Forget ${agentType} in ${folder}`}
                onClick={() => void run("panel.forgetAgent", { id, agentType, folder })}
              >
                Forget
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
