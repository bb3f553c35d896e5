import { once } from "node:events";
import { WebSocket } from "ws";
import { socketLink } from "../../core/client/socket-link.ts";
import type { ClientLink } from "../../core/protocol/link.ts";
import type { Role } from "../../core/protocol/records.ts";
import { type PuppetClient, puppet } from "./puppet-client.ts";
import type { Answer, TestRelay } from "./test-relay.ts";

/** A browser that was let in by an invite: its cookie, from which any number of sockets can be opened. */
export interface TestGuest extends Disposable {
  /** The header `Cookie`. */
  readonly cookie: string;
  /** Opens a WebSocket with the cookie. Rejects with the status of a refusal. */
  connect(): Promise<ClientLink>;
  /** A tab moved by hand. */
  tab(options?: {
    resume?: string;
    device?: string;
    clientKind?: "browser" | "desktop";
  }): Promise<PuppetClient & { readonly id: number }>;
}

/** Lets a browser in by a fresh invite, as its page does. */
export async function enterAsGuest(
  relay: TestRelay,
  { role = "writer", name = "bob" }: { role?: Role; name?: string } = {},
): Promise<TestGuest> {
  const entered = await requestEntry(relay, { role, name });
  const [cookie] = (entered.headers.get("set-cookie") ?? "").split(";");
  if (entered.status !== 200 || cookie === undefined) throw new Error(`enter: ${entered.status} ${entered.text}`);
  const sockets: WebSocket[] = [];
  const connect = async () => {
    const { origin } = new URL(relay.url);
    const address = `${relay.url.replace("http", "ws")}/s/${relay.session}/socket`;
    const socket = new WebSocket(address, { headers: { Cookie: cookie, Origin: origin } });
    socket.binaryType = "arraybuffer";
    sockets.push(socket);
    const link = socketLink(socket);
    await once(socket, "open");
    return link;
  };
  return {
    cookie,
    connect,
    async tab({ resume, ...announced } = {}) {
      const made = await puppet(await connect(), resume, announced);
      return Object.assign(made, { id: made.welcome.client });
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** Creates an invite and answers it under a name, whatever the relay says to that. */
export async function requestEntry(
  relay: TestRelay,
  { role = "writer", name }: { role?: Role; name: string },
): Promise<Answer> {
  const made = await relay.request("POST", `/v1/sessions/${relay.session}/invites`, { body: { role } });
  const { result } = JSON.parse(made.text) as { result: { url: string } };
  return relay.request("POST", `/s/${relay.session}/enter`, {
    body: { invite: new URL(result.url).hash.slice(1), name },
    headers: { Origin: new URL(relay.url).origin },
  });
}
