import { once } from "node:events";
import { WebSocket } from "ws";
import { Client } from "../../core/client/client.ts";
import { socketLink } from "../../core/client/socket-link.ts";
import type { RelayEvent } from "../../core/protocol/events.ts";
import type { ClientId, SessionId } from "../../core/protocol/ids.ts";
import type { ClientLink } from "../../core/protocol/link.ts";
import type { ClientKind, Role } from "../../core/protocol/records.ts";
import type { Relay } from "../../main/relay/relay.ts";
import { until } from "./until.ts";

export interface JoinOptions {
  readonly kind?: ClientKind;
  readonly device?: string;
  /** Only in memory; over a socket the owner's key makes an admin. */
  readonly role?: Role;
  readonly name?: string;
  /** A place keeps its seat over restarts. */
  readonly place?: string;
  /** Token of an earlier client, to come back as the same. */
  readonly resume?: string;
  readonly over?: "memory" | "socket";
}

/** The real client of core, with its host's effects written down. */
export interface ScriptedClient extends AsyncDisposable {
  readonly client: Client;
  readonly id: ClientId;
  readonly toasts: readonly { message: string; kind: string }[];
  readonly notifications: readonly { title: string; body?: string | undefined }[];
  readonly events: readonly RelayEvent[];
  /** Resolves with the first event of that type, past or coming. */
  event<T extends RelayEvent["type"]>(type: T): Promise<RelayEvent & { type: T }>;
  /** Cuts the connection; resolves when the relay has noticed. */
  leave(): Promise<void>;
}

/** Where a client comes in. */
export interface Door {
  readonly relay: Relay;
  readonly session: SessionId;
  readonly key: string;
}

interface DialledRelay {
  readonly relay: Pick<Relay, "url">;
  readonly session: string;
}

/** Joins a session as a client, in memory or over a real WebSocket. */
export async function joinRelay(door: Door, options: JoinOptions): Promise<ScriptedClient> {
  const { relay, session } = door;
  const { kind = "desktop", device = "test" } = options;
  const toasts: { message: string; kind: string }[] = [];
  const notifications: { title: string; body?: string | undefined }[] = [];
  const events: RelayEvent[] = [];
  const client = new Client(
    {
      kind,
      device,
      toast(toast) {
        toasts.push(toast);
        return "toast";
      },
      notify(notification) {
        notifications.push(notification);
        return "native";
      },
      viewport: () => ({ cols: 160, rows: 48 }),
    },
    options.resume,
  );
  client.onEvent((event) => events.push(event));
  await reconnect(client, door, options);
  const id = client.self?.id;
  if (id === undefined) throw new Error("the relay's welcome named no client");
  const leave = async () => {
    client.disconnect("the test is over");
    await until("the relay to notice", () => relay.sessions.find(session)?.clients.get(id) === undefined);
  };
  return {
    client,
    id,
    toasts,
    notifications,
    events,
    async event(type) {
      const found = await until(`an event ${type}`, () => events.find((event) => event.type === type));
      return found as RelayEvent & { type: typeof type };
    },
    leave,
    async [Symbol.asyncDispose]() {
      if (client.connected) await leave();
    },
  };
}

/** Connects a client, for the first time or again. */
export async function reconnect(client: Client, door: Door, options: JoinOptions = {}): Promise<void> {
  await client.connect(options.over === "socket" ? await dial(door) : attach(door, options));
}

function attach({ relay, session }: Door, { name = relay.user, role = "admin", place }: JoinOptions): ClientLink {
  return relay.attachLocal(session, { name, role, ...(place === undefined ? {} : { place }) });
}

/** Opens a client's WebSocket to a relay, also to one of another process. */
export async function dial({
  relay,
  session,
  key,
}: Omit<Door, "relay" | "session"> & DialledRelay): Promise<ClientLink> {
  const address = `${relay.url.replace("http", "ws")}/v1/sessions/${session}/socket`;
  const socket = new WebSocket(address, { headers: { "X-Service-Token": key } });
  socket.binaryType = "arraybuffer";
  // Frames that come with the answer to the handshake must find their listener.
  const link = socketLink(socket);
  await once(socket, "open");
  return link;
}
