import type { ClientRecord } from "../../../core/protocol/records.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Popover } from "../../ui/popover.tsx";
import type { SessionSnapshot } from "../view/session-host.ts";
import { tileInfo } from "../view/tile-info.ts";
import { useSnapshot } from "../view/view.ts";

/** Number of avatars in the header. */
const MAX_AVATARS = 3;

/** The connected clients with their roles and focused tiles. */
export function People() {
  const snapshot = useSnapshot();
  const clients = snapshot.mirror?.clients ?? [];
  if (clients.length === 0) return null;
  const word = clients.length === 1 ? "1 person is here" : `${clients.length} people are here`;
  return (
    <Popover
      label={word}
      className="button quiet faces"
      button={
        <>
          {clients.slice(0, MAX_AVATARS).map(({ id, name }) => (
            <Avatar key={id} id={id} name={name} />
          ))}
          {clients.length > MAX_AVATARS && <span className="more">+{clients.length - MAX_AVATARS}</span>}
        </>
      }
    >
      {() => (
        <>
          <h2 className="popover-title">{word}</h2>
          <ul>
            {clients.map((client) => (
              <li key={client.id} className="person">
                <Avatar id={client.id} name={client.name} />
                <span className="person-text">
                  <span className="ellipsis" title={client.name}>
                    {client.name}
                    {client.id === snapshot.self?.id && <span className="you"> (you)</span>}
                  </span>
                  <span className="ellipsis quiet" title={client.device}>
                    {client.device} · {describeFocus(client, snapshot)}
                  </span>
                </span>
                <span className="chip">{client.role}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Popover>
  );
}

/** Tile keys are local to each client, so only this client's focus can be shown with a title. */
function describeFocus({ id, focus }: ClientRecord, snapshot: SessionSnapshot): string {
  if (focus === null) return "no tile in focus";
  const tile = id === snapshot.self?.id ? snapshot.state.tiles[focus] : undefined;
  return tile === undefined ? `in its tile ${focus}` : `in ${tileInfo(tile, snapshot).title}`;
}
