import { SessionId } from "../../core/protocol/ids.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** Whether the shells of a session are restricted, and the agents that may always control it. */
export function ShellRestrictions({ session }: { readonly session: PanelSession }) {
  const { command, canRun } = usePanel();
  const id = SessionId.parse(session.id);
  const { restrictShells, allowed } = session.restrictions;
  return (
    <>
      {restrictShells && <p className="panel-faint">{words.sessions.restrictions.restricted}</p>}
      {allowed.length > 0 && (
        <ul className="panel-list" aria-label={words.sessions.restrictions.allowed(session.name)}>
          {allowed.map(({ agentType, folder }) => (
            <li key={`${agentType} ${folder}`} className="panel-row">
              <span className="panel-faint ellipsis" title={folder}>
                {words.sessions.restrictions.controls(agentType, folder)}
              </span>
              {canRun("forgetAgent") && (
                <button
                  type="button"
                  className="button quiet"
                  aria-label={words.sessions.restrictions.forget(agentType, folder)}
                  onClick={() => void command(id, "forgetAgent", { agentType, folder })}
                >
                  {words.sessions.restrictions.forgetIt}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
