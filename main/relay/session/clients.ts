import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientFrame } from "../../../core/protocol/frames.ts";
import { CLOSE_UNAUTHENTICATED, PROTOCOL_VERSION, REPLACED } from "../../../core/protocol/frames.ts";
import type { ClientId, TileKey } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import { limits, RESUME_WINDOW_MS } from "../../../core/protocol/limits.ts";
import type { RelayLink } from "../../../core/protocol/link.ts";
import type { ClientEntry, ClientRecord, Role } from "../../../core/protocol/records.ts";
import { digestOf } from "../access/digest.ts";
import type { Membership } from "../access/keys.ts";
import type { Audit } from "../audit/audit.ts";
import type { ClientRow } from "../store/client-rows.ts";
import type { Store } from "../store/store.ts";
import { auditedOperations } from "./audited-operations.ts";
import { ClientConnection } from "./client-connection.ts";
import type { Identity } from "./identity.ts";
import type { RunOperation } from "./operations.ts";
import type { SessionState } from "./session-state.ts";
import type { SessionShells, ShellUser } from "./shells.ts";

/** A connected client, or a disconnected one that may resume: its id stays reserved. */
interface ClientSlot {
  readonly id: ClientId;
  /** Resume token. Empty after a restart of the relay, until the client presents it. */
  token: string;
  /** Fixed place (`desktop`), for a client that has one. */
  readonly place: string | undefined;
  /** Key in the store: the fixed place, or one made from the resume token. */
  readonly storeKey: string;
  saved: unknown;
  /** Role that was assigned after the client joined; it survives a reconnect. */
  role: Role | undefined;
  admission: Identity["admission"];
  connection: ClientConnection | undefined;
  expiry: NodeJS.Timeout | undefined;
}

interface SessionClientsOptions {
  readonly state: SessionState;
  readonly shells: SessionShells;
  readonly operate: RunOperation;
  readonly audit: Audit;
  /** The operating-system user whose session it is. */
  readonly owner: string;
  readonly store: Store;
}

/** The clients of a session: connects them, resumes them, and saves their state. */
export class SessionClients implements Disposable {
  readonly #options: SessionClientsOptions;
  readonly #slots = new Map<ClientId, ClientSlot>();
  readonly #connected = new Map<ClientId, ClientConnection>();
  readonly #arrivalWaiters = new Set<() => void>();
  #relayUser: ShellUser | undefined;
  #disposed = false;

  constructor(options: SessionClientsOptions) {
    this.#options = options;
    this.#restoreSlots();
  }

  get connected(): readonly ClientConnection[] {
    return [...this.#connected.values()];
  }

  get(id: ClientId): ClientConnection | undefined {
    return this.#connected.get(id);
  }

  get size(): number {
    return this.#connected.size;
  }

  /** The only connected client, without building a list: the common case of every command. */
  get only(): ClientConnection | undefined {
    if (this.#connected.size !== 1) return undefined;
    for (const connection of this.#connected.values()) return connection;
    return undefined;
  }

  /** Accepts a link. The client is welcomed after its hello frame and receives nothing before it. */
  join(link: RelayLink, identity: Identity): void {
    let connection: ClientConnection | undefined;
    const { lifetime } = identity;
    const stop = lifetime?.onEnd((reason) => {
      link.close(reason.message, CLOSE_UNAUTHENTICATED);
      // At once: the peer may leave the close unanswered.
      if (connection !== undefined) this.#disconnected(connection);
    });
    link.onFrame((frame) => {
      if (lifetime?.ended !== undefined) return;
      if (connection !== undefined) connection.receive(frame);
      else if (frame.type === "hello") connection = this.#tryWelcome(link, identity, frame);
      else link.close("the first frame must be hello");
    });
    link.onClose(() => {
      stop?.();
      if (connection !== undefined) this.#disconnected(connection);
    });
  }

  /**
   * Resolves to true when a client is connected, and to false after the timeout. Rejects when the credential of the caller
   * ends.
   */
  waitForClient(timeoutMs: number, lifetime?: Lifetime): Promise<boolean> {
    if (lifetime?.ended !== undefined) return Promise.reject(lifetime.ended);
    if (this.#connected.size > 0) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      const onArrival = () => settle(() => resolve(true));
      const timer = setTimeout(() => settle(() => resolve(false)), timeoutMs);
      const stop = lifetime?.onEnd((reason) => settle(() => reject(reason)));
      const settle = (done: () => void) => {
        clearTimeout(timer);
        stop?.();
        this.#arrivalWaiters.delete(onArrival);
        done();
      };
      this.#arrivalWaiters.add(onArrival);
    });
  }

  /** Returns the client's fixed place; undefined if it has none. */
  placeOf(id: ClientId): string | undefined {
    return this.#slots.get(id)?.place;
  }

  /**
   * The session's owner as the relay itself executes commands for them: a client id that is never connected and stays the
   * same, so that a shell which it creates is nobody else's.
   */
  get relayUser(): ShellUser {
    this.#relayUser ??= { id: this.#idOfPlace(RELAY_PLACE).id, name: this.#options.owner, role: "admin" };
    return this.#relayUser;
  }

  /** Returns the membership of a connected client, and of the owner for whom the relay executes commands. */
  membership(id: ClientId): Membership | undefined {
    if (id === this.#relayUser?.id) return { role: "admin", guest: false };
    const slot = this.#slots.get(id);
    if (slot?.connection === undefined) return undefined;
    return { role: slot.connection.record.role, guest: slot.admission !== undefined };
  }

  /** Returns the state that a client saved last; undefined before its first, and after its slot was removed. */
  savedStateOf(id: ClientId): unknown {
    return this.#slots.get(id)?.saved;
  }

  /** Assigns a role, also for later reconnects. Returns false if the client is not connected. */
  changeRole(id: ClientId, role: Role): boolean {
    const slot = this.#slots.get(id);
    if (slot?.connection === undefined) return false;
    slot.role = role;
    slot.admission?.changeRole(role);
    slot.connection.record = { ...slot.connection.record, role };
    this.#options.state.apply({ kind: "client", client: slot.connection.record });
    return true;
  }

  /** Disconnects a client for good: removes its slot, and a guest's admission. Returns false if it was not connected. */
  disconnect(id: ClientId, reason: string): boolean {
    const slot = this.#slots.get(id);
    const connection = slot?.connection;
    if (slot === undefined || connection === undefined) return false;
    slot.admission?.end();
    this.#disconnected(connection);
    this.#removeSlot(slot);
    connection.close(reason);
    return true;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const slot of this.#slots.values()) {
      clearTimeout(slot.expiry);
      slot.connection?.close("the relay is stopping");
    }
  }

  /** Restores the slots of the last run. Their clients may resume for as long as if they had disconnected now. */
  #restoreSlots(): void {
    const { state, shells, store } = this.#options;
    const known = store.clients.list(state.now.session.id);
    for (const { place, id, state: saved } of known) {
      if (!isTokenPlace(place)) continue;
      const slot = this.#addSlot({ id, token: "", place: undefined, storeKey: place, saved });
      this.#expire(slot);
    }
    const ids = new Set(known.map(({ id }) => id));
    for (const { ownerClientId: owner } of state.now.shells) {
      if (owner !== null && !ids.has(owner)) shells.disown(owner);
    }
  }

  #tryWelcome(
    link: RelayLink,
    identity: Identity,
    hello: ClientFrame & { type: "hello" },
  ): ClientConnection | undefined {
    try {
      return this.#welcome(link, identity, hello);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      link.close(error.message);
      return undefined;
    }
  }

  #welcome(link: RelayLink, identity: Identity, hello: ClientFrame & { type: "hello" }): ClientConnection | undefined {
    if (hello.protocol !== PROTOCOL_VERSION) {
      link.close(`protocol ${hello.protocol} is not ${PROTOCOL_VERSION}: reload the page, or update Patchbay`);
      return undefined;
    }
    const resumed = this.#findSlot(hello.resume, identity);
    if (resumed === undefined && this.#connected.size >= limits.clientsPerSession) {
      link.close(`a session holds at most ${limits.clientsPerSession} clients`);
      return undefined;
    }
    const slot = resumed ?? this.#newSlot(identity);
    clearTimeout(slot.expiry);
    slot.expiry = undefined;
    slot.admission = identity.admission;
    const previous = slot.connection;
    const { state, shells, operate, audit, owner } = this.#options;
    const session = state.now.session.id;
    const record: ClientRecord = {
      id: slot.id,
      name: identity.name,
      role: slot.role ?? identity.role,
      ...deviceOf(identity, hello),
      ...(identity.admission === undefined ? {} : { guest: true }),
      focus: null,
      connectedAt: new Date().toISOString(),
    };
    const connection: ClientConnection = new ClientConnection({
      link,
      record,
      shells,
      operate,
      operateOwn: auditedOperations({ audit, operate, session, owner }, identity),
      account: identity.account,
      onActive: () => this.#publishActivity(connection),
      onState: (state) => this.#saveState(slot, state),
    });
    slot.connection = connection;
    this.#connected.set(slot.id, connection);
    if (previous !== undefined) {
      state.subscribers.delete(previous);
      previous.closed();
      previous.close(REPLACED);
    }
    state.apply({ kind: "client", client: record });
    connection.send({
      type: "welcome",
      client: slot.id,
      name: identity.name,
      role: record.role,
      resume: slot.token,
      mirror: state.now,
      saved: slot.saved,
    });
    state.subscribers.add(connection);
    if (previous === undefined) state.emit({ type: "client.joined", data: { client: entryOf(record) } });
    for (const onArrival of [...this.#arrivalWaiters]) onArrival();
    return connection;
  }

  #findSlot(token: string | undefined, { place }: Identity): ClientSlot | undefined {
    const storeKey = place ?? (token === undefined ? undefined : tokenPlace(token));
    for (const slot of this.#slots.values()) {
      if (slot.storeKey !== storeKey) continue;
      if (token !== undefined && place === undefined) slot.token = token;
      return slot;
    }
    return undefined;
  }

  #newSlot({ place }: Identity): ClientSlot {
    const token = randomBytes(24).toString("base64url");
    const storeKey = place ?? tokenPlace(token);
    const { id, state: saved } = this.#idOfPlace(storeKey);
    return this.#addSlot({ id, token, place, storeKey, saved });
  }

  /** Returns the client id of a place in the store, with its saved state; a new place gets a new id. */
  #idOfPlace(storeKey: string): ClientRow {
    const { store, state } = this.#options;
    const session = state.now.session.id;
    const known = store.clients.get(session, storeKey);
    if (known !== undefined) return known;
    const added = { id: store.sessions.nextClientId(session), state: undefined };
    store.clients.put(session, storeKey, added);
    return added;
  }

  #addSlot(known: Pick<ClientSlot, "id" | "token" | "place" | "storeKey" | "saved">): ClientSlot {
    const slot: ClientSlot = {
      ...known,
      role: undefined,
      admission: undefined,
      connection: undefined,
      expiry: undefined,
    };
    this.#slots.set(slot.id, slot);
    return slot;
  }

  #saveState(
    slot: ClientSlot,
    { focus, workspace, saved }: { focus: TileKey | null; workspace: number; saved: unknown },
  ): void {
    const { state, store } = this.#options;
    const { connection, storeKey, id } = slot;
    slot.saved = saved;
    if (connection !== undefined) {
      if (connection.record.focus !== focus) {
        connection.record = { ...connection.record, focus };
        state.apply({ kind: "client", client: connection.record });
      }
      state.emit({ type: "layout.changed", data: { clientId: id, workspace, focus } });
    }
    // Last: the change has happened in the client, whether saving succeeds or not.
    store.clients.put(state.now.session.id, storeKey, { id, state: saved });
  }

  #publishActivity(connection: ClientConnection): void {
    if (this.#connected.get(connection.id) !== connection) return;
    connection.record = { ...connection.record, activeAt: new Date(connection.lastActive).toISOString() };
    this.#options.state.apply({ kind: "client", client: connection.record });
  }

  #disconnected(connection: ClientConnection): void {
    const slot = this.#slots.get(connection.id);
    const { state } = this.#options;
    state.subscribers.delete(connection);
    connection.closed();
    if (slot?.connection !== connection) return;
    slot.connection = undefined;
    this.#connected.delete(slot.id);
    state.apply({ kind: "client-gone", id: slot.id });
    state.emit({ type: "client.left", data: { client: entryOf(connection.record) } });
    // A closed session has no records left that a client could resume.
    if (!this.#disposed) this.#expire(slot);
  }

  #expire(slot: ClientSlot): void {
    slot.expiry = setTimeout(() => this.#removeSlot(slot), RESUME_WINDOW_MS);
    slot.expiry.unref();
  }

  #removeSlot(slot: ClientSlot): void {
    clearTimeout(slot.expiry);
    this.#slots.delete(slot.id);
    const { state, shells, store } = this.#options;
    if (slot.place === undefined) store.clients.remove(state.now.session.id, slot.storeKey);
    shells.disown(slot.id);
  }
}

/** Place of the owner for whom the relay executes commands. */
const RELAY_PLACE = "relay";
/** Prefix of the places in the store of clients without a fixed place. */
const TOKEN_PLACE = "seat ";

function tokenPlace(token: string): string {
  return TOKEN_PLACE + digestOf(token);
}

function isTokenPlace(place: string): boolean {
  return place.startsWith(TOKEN_PLACE);
}

function entryOf({ id, name, role, device, clientKind, guest }: ClientRecord): ClientEntry {
  const entry = { id, name, canWrite: role !== "reader", device, clientKind };
  return guest === undefined ? entry : { ...entry, guest };
}

/**
 * Returns a client's device and kind. Only a client of this process can be a desktop: a connection's own word would choose
 * who executes the owner's commands.
 */
function deviceOf(
  { from }: Identity,
  { device, clientKind }: ClientFrame & { type: "hello" },
): Pick<ClientRecord, "device" | "clientKind"> {
  return from === undefined ? { device, clientKind } : { device, clientKind: "browser" };
}
