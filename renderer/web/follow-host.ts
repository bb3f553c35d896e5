import type { Client } from "../../core/client/client.ts";
import { hostOf, LayoutFollower } from "../../core/client/layout-follower.ts";
import { ClientId } from "../../core/protocol/ids.ts";
import type { Following, Toast } from "../session/view/session-host.ts";
import { createStore } from "../ui/store.ts";
import { words } from "./words.ts";

const STORED = "patchbay-follow";
const OWN = "own";

/**
 * Gives a page without a layout of its own that of the session's host, as soon as there is one, and lets its user follow
 * others. What the user has chosen holds for this tab, also after a reload.
 */
export function followHost(client: Client, storage: Storage, show: (toast: Toast) => void): Following {
  const follower = new LayoutFollower(client);
  const target = createStore<ClientId | undefined>(undefined);
  follower.onChange((now, left) => {
    target.set(now);
    storage.setItem(STORED, now === undefined ? OWN : String(now));
    const name = client.mirror?.clients.find(({ id }) => id === left)?.name;
    if (left === undefined || name === undefined) return;
    const action = { label: words.following.again, again: true, run: () => follower.follow(left) } as const;
    show({ kind: "info", message: words.following.left(name), action });
  });
  const land = () => {
    const { mirror, self, connected } = client;
    if (!connected || mirror === undefined || self === undefined) return;
    const stored = storage.getItem(STORED);
    const wanted = stored === null ? landingOf(client) : ClientId.safeParse(Number(stored)).data;
    if (stored === null && wanted === undefined) return;
    stop();
    if (mirror.clients.some(({ id }) => id === wanted)) follower.follow(wanted);
  };
  const stop = client.subscribe(land);
  land();
  return {
    target,
    follow(wanted) {
      stop();
      if (wanted === undefined) storage.setItem(STORED, OWN);
      follower.follow(wanted);
    },
  };
}

/** Returns whom a guest follows at first; undefined for a page that has tiles, and while no host is connected. */
function landingOf({ state, mirror, self }: Client): ClientId | undefined {
  const isGuest = mirror?.clients.some(({ id, guest }) => id === self?.id && guest === true) === true;
  if (mirror === undefined || !isGuest || Object.keys(state.now.tiles).length > 0) return undefined;
  return hostOf(mirror, self?.id)?.id;
}
