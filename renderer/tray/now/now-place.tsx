import { PolicyAnswers } from "../policy-list.tsx";
import { useInbox } from "../use-inbox.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { Nothing } from "./nothing.tsx";
import { Running, SessionRows } from "./running.tsx";
import { requestItems } from "./wait-items.ts";
import { Waits } from "./waits.tsx";

/** The glance: what waits, what runs, and the sessions. The cost of today and the people are pinned below it. */
export function NowPlace() {
  const { content } = usePanel();
  const inbox = useInbox();
  const isCalm = inbox.entries.length === 0 && requestItems(content).length === 0;
  const agents = content.sessions.some((session) => session.agents.length > 0);
  return (
    <div className="now">
      {isCalm ? <Nothing /> : <Waits inbox={inbox} allOpen={false} />}
      {agents && <Running />}
      {content.sessions.length > 0 && <SessionRows />}
      <PolicyAnswers />
      {isCalm && !agents && <p className="panel-faint now-connect">{words.inbox.connect({ command: CONNECT })}</p>}
    </div>
  );
}

const CONNECT = <code className="panel-word">service agents connect claude</code>;
