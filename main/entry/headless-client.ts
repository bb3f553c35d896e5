import { Client } from "../../core/client/client.ts";
import { followTileSizes } from "../../core/client/tile-sizes.ts";
import { HEADLESS_DEVICE } from "../../core/protocol/headless.ts";
import type { Relay } from "../relay/relay.ts";
import { eachSession } from "../relay/session/each-session.ts";

/** Assumed size of a headless workspace: shells have this size, or their tile's share of it. */
const VIEWPORT = { cols: 160, rows: 48 };

/**
 * Runs a desktop client without a desktop in every session of the relay. It prints what it would show; the session's
 * subscribers get the events anyway. Returns a function that stops the clients.
 */
export function runHeadlessClients(relay: Relay, print: (line: string) => void): () => void {
  return eachSession(relay.sessions, ({ id }) => {
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
    followTileSizes(client, () => VIEWPORT);
    client
      .connect(relay.attachLocal(id, { name: relay.user, role: "admin", place: "desktop" }))
      .catch((error: Error) => {
        print(`the headless client could not join session ${id}: ${error.message}`);
      });
    return () => client.disconnect("the session was closed, or the relay stops");
  });
}
