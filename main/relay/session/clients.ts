import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientFrame } from "../../../core/protocol/frames.ts";
import { CLOSE_UNAUTHENTICATED, PROTOCOL_VERSION, REPLACED } from "../../../core/protocol/frames.ts";
import type { ClientId, SessionId, ShellId, TileKey } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { RelayLink } from "../../../core/protocol/link.ts";
import { TokenBuckets } from "../../../core/protocol/rate-limits.ts";
import type { ClientRecord, Role } from "../../../core/protocol/records.ts";
import { Changes } from "../../system/changes.ts";
import { GUEST_REMOVED, type GuestListener, type Guests } from "../access/guests.ts";
import type { PersonMembership } from "../access/keys.ts";
import type { Audit } from "../audit/audit.ts";
import type { Store } from "../store/store.ts";
import { ClientConnection, LAYOUTS, remoteErrorOf } from "./client-connection.ts";
import { type ClientSlot, ClientSlots } from "./client-slots.ts";
import { clientCaller, credentialOf, type Identity } from "./identity.ts";
import type { RunOperation } from "./operations.ts";
import { deviceOf, entryOf, namesBeside, presentColour, presentName } from "./present-people.ts";
import type { RoleRequests } from "./role-requests.ts";
import type { SessionState } from "./session-state.ts";
import { lookedAt } from "./shared-layout.ts";
import type { ShellUser } from "./shell-user.ts";
import type { SessionShells } from "./shells.ts";
import { chooseAnswerer, type TerminalAnswers } from "./terminal-answers.ts";

interface SessionClientsOptions {
  readonly state: SessionState;
  readonly shells: SessionShells;
  readonly answers: TerminalAnswers;
  readonly operate: RunOperation;
  readonly audit: Audit;
  /** The operating-system user whose session it is. */
  readonly owner: string;
  readonly guests: Guests;
  readonly store: Store;
  /** Closes what a client has asked the owners of shells for. */
  readonly withdrawRequests: (client: ClientId) => void;
  readonly roleRequests: Pick<RoleRequests, "roleChanged" | "left">;
  /** Shells of the last run wait to be started again: their layout is kept until the owner comes back. */
  readonly keepsLayout: boolean;
}

/** The clients of a session: connects them, resumes them, and saves their state. */
export class SessionClients implements Disposable {
  readonly #options: SessionClientsOptions;
  readonly #slots: ClientSlots;
  readonly #connected = new Map<ClientId, ClientConnection>();
  /** Open links of guests, also before their hello. */
  readonly #guestLinks = new Map<RelayLink, string>();
  /** Roles that were assigned to clients of the owner, by their credentials. */
  readonly #assignedRoles = new Map<string, Role>();
  readonly #arrivals = new Changes<ClientConnection>();
  /** By credential: who comes again has what was left. */
  readonly #layouts = new TokenBuckets(LAYOUTS, () => performance.now());
  readonly #unsubscribe: () => void;
  #relayUser: ShellUser | undefined;
  #disposed = false;

  constructor(options: SessionClientsOptions) {
    this.#options = options;
    this.#unsubscribe = options.guests.onChange((change) => this.#guestChanged(change));
    const { state, shells, store } = options;
    this.#slots = new ClientSlots({
      session: this.#session,
      rows: store.clients,
      keepsLayout: options.keepsLayout,
      nextId: () => store.sessions.nextClientId(this.#session),
      onRemoved(id) {
        shells.disown(id);
        options.withdrawRequests(id);
      },
    });
    for (const { ownerClientId: owner } of state.now.shells) {
      if (owner !== null && !this.#slots.isKnown(owner)) shells.disown(owner);
    }
  }

  get connected(): readonly ClientConnection[] {
    return [...this.#connected.values()];
  }

  /** The client whose terminal answers the programs of a shell. */
  answererOf(shell: ShellId): ClientId | undefined {
    return chooseAnswerer(this.#connected, shell, () => this.#options.shells.find(shell)?.ownerClientId);
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
      if (this.#disposed) return link.close("the session was closed");
      if (connection !== undefined) connection.receive(frame);
      else if (frame.type === "hello") connection = this.#tryWelcome(link, identity, frame);
      else link.close("the first frame must be hello");
    });
    if (identity.guest !== undefined) this.#guestLinks.set(link, identity.guest);
    link.onClose(() => {
      stop?.();
      this.#guestLinks.delete(link);
      if (connection !== undefined) this.#disconnected(connection);
    });
  }

  /**
   * Resolves to true when a client is connected, and to false after the timeout. Rejects when the credential of the caller
   * ends.
   */
  async waitForClient(timeoutMs: number, lifetime?: Lifetime): Promise<boolean> {
    if (lifetime?.ended !== undefined) throw lifetime.ended;
    if (this.#connected.size > 0) return true;
    const arrived = await this.#arrivals.next(() => true, timeoutMs, lifetime);
    if (arrived === undefined && lifetime?.ended !== undefined) throw lifetime.ended;
    return arrived !== undefined;
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
    this.#relayUser ??= { id: this.#slots.relayId(), name: this.#options.owner, role: "admin" };
    return this.#relayUser;
  }

  /** Returns the membership of a connected client, and of the owner for whom the relay executes commands. */
  membership(id: ClientId): PersonMembership | undefined {
    if (id === this.#relayUser?.id) return { role: "admin", guest: false };
    const slot = this.#slots.get(id);
    if (slot?.connection === undefined) return undefined;
    const { record, isGuest, guest: guestId } = slot.connection;
    return { role: record.role, guest: isGuest, guestId };
  }

  /** Returns the names of the connected people other than a guest. */
  namesBeside(guest: string | undefined): string[] {
    return namesBeside(this.connected, guest);
  }

  /** Returns the ids of a guest's connected clients. */
  ofGuest(guest: string): ClientId[] {
    return this.connected.filter((connection) => connection.guest === guest).map(({ id }) => id);
  }

  /** Returns the state that a client saved last; undefined before its first, and after its slot was removed. */
  savedStateOf(id: ClientId): unknown {
    return this.#slots.get(id)?.saved;
  }

  /** Has the saved layouts of clients that are not connected show a shell in the place of another. */
  replaceShell(old: ShellId, next: ShellId): void {
    this.#slots.replaceShell(old, next);
  }

  /**
   * Returns the state that a connected client saved last.
   *
   * @throws RemoteError `unknown_client`
   */
  stateOf(id: ClientId): unknown {
    const slot = this.#slots.get(id);
    if (slot?.connection !== undefined) return slot.saved;
    throw new RemoteError("unknown_client", `No client ${id} is connected.`);
  }

  /**
   * Assigns a role to a client, with every other client of the same guest or credential, also for later connections.
   * Returns false if the client is not connected.
   */
  changeRole(id: ClientId, role: Role): boolean {
    const connection = this.#connected.get(id);
    if (connection === undefined) return false;
    const { guest, credential } = connection;
    if (guest !== undefined) this.#options.guests.changeRole(this.#session, guest, role);
    else {
      this.#assignedRoles.set(credential, role);
      for (const other of this.connected) {
        if (other.credential !== credential) continue;
        this.#options.shells.lowerRights(other.id, { role, guest: false });
        this.#setRole(other, role);
      }
    }
    return true;
  }

  /**
   * Disconnects a client for good: removes its slot; a guest is removed with all that it has open. Returns false if the
   * client was not connected.
   */
  disconnect(id: ClientId, reason: string): boolean {
    const slot = this.#slots.get(id);
    const connection = slot?.connection;
    if (slot === undefined || connection === undefined) return false;
    if (connection.guest !== undefined) this.#options.guests.remove(this.#session, connection.guest);
    else this.#end(slot, reason);
    return true;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#unsubscribe();
    this.#slots[Symbol.dispose]();
    for (const connection of this.connected) {
      this.#recordSeen(connection);
      connection.close("the relay is stopping");
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
      link.close(remoteErrorOf(error).message);
      return undefined;
    }
  }

  #welcome(link: RelayLink, admitted: Identity, hello: ClientFrame & { type: "hello" }): ClientConnection | undefined {
    if (hello.protocol !== PROTOCOL_VERSION) {
      link.close(`protocol ${hello.protocol} is not ${PROTOCOL_VERSION}: reload the page, or update Patchbay`);
      return undefined;
    }
    const role = this.#roleOf(admitted);
    const identity = { ...admitted, name: presentName(this.connected, admitted) };
    if (role === undefined) {
      link.close(GUEST_REMOVED);
      return undefined;
    }
    const slot = this.#slots.take(hello.resume, identity, { connected: this.#connected.size });
    slot.colour ??= presentColour(this.connected, identity);
    const previous = slot.connection;
    const { state, shells, answers, operate, audit, owner } = this.#options;
    const session = this.#session;
    const caller = clientCaller(identity, owner, slot.id);
    const record: ClientRecord = {
      id: slot.id,
      name: identity.name,
      role,
      ...deviceOf(identity, hello),
      ...(identity.guest === undefined ? {} : { guest: true }),
      colour: slot.colour,
      focus: null,
      connectedAt: new Date().toISOString(),
    };
    const credential = credentialOf(identity);
    const connection: ClientConnection = new ClientConnection({
      link,
      record,
      guest: identity.guest,
      credential,
      layouts: this.#layouts.of(credential),
      shells,
      answers,
      operate,
      audit,
      session,
      caller,
      onActive: () => this.#publishActivity(connection),
      onState: (state) => this.#saveState(slot, state),
    });
    slot.connection = connection;
    this.#connected.set(slot.id, connection);
    this.#recordSeen(connection);
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
    this.#arrivals.tell(connection);
    return connection;
  }

  /** Returns the role that an identity has now; undefined for a guest who was removed after the connection was admitted. */
  #roleOf(identity: Identity): Role | undefined {
    const { guest, role } = identity;
    if (guest !== undefined) return this.#options.guests.get(this.#session, guest)?.role;
    return this.#assignedRoles.get(credentialOf(identity)) ?? role;
  }

  #saveState(
    slot: ClientSlot,
    { focus, workspace, saved }: { focus: TileKey | null; workspace: number; saved: unknown },
  ): void {
    const { state } = this.#options;
    const { connection, id } = slot;
    this.#slots.checkState(slot, saved);
    slot.saved = saved;
    if (connection !== undefined) {
      const { looksAt: before, focus: focusBefore } = connection.record;
      const looksAt = lookedAt({ saved, focus }, state.now);
      if (focusBefore !== focus || before?.type !== looksAt?.type || before?.id !== looksAt?.id) {
        connection.record = { ...connection.record, focus, looksAt };
        state.apply({ kind: "client", client: connection.record });
      }
      state.emit({ type: "layout.changed", data: { clientId: id, workspace, focus } });
    }
    // Last: the change has happened in the client, whether saving succeeds or not.
    this.#slots.save(slot);
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
    if (this.#disposed) return;
    this.#recordSeen(connection);
    this.#options.roleRequests.left(connection);
    this.#slots.left(slot);
  }

  /** Ends a client for good, connected or not. */
  #end(slot: ClientSlot, reason: string): void {
    const { connection } = slot;
    if (connection !== undefined) this.#disconnected(connection);
    this.#slots.remove(slot);
    connection?.close(reason);
  }

  #setRole(connection: ClientConnection, role: Role): void {
    connection.setRole(role);
    if (role === "reader") this.#options.withdrawRequests(connection.id);
    this.#options.state.apply({ kind: "client", client: connection.record });
    this.#options.roleRequests.roleChanged(connection);
  }

  /** Applies to all that a guest has open what became of the guest. */
  #guestChanged({ session, id, guest }: Parameters<GuestListener>[0]): void {
    if (session !== this.#session) return;
    const slots = this.#slots.ofGuest(id);
    // First what is open: the store may fail for the rest.
    for (const { connection } of slots) if (guest && connection) this.#setRole(connection, guest.role);
    this.#options.shells.setRightsOfGuest(id, guest?.role);
    for (const slot of slots) {
      // The tokens of an older version do not say whose they are.
      this.#options.shells.lowerRights(slot.id, { role: guest?.role ?? "reader", guest: true });
      if (guest === undefined) this.#end(slot, GUEST_REMOVED);
    }
    if (guest !== undefined) return;
    for (const [link, owner] of [...this.#guestLinks]) if (owner === id) link.close(GUEST_REMOVED);
  }

  /** Records when a guest was connected, and on what device. */
  #recordSeen({ guest, record }: ClientConnection): void {
    if (guest === undefined) return;
    this.#options.guests.seen(this.#session, guest, record.device);
  }

  get #session(): SessionId {
    return this.#options.state.now.session.id;
  }
}
