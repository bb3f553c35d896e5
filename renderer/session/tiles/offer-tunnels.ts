import type { Tunnel } from "../../../core/protocol/records.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import { shellInfo } from "../view/tile-info.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

interface OfferingView extends Pick<View, "run"> {
  readonly host: Pick<View["host"], "snapshot" | "subscribe">;
  readonly ui: Pick<View["ui"], "toasts">;
}

/**
 * Offers a tile when a program in one of this client's shells starts to listen on a port, once per port. Removes the offer
 * when the program stops. Returns a function that stops offering.
 */
export function offerTunnels({ host, ui: { toasts }, run }: OfferingView): () => void {
  let seen = host.snapshot().mirror?.tunnels;
  const offered = new Map<number, number>();
  return host.subscribe(() => {
    const snapshot = host.snapshot();
    const now = snapshot.mirror?.tunnels;
    if (now === undefined || now === seen) return;
    for (const { port } of (seen ?? []).filter((before) => now.every((after) => after.port !== before.port))) {
      const toast = offered.get(port);
      if (toast !== undefined) toasts.dismiss(toast);
    }
    const known = new Set((seen ?? now).map(({ port }) => port));
    seen = now;
    for (const tunnel of now) {
      if (known.has(tunnel.port) || offered.has(tunnel.port) || !shouldOffer(snapshot, tunnel)) continue;
      const action = {
        label: words.tiles.tunnels.open,
        run: () => void run("openTile", { type: "tunnel", port: tunnel.port }),
      };
      const { name } = shellInfo(tunnel.shellId, snapshot);
      const message =
        name === tunnel.process
          ? words.tiles.tunnels.listens(tunnel.process, tunnel.port)
          : words.tiles.tunnels.listensIn(tunnel.process, name, tunnel.port);
      offered.set(tunnel.port, toasts.show("info", message, [action]));
    }
  });
}

/** Reports whether the tunnel belongs to this client's shell and has no tile yet. */
function shouldOffer({ mirror, self, state }: SessionSnapshot, { port, shellId }: Tunnel): boolean {
  const shell = mirror?.shells.find(({ id }) => id === shellId);
  if (self === undefined || self.role === "reader" || shell?.ownerClientId !== self.id) return false;
  return !Object.values(state.tiles).some((tile) => tile.type === "tunnel" && tile.id === port);
}
