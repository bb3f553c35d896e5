import type { ClientRecord } from "../../../core/protocol/records.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { Icon } from "../../ui/icon.tsx";
import { Popover } from "../../ui/popover.tsx";
import { roleWords } from "../../ui/words.ts";
import { openMenu } from "../menu/context-menu.tsx";
import { personMenu } from "../menu/menus.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import { shellInfo, tileInfo } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Number of avatars in the header. */
const MAX_AVATARS = 3;

/** The connected clients with their roles, and what they do as far as this client can tell. */
export function People() {
  const view = useView();
  const snapshot = useSnapshot();
  const showMenu = (event: React.MouseEvent, client: ClientRecord) =>
    openMenu(view, event, client.name, personMenu(view, client));
  const clients = snapshot.mirror?.clients ?? [];
  if (clients.length === 0) return null;
  const word = words.frame.people.count(clients.length);
  return (
    <Popover
      label={word}
      className="button quiet faces"
      button={
        <>
          {clients.slice(0, MAX_AVATARS).map(({ id, name, colour }) => (
            <Avatar key={id} id={id} name={name} colour={colour} />
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
              <li key={client.id} className="person" onContextMenu={(event) => showMenu(event, client)}>
                <Avatar id={client.id} name={client.name} colour={client.colour} />
                <span className="person-text">
                  <span className="ellipsis" title={client.name}>
                    {client.name}
                    {client.id === snapshot.self?.id && <span className="you"> {words.frame.people.you}</span>}
                    {client.guest && <span className="you"> {words.frame.people.guest}</span>}
                  </span>
                  <span className="ellipsis quiet" title={client.device}>
                    {activityOf(client, snapshot)}
                  </span>
                </span>
                <span className="chip">{roleWords[client.role]}</span>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={words.frame.people.menuOf(client.name)}
                  title={words.frame.people.menu}
                  aria-haspopup="menu"
                  onClick={(event) => showMenu(event, client)}
                >
                  <Icon name="more" size={14} />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Popover>
  );
}

/** After this time without a key or a change, a client counts as idle. */
const IDLE_MS = 60_000;

/** Says on what device a person is, what they look at, and for how long they have been idle. */
function activityOf({ id, device, focus, looksAt, activeAt }: ClientRecord, snapshot: SessionSnapshot): string {
  const said = words.frame.people;
  const tile = id === snapshot.self?.id && focus !== null ? snapshot.state.tiles[focus] : undefined;
  const place = tile === undefined ? placeName(looksAt, snapshot) : tileInfo(tile, snapshot).title;
  const quiet = activeAt === undefined || tile !== undefined ? 0 : Date.now() - Date.parse(activeAt);
  if (quiet <= IDLE_MS) return place === undefined ? device : said.at(device, place);
  const time = formatDuration(quiet);
  return place === undefined ? said.idle(device, time) : said.atIdle(device, place, time);
}

function placeName(place: ClientRecord["looksAt"], snapshot: SessionSnapshot): string | undefined {
  if (place === undefined) return undefined;
  return place.type === "tunnel" ? words.frame.people.port(place.id) : shellInfo(place.id, snapshot).name;
}
