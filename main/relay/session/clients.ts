import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientFrame } from "../../../core/protocol/frames.ts";
import { PROTOCOL_VERSION, REPLACED } from "../../../core/protocol/frames.ts";
import type { ClientId, TileKey } from "../../../core/protocol/ids.ts";
import { limits, RESUME_WINDOW_MS } from "../../../core/protocol/limits.ts";
import type { RelayLink } from "../../../core/protocol/link.ts";
import type { ClientEntry, ClientRecord, Role } from "../../../core/protocol/records.ts";
import type { Membership } from "../access/keys.ts";
import type { Audit } from "../audit/audit.ts";
import type { Store } from "../store/store.ts";
import { auditedOperations } from "./audited-operations.ts";
import { ClientConnection } from "./client-connection.ts";
import type { Identity } from "./identity.ts";
import type { RunOperation } from "./operations.ts";
import { isSeatPlace, seatPlace } from "./seat-place.ts";
import type { SessionState } from "./session-state.ts";
import type { SessionShells } from "./shells.ts";

/** A client's id, kept for as long as it may come back. */
interface Seat {
  readonly id: ClientId;
  /** Empty after a restart, until the client comes back with it. */
  token: string;
  readonly place: string | undefined;
  /** Where the store keeps it: at its place, or under its token. */
  readonly kept: string;
  saved: unknown;
  /** Given to it later than at its joining; it keeps it when it comes back. */
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

/** Who is connected to the session, who may come back to his seat, and who waits for somebody to connect. */
export class SessionClients implements Disposable {
  readonly #options: SessionClientsOptions;
  readonly #seats = new Map<ClientId, Seat>();
  readonly #connected = new Map<ClientId, ClientConnection>();
  readonly #waiting = new Set<() => void>();
  #disposed = false;

  constructor(options: SessionClientsOptions) {
    this.#options = options;
    this.#recall();
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

  /** Takes a link in. The client is welcomed when it has said hello; until then it hears nothing. */
  join(link: RelayLink, identity: Identity): void {
    let connection: ClientConnection | undefined;
    link.onFrame((frame) => {
      if (connection !== undefined) connection.receive(frame);
      else if (frame.type === "hello") connection = this.#tryWelcome(link, identity, frame);
      else link.close("the first frame must be hello");
    });
    link.onClose(() => {
      if (connection !== undefined) this.#left(connection);
    });
  }

  /** Resolves when somebody is connected; false when nobody came in time. */
  waitForClient(timeoutMs: number): Promise<boolean> {
    if (this.#connected.size > 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const arrived = () => settle(true);
      const timer = setTimeout(() => settle(false), timeoutMs);
      const settle = (came: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(arrived);
        resolve(came);
      };
      this.#waiting.add(arrived);
    });
  }

  /** Its fixed place, for a client that lives at one. */
  placeOf(id: ClientId): string | undefined {
    return this.#seats.get(id)?.place;
  }

  /** What a connected client is in the session. */
  membership(id: ClientId): Membership | undefined {
    const seat = this.#seats.get(id);
    if (seat?.connection === undefined) return undefined;
    return { role: seat.connection.record.role, guest: seat.admission !== undefined };
  }

  /** What it last told of its state; undefined before it has told any, and when it is gone for good. */
  savedStateOf(id: ClientId): unknown {
    return this.#seats.get(id)?.saved;
  }

  /** From now on it has this role, also when it comes back. Whether it is connected. */
  changeRole(id: ClientId, role: Role): boolean {
    const seat = this.#seats.get(id);
    if (seat?.connection === undefined) return false;
    seat.role = role;
    seat.admission?.changeRole(role);
    seat.connection.record = { ...seat.connection.record, role };
    this.#options.state.apply({ kind: "client", client: seat.connection.record });
    return true;
  }

  /** Sends it away: its seat is gone, and so is what let it in where that can be taken back. Whether it was connected. */
  disconnect(id: ClientId, reason: string): boolean {
    const seat = this.#seats.get(id);
    const connection = seat?.connection;
    if (seat === undefined || connection === undefined) return false;
    seat.admission?.end();
    this.#left(connection);
    this.#giveUp(seat);
    connection.close(reason);
    return true;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const seat of this.#seats.values()) {
      clearTimeout(seat.expiry);
      seat.connection?.close("the relay is stopping");
    }
  }

  /** Those of the last run may come back to their seats for as long as if they had left now. */
  #recall(): void {
    const { state, shells, store } = this.#options;
    const known = store.clients.list(state.now.session.id);
    for (const { place, id, state } of known) {
      if (!isSeatPlace(place)) continue;
      const seat = this.#addSeat({ id, token: "", place: undefined, kept: place, saved: state });
      this.#expire(seat);
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
    const resumed = this.#seatOf(hello.resume, identity);
    if (resumed === undefined && this.#connected.size >= limits.clientsPerSession) {
      link.close(`a session holds at most ${limits.clientsPerSession} clients`);
      return undefined;
    }
    const seat = resumed ?? this.#newSeat(identity);
    clearTimeout(seat.expiry);
    seat.expiry = undefined;
    seat.admission = identity.admission;
    const previous = seat.connection;
    const { state, shells, operate, audit, owner } = this.#options;
    const session = state.now.session.id;
    const record: ClientRecord = {
      id: seat.id,
      name: identity.name,
      role: seat.role ?? identity.role,
      device: hello.device,
      clientKind: hello.clientKind,
      focus: null,
      connectedAt: new Date().toISOString(),
    };
    const connection: ClientConnection = new ClientConnection({
      link,
      record,
      shells,
      operate,
      operateOwn: auditedOperations({ audit, operate, session, owner }, identity),
      onActive: () => this.#active(connection),
      onState: (state) => this.#stateOf(seat, state),
    });
    seat.connection = connection;
    this.#connected.set(seat.id, connection);
    if (previous !== undefined) {
      state.subscribers.delete(previous);
      previous.closed();
      previous.close(REPLACED);
    }
    state.apply({ kind: "client", client: record });
    connection.send({
      type: "welcome",
      client: seat.id,
      name: identity.name,
      role: record.role,
      resume: seat.token,
      mirror: state.now,
      saved: seat.saved,
    });
    state.subscribers.add(connection);
    if (previous === undefined) state.emit({ type: "client.joined", data: { client: entryOf(record) } });
    for (const arrived of [...this.#waiting]) arrived();
    return connection;
  }

  #seatOf(token: string | undefined, { place }: Identity): Seat | undefined {
    const kept = place ?? (token === undefined ? undefined : seatPlace(token));
    for (const seat of this.#seats.values()) {
      if (seat.kept !== kept) continue;
      if (token !== undefined && place === undefined) seat.token = token;
      return seat;
    }
    return undefined;
  }

  #newSeat({ place }: Identity): Seat {
    const { store, state } = this.#options;
    const session = state.now.session.id;
    const token = randomBytes(24).toString("base64url");
    const kept = place ?? seatPlace(token);
    const known = store.clients.get(session, kept);
    const id = known?.id ?? store.sessions.nextClientId(session);
    if (known === undefined) store.clients.put(session, kept, { id, state: undefined });
    return this.#addSeat({ id, token, place, kept, saved: known?.state });
  }

  #addSeat(known: Pick<Seat, "id" | "token" | "place" | "kept" | "saved">): Seat {
    const seat: Seat = { ...known, role: undefined, admission: undefined, connection: undefined, expiry: undefined };
    this.#seats.set(seat.id, seat);
    return seat;
  }

  #stateOf(
    seat: Seat,
    { focus, workspace, saved }: { focus: TileKey | null; workspace: number; saved: unknown },
  ): void {
    const { state, store } = this.#options;
    const { connection, kept, id } = seat;
    seat.saved = saved;
    if (connection !== undefined) {
      if (connection.record.focus !== focus) {
        connection.record = { ...connection.record, focus };
        state.apply({ kind: "client", client: connection.record });
      }
      state.emit({ type: "layout.changed", data: { clientId: id, workspace, focus } });
    }
    // Last: on that client's screen it has happened, whether it can be saved or not.
    store.clients.put(state.now.session.id, kept, { id, state: saved });
  }

  #active(connection: ClientConnection): void {
    if (this.#connected.get(connection.id) !== connection) return;
    connection.record = { ...connection.record, activeAt: new Date(connection.lastActive).toISOString() };
    this.#options.state.apply({ kind: "client", client: connection.record });
  }

  #left(connection: ClientConnection): void {
    const seat = this.#seats.get(connection.id);
    const { state } = this.#options;
    state.subscribers.delete(connection);
    connection.closed();
    if (seat?.connection !== connection) return;
    seat.connection = undefined;
    this.#connected.delete(seat.id);
    state.apply({ kind: "client-gone", id: seat.id });
    state.emit({ type: "client.left", data: { client: entryOf(connection.record) } });
    // Nobody comes back to a session that is closed, and its records are gone.
    if (!this.#disposed) this.#expire(seat);
  }

  #expire(seat: Seat): void {
    seat.expiry = setTimeout(() => this.#giveUp(seat), RESUME_WINDOW_MS);
    seat.expiry.unref();
  }

  #giveUp(seat: Seat): void {
    clearTimeout(seat.expiry);
    this.#seats.delete(seat.id);
    const { state, shells, store } = this.#options;
    if (seat.place === undefined) store.clients.remove(state.now.session.id, seat.kept);
    shells.disown(seat.id);
  }
}

function entryOf({ id, name, role, device, clientKind }: ClientRecord): ClientEntry {
  return { id, name, canWrite: role !== "reader", device, clientKind };
}
