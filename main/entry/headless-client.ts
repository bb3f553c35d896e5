import { Client } from "../../core/client/client.ts";
import { followTileSizes } from "../../core/client/tile-sizes.ts";
import { HEADLESS_DEVICE } from "../../core/protocol/headless.ts";
import type { Relay } from "../relay/relay.ts";

/** Assumed size of a headless workspace: shells have this size, or their tile's share of it. */
const VIEWPORT = { cols: 160, rows: 48 };

/**
 * Runs a desktop client without a desktop in every session of the relay. It prints what it would show; the session's
 * subscribers get the events anyway. Returns a function that stops the clients.
 */
export function runHeadlessClients(relay: Relay, print: (line: string) => void): () => void {
  const clients = new Map<string, Client>();
  const follow = () => {
    const open = new Set(relay.sessions.all().map((session) => String(session.id)));
    for (const [id, client] of clients) {
      if (open.has(id)) continue;
      client.disconnect("the session was closed");
      clients.delete(id);
    }
    for (const id of open) {
      if (clients.has(id)) continue;
      const client = new Client({
        kind: "desktop",
        device: HEADLESS_DEVICE,
        viewport: () => VIEWPORT,
        toast({ kind, message }) {
          print(`toast (${kind}): ${message}`);
          return "log";
        },
        notify({ title, body }) {
          print(`notification: ${body === undefined ? title : `${title}: ${body}`}`);
          return "log";
        },
      });
      clients.set(id, client);
      followTileSizes(client, () => VIEWPORT);
      client
        .connect(relay.attachLocal(id, { name: relay.user, role: "admin", place: "desktop" }))
        .catch((error: Error) => {
          print(`the headless client could not join session ${id}: ${error.message}`);
        });
    }
  };
  follow();
  const stop = relay.sessions.onChange(follow);
  return () => {
    stop();
    for (const client of clients.values()) client.disconnect("the relay is stopping");
  };
}
