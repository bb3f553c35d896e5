import { SessionId } from "../../core/protocol/ids.ts";
import type { AgentAnswer } from "../../core/protocol/shell-restrictions.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

const answers = [
  { answer: "once", label: words.sessions.restrictions.once },
  { answer: "always", label: words.sessions.restrictions.always },
  { answer: "no", label: words.sessions.restrictions.no },
] as const satisfies readonly { readonly answer: AgentAnswer; readonly label: string }[];

/** Requests of agents in a session's shells, permanent permissions, and whether the shells are restricted. */
export function ShellRestrictions({ session }: { readonly session: PanelSession }) {
  const { run } = usePanel();
  const id = SessionId.parse(session.id);
  const { restrictShells, requests, allowed } = session.restrictions;
  return (
    <>
      {restrictShells && <p className="panel-faint">{words.sessions.restrictions.restricted}</p>}
      {requests.map(({ id: request, agentType, shellId, folder, wants }) => (
        // biome-ignore lint/a11y/useSemanticElements: a question is no set of form fields
        <div
          key={request}
          className="panel-card"
          data-waits="true"
          role="group"
          aria-label={words.sessions.restrictions.question(agentType)}
        >
          <p>
            {words.sessions.restrictions.asks({
              agent: <strong>{agentType}</strong>,
              shell: session.shells.find((shell) => shell.id === shellId)?.name ?? words.shell(shellId),
            })}
          </p>
          <p className="panel-faint">
            {folder === ""
              ? words.sessions.restrictions.called(wants)
              : words.sessions.restrictions.calledIn(wants, folder)}
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
        <ul className="panel-list" aria-label={words.sessions.restrictions.allowed(session.name)}>
          {allowed.map(({ agentType, folder }) => (
            <li key={`${agentType} ${folder}`} className="panel-row">
              <span className="panel-faint ellipsis" title={folder}>
                {words.sessions.restrictions.controls(agentType, folder)}
              </span>
              <button
                type="button"
                className="button quiet"
                aria-label={words.sessions.restrictions.forget(agentType, folder)}
                onClick={() => void run("panel.forgetAgent", { id, agentType, folder })}
              >
                {words.sessions.restrictions.forgetIt}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
