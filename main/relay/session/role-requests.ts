import type { AskResult } from "../../../core/commands/asked.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import { hasScreen } from "../../../core/protocol/headless.ts";
import type { ClientId } from "../../../core/protocol/ids.ts";
import {
  ROLE_REFUSED_PAUSE_MS,
  ROLE_REQUEST_PAUSE_MS,
  ROLE_REQUEST_TIMEOUT_MS,
} from "../../../core/protocol/limits.ts";
import type { ClientRecord, Role } from "../../../core/protocol/records.ts";
import type { SessionState } from "./session-state.ts";
import { type ShellUser, senderOf } from "./shells.ts";

/** A connected client as far as requests care. */
interface Connected {
  readonly id: ClientId;
  /** What it has in common with all other clients of the same person. */
  readonly credential: string;
  readonly isGuest: boolean;
  readonly record: Pick<ClientRecord, "role" | "clientKind" | "device">;
}

interface ConnectedClients {
  readonly connected: readonly Connected[];
  get(id: ClientId): Connected | undefined;
  changeRole(id: ClientId, role: Role): boolean;
}

interface RoleRequestsOptions {
  readonly state: SessionState;
  readonly clients: () => ConnectedClients;
  /** Milliseconds of a clock that only moves forward. */
  readonly now?: () => number;
}

interface OpenRequest {
  /** The credential of the one who asks. */
  readonly person: string;
  readonly timer: NodeJS.Timeout;
}

type Outcome = (RelayEvent & { type: "role.answered" })["data"]["outcome"];

/** Requests of people who can only watch for the right to type. */
export class RoleRequests implements Disposable {
  readonly #options: RoleRequestsOptions;
  readonly #now: () => number;
  readonly #open = new Map<number, OpenRequest>();
  /** When each person may ask again. */
  readonly #pauses = new Map<string, number>();
  #nextId = 1;

  constructor(options: RoleRequestsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Returns the person's open request, or opens one. Throws `invalid_request` and `too_many_requests`. */
  ask(user: ShellUser): AskResult<"askToType"> {
    const connection = this.#options.clients().get(user.id);
    if (connection === undefined || user.role !== "reader") {
      throw new RemoteError(
        "invalid_request",
        "This client has no need to ask: only a connected client that cannot type may.",
      );
    }
    const person = connection.credential;
    const id = this.#of(person) ?? this.#start(connection, user);
    const request = this.#record(id);
    return { request: id, expiresAt: request?.expiresAt ?? new Date().toISOString(), hosts: this.#hosts(user.id) };
  }

  /** Answers a request. Throws `unknown_request` for one that is no longer open. */
  answer(id: number, allow: boolean): AskResult<"answerRoleRequest"> {
    const request = this.#record(id);
    if (request === undefined) {
      throw new RemoteError(
        "unknown_request",
        `No request ${id} to type is open: it was answered, or the person has left.`,
      );
    }
    if (!allow) this.#close(id, "denied");
    // The change of the role closes the request.
    else this.#options.clients().changeRole(request.from.clientId, request.role);
    return { allowed: allow };
  }

  /** Closes the request of a person whose role has changed, by an answer or otherwise. */
  roleChanged({ credential, record }: Connected): void {
    const id = this.#of(credential);
    if (id !== undefined && record.role !== "reader") this.#close(id, "allowed");
  }

  /** Withdraws the request of a person of whom no client is connected any more. */
  left({ credential }: Connected): void {
    const id = this.#of(credential);
    if (id === undefined || this.#options.clients().connected.some((other) => other.credential === credential)) return;
    this.#close(id, "withdrawn");
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer);
    this.#open.clear();
  }

  #start({ credential }: Connected, user: ShellUser): number {
    const now = this.#now();
    for (const [person, until] of this.#pauses) if (until <= now) this.#pauses.delete(person);
    const until = this.#pauses.get(credential);
    if (until !== undefined) {
      throw new RemoteError(
        "too_many_requests",
        `You asked to type a short while ago: ask again in ${formatSeconds(until - now)}.`,
      );
    }
    const { state } = this.#options;
    const id = this.#nextId++;
    const timer = setTimeout(() => this.#close(id, "expired"), ROLE_REQUEST_TIMEOUT_MS);
    timer.unref();
    this.#open.set(id, { person: credential, timer });
    this.#pauses.set(credential, now + ROLE_REQUEST_PAUSE_MS);
    const expiresAt = new Date(Date.now() + ROLE_REQUEST_TIMEOUT_MS).toISOString();
    const from = senderOf(user);
    const { clientId, ...who } = from;
    state.apply({ kind: "role-request", request: { id, from, role: "writer", expiresAt } });
    state.emit({ type: "role.requested", data: { request: id, from: clientId, ...who, role: "writer" } });
    return id;
  }

  #close(id: number, outcome: Outcome): void {
    const { state } = this.#options;
    const request = this.#record(id);
    const open = this.#open.get(id);
    if (request === undefined || open === undefined) return;
    clearTimeout(open.timer);
    this.#open.delete(id);
    if (outcome === "denied") this.#pauses.set(open.person, this.#now() + ROLE_REFUSED_PAUSE_MS);
    state.apply({ kind: "role-request-gone", id });
    state.emit({
      type: "role.answered",
      data: { request: id, from: request.from.clientId, role: request.role, outcome },
    });
  }

  #of(person: string): number | undefined {
    for (const [id, open] of this.#open) if (open.person === person) return id;
    return undefined;
  }

  #record(id: number) {
    return this.#options.state.now.roleRequests.find((request) => request.id === id);
  }

  /** Number of connected clients of the session's owner at which a person can answer. */
  #hosts(asking: ClientId): number {
    const { connected } = this.#options.clients();
    return connected.filter(
      ({ id, record, isGuest }) => id !== asking && record.role === "admin" && !isGuest && hasScreen(record),
    ).length;
  }
}
