import type { ReactNode } from "react";
import { usePanel } from "../use-panel.ts";
import { targets } from "../use-target.ts";
import { words } from "../words/index.ts";
import { peopleOf } from "./people.ts";

/** Connects the agent that most people use; `service agents` lists the others. */
const CONNECT = "service agents connect claude";

/** The first steps that are left while no agent runs: open a session, connect an agent, invite somebody. */
export function FirstSteps() {
  const { content, goTo, showStatus } = usePanel();
  const { sessions } = content;
  if (sessions.some(({ agents }) => agents.length > 0)) return null;
  const [session] = sessions;
  const isAlone =
    peopleOf(sessions).every(({ isSelf }) => isSelf) && sessions.every(({ awayGuests }) => awayGuests.length === 0);
  const said = words.steps;
  const copy = async () => {
    try {
      // A page that came unencrypted has no clipboard.
      await navigator.clipboard.writeText(CONNECT);
      showStatus(said.copied);
    } catch {
      showStatus(said.notCopied, "bad");
    }
  };
  return (
    <ul className="now-steps" aria-label={said.title}>
      {session === undefined && (
        <Step text={said.session}>
          {/* Only this one is an item: where there is a session, Enter goes to it at once. */}
          <button
            type="button"
            className="button primary"
            data-item
            data-enter={words.sessions.newSession}
            onClick={() => goTo("sessions", { item: targets.newSession })}
          >
            {words.sessions.newSession}
          </button>
        </Step>
      )}
      <Step text={words.inbox.connect({ command: <code className="panel-word">{CONNECT}</code> })}>
        <button type="button" className="button outlined" onClick={() => void copy()}>
          {said.copy}
        </button>
      </Step>
      {session !== undefined && isAlone && (
        <Step text={said.invite}>
          <button
            type="button"
            className="button outlined"
            onClick={() => goTo("sessions", { item: targets.invite(session.id) })}
          >
            {said.inviteSomeone}
          </button>
        </Step>
      )}
    </ul>
  );
}

function Step({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="now-step">
      <p className="panel-faint">{text}</p>
      {children}
    </li>
  );
}
