import { randomBytes } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId, SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { limits, RESUME_WINDOW_MS } from "../../../core/protocol/limits.ts";
import { restoreState } from "../../../core/state/client-state.ts";
import { digestOf } from "../access/digest.ts";
import type { ClientRow, ClientRows } from "../store/client-rows.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { Identity } from "./identity.ts";

/** A connected client, or a disconnected one that may resume: its id stays reserved. It has no rights of its own. */
export interface ClientSlot {
  readonly id: ClientId;
  /** Resume token. Empty after a restart of the relay, until the client presents it. */
  token: string;
  /** Fixed place (`desktop`), for a client that has one. */
  readonly place: string | undefined;
  /** Key in the store: the fixed place, or one made from the resume token. */
  readonly storeKey: string;
  /** Who alone may resume: `owner`, or `guest:<id>`; null until a client of an earlier version comes back. */
  holder: string | null;
  saved: unknown;
  /** The colour of its person. */
  colour: number | undefined;
  connection: ClientConnection | undefined;
  expiry: NodeJS.Timeout | undefined;
}

interface ClientSlotsOptions {
  readonly session: SessionId;
  readonly rows: ClientRows;
  readonly nextId: () => ClientId;
  /** The owner's last layout of the last run is kept, and is that of the owner's next new client. */
  readonly keepsLayout?: boolean;
  /** Called when the client of an id is gone for good. */
  readonly onRemoved: (id: ClientId) => void;
}

/** Place of the owner for whom the relay executes commands. */
const RELAY_PLACE = "relay";
/** Place of the owner's layout that waits for a client. */
const LAYOUT_PLACE = "last layout";
/** Prefix of the places in the store of clients without a fixed place. */
const TOKEN_PLACE = "seat ";
/** Holder of the clients of the session's owner. */
const OWNER = "owner";

/** The slots of a session's clients: gives them ids and resume tokens, keeps their saved states, and bounds their number. */
export class ClientSlots implements Disposable {
  readonly #options: ClientSlotsOptions;
  /** Those that left are in the order in which they did. */
  readonly #slots = new Map<ClientId, ClientSlot>();
  readonly #known: ReadonlySet<ClientId>;

  /** Restores the slots of the last run. Their clients may resume for as long as if they had disconnected now. */
  constructor(options: ClientSlotsOptions) {
    this.#options = options;
    const rows = options.rows.list(options.session);
    this.#known = new Set(rows.map(({ id }) => id));
    for (const { place, id, state: saved, holder } of rows) {
      if (!place.startsWith(TOKEN_PLACE)) continue;
      this.#expire(this.#add({ id, token: "", place: undefined, storeKey: place, holder, saved }));
    }
    this.#keepLayout(rows);
  }

  /** Has the saved states of clients that are not connected show a shell in the place of another. */
  replaceShell(old: ShellId, next: ShellId): void {
    const { rows, session } = this.#options;
    for (const { place, ...row } of rows.list(session)) {
      const slot = this.#slots.get(row.id);
      // A connected client changes its own state.
      const state = slot?.connection === undefined ? restoreState(row.state) : undefined;
      if (state === undefined) continue;
      const tiles = Object.entries(state.tiles).map(([key, tile]) =>
        (tile.type === "shell" || tile.type === "peek") && tile.id === old ? [key, { ...tile, id: next }] : [key, tile],
      );
      const saved = { ...state, tiles: Object.fromEntries(tiles) };
      if (slot !== undefined) slot.saved = saved;
      rows.put(session, place, { ...row, state: saved });
    }
  }

  get(id: ClientId): ClientSlot | undefined {
    return this.#slots.get(id);
  }

  /** Returns whether a client of the last run has a place. */
  isKnown(id: ClientId): boolean {
    return this.#known.has(id);
  }

  /** Returns the slots of a guest, connected or not. */
  ofGuest(guest: string): ClientSlot[] {
    return this.#heldBy(holderOf({ guest }));
  }

  /** Returns the client id under which the relay executes commands for the owner; the same after a restart. */
  relayId(): ClientId {
    return this.#rowOf(RELAY_PLACE, OWNER).id;
  }

  /**
   * Returns the slot of a fixed place, the one of a resume token if it was given to the same person, or a new one.
   *
   * @throws RemoteError `limit_reached`
   */
  take(token: string | undefined, identity: Identity, { connected }: { connected: number }): ClientSlot {
    const found = this.#find(token, identity);
    // The owner's layout is back with its own client.
    if (found?.holder === OWNER && found.place === undefined && this.#options.keepsLayout === true) {
      this.#options.rows.remove(this.#options.session, LAYOUT_PLACE);
    }
    const slot = found ?? this.#new(identity, connected);
    clearTimeout(slot.expiry);
    slot.expiry = undefined;
    return slot;
  }

  /** Reserves the slot of a client that has disconnected, for a while. */
  left(slot: ClientSlot): void {
    this.#slots.delete(slot.id);
    this.#slots.set(slot.id, slot);
    this.#expire(slot);
  }

  remove(slot: ClientSlot): void {
    const { rows, session, onRemoved } = this.#options;
    clearTimeout(slot.expiry);
    this.#slots.delete(slot.id);
    if (slot.place === undefined) rows.remove(session, slot.storeKey);
    onRemoved(slot.id);
  }

  /** @throws RemoteError `limit_reached` for a state of a guest's client that is too large to be kept */
  checkState({ connection }: ClientSlot, saved: unknown): void {
    if (connection?.guest === undefined || (JSON.stringify(saved) ?? "").length <= limits.guestStateLength) return;
    throw new RemoteError("limit_reached", "A guest's layout of this size is not kept: close tiles or workspaces.");
  }

  save({ id, storeKey, holder, saved }: ClientSlot): void {
    this.#options.rows.put(this.#options.session, storeKey, { id, state: saved, holder });
  }

  [Symbol.dispose](): void {
    for (const { expiry } of this.#slots.values()) clearTimeout(expiry);
  }

  #find(token: string | undefined, identity: Identity): ClientSlot | undefined {
    const { place } = identity;
    const holder = holderOf(identity);
    const storeKey = place ?? (token === undefined ? undefined : tokenPlace(token));
    for (const slot of this.#slots.values()) {
      if (slot.storeKey !== storeKey) continue;
      if (place !== undefined) return slot;
      if (slot.holder !== null && slot.holder !== holder) return undefined;
      slot.holder = holder;
      slot.token = token ?? slot.token;
      return slot;
    }
    return undefined;
  }

  #new(identity: Identity, connected: number): ClientSlot {
    const { place } = identity;
    const holder = holderOf(identity);
    // The client of this process is the owner's own, and is always let in.
    if (place === undefined && connected >= limits.clientsPerSession) {
      throw new RemoteError("limit_reached", `A session holds at most ${limits.clientsPerSession} clients.`);
    }
    if (identity.guest !== undefined) this.#makeRoom(holder);
    const token = randomBytes(24).toString("base64url");
    const storeKey = place ?? tokenPlace(token);
    const { id, state: saved } = this.#rowOf(storeKey, holder);
    return this.#add({ id, token, place, storeKey, holder, saved: saved ?? this.#takeLayout(identity) });
  }

  /** Keeps the layout that the owner saved last in a browser, of which no client may come back in time. */
  #keepLayout(rows: readonly (ClientRow & { readonly place: string })[]): void {
    const { session, keepsLayout = false } = this.#options;
    const last = rows.findLast(
      ({ place, holder, state }) => place.startsWith(TOKEN_PLACE) && holder === OWNER && hasTiles(state),
    );
    if (!keepsLayout) this.#options.rows.remove(session, LAYOUT_PLACE);
    else if (last !== undefined) {
      this.#options.rows.put(session, LAYOUT_PLACE, { id: this.relayId(), state: last.state, holder: OWNER });
    }
  }

  /** Takes the layout of the last run, for the owner's first client that has none of its own: after a restart of the machine. */
  #takeLayout({ guest, place }: Identity): unknown {
    const { rows, session, keepsLayout = false } = this.#options;
    if (!keepsLayout || guest !== undefined || place !== undefined) return undefined;
    const kept = rows.get(session, LAYOUT_PLACE)?.state;
    if (kept !== undefined) rows.remove(session, LAYOUT_PLACE);
    return kept;
  }

  /** Frees a slot of a guest who has as many as a guest may have: that of the tab that was closed first. */
  #makeRoom(holder: string): void {
    const held = this.#heldBy(holder);
    if (held.length < limits.clientsPerGuest) return;
    const oldest = held.find(({ connection }) => connection === undefined);
    if (oldest === undefined) {
      throw new RemoteError(
        "limit_reached",
        `A guest has at most ${limits.clientsPerGuest} tabs open in a session: close one and reload.`,
      );
    }
    this.remove(oldest);
  }

  #heldBy(holder: string): ClientSlot[] {
    return [...this.#slots.values()].filter((slot) => slot.holder === holder);
  }

  /** Returns the row of a place in the store; a new place gets a new client id. */
  #rowOf(storeKey: string, holder: string): ClientRow {
    const { rows, session, nextId } = this.#options;
    const known = rows.get(session, storeKey);
    if (known !== undefined) return known;
    const added = { id: nextId(), state: undefined, holder };
    rows.put(session, storeKey, added);
    return added;
  }

  #add(known: Omit<ClientSlot, "colour" | "connection" | "expiry">): ClientSlot {
    const slot: ClientSlot = { ...known, colour: undefined, connection: undefined, expiry: undefined };
    this.#slots.set(slot.id, slot);
    return slot;
  }

  #expire(slot: ClientSlot): void {
    slot.expiry = setTimeout(() => this.remove(slot), RESUME_WINDOW_MS);
    slot.expiry.unref();
  }
}

function hasTiles(saved: unknown): boolean {
  return Object.keys(restoreState(saved)?.tiles ?? {}).length > 0;
}

function tokenPlace(token: string): string {
  return TOKEN_PLACE + digestOf(token);
}

/** Returns who may resume the clients of an identity. */
function holderOf({ guest }: Pick<Identity, "guest">): string {
  return guest === undefined ? OWNER : `guest:${guest}`;
}
