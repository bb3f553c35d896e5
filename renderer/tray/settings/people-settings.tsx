import type { OperationResult } from "../../../core/operations/index.ts";
import { InviteRows } from "../open-invites.tsx";
import { hasPeople, People } from "../session-people.tsx";
import { usePanel } from "../use-panel.ts";
import { usePolledLists } from "../use-polled-lists.ts";
import { words } from "../words/index.ts";

const INVITES_MS = 5_000;

/** The people of all sessions, also guests who may come back, and the links that still let somebody in. */
export function PeopleSettings() {
  const { content, ask } = usePanel();
  const [invites, refresh] = usePolledLists<OperationResult<"listInvites">[number]>(
    // The next attempt tells more than a message about one that failed.
    (session) => ask("listInvites", { session }).catch(() => undefined),
    INVITES_MS,
    ["people"],
  );
  const sessions = content.sessions.filter(hasPeople);
  return (
    <>
      <section className="panel-section" aria-label={words.people.title}>
        <h2>{words.people.title}</h2>
        {sessions.length === 0 && <p className="panel-faint">{words.people.alone}</p>}
        {sessions.map((session) => (
          <div key={session.id}>
            <p className="panel-faint ellipsis" title={session.name}>
              {session.name}
            </p>
            <People session={session} />
          </div>
        ))}
      </section>
      {invites.length > 0 && (
        <section className="panel-section invite-listed" aria-label={words.invite.open}>
          <h2>
            {words.invite.open} <span className="panel-faint">{invites.length}</span>
          </h2>
          <InviteRows
            invites={invites}
            refresh={() => void refresh()}
            nameOf={(id) => content.sessions.find((session) => session.id === id)?.name}
          />
        </section>
      )}
    </>
  );
}
