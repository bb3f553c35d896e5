import type { AskResult } from "../../../core/commands/asked.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import { hasScreen } from "../../../core/protocol/headless.ts";
import type { ClientId } from "../../../core/protocol/ids.ts";
import {
  ROLE_REFUSED_PAUSE_MS,
  ROLE_REQUEST_PAUSE_MS,
  ROLE_REQUEST_TIMEOUT_MS,
} from "../../../core/protocol/limits.ts";
import type { ClientRecord, Role, RoleRequest } from "../../../core/protocol/records.ts";
import { Requests } from "./requests.ts";
import type { SessionState } from "./session-state.ts";
import { type ShellUser, senderOf } from "./shell-user.ts";

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

/** Requests of people who can only watch for the right to type. */
export class RoleRequests implements Disposable {
  readonly #options: RoleRequestsOptions;
  readonly #now: () => number;
  /** By the credential of the one who asks. */
  readonly #requests: Requests<RoleRequest, string, "allowed" | "denied" | "withdrawn">;
  /** When each person may ask again. */
  readonly #pauses = new Map<string, number>();

  constructor(options: RoleRequestsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    const { state } = options;
    this.#requests = new Requests({
      unknown: (id) => `No request ${id} to type is open: it was answered, or the person has left.`,
      opened(request) {
        const { clientId, ...who } = request.from;
        state.apply({ kind: "role-request", request });
        state.emit({ type: "role.requested", data: { request: request.id, from: clientId, ...who, role: "writer" } });
      },
      closed({ id, from, role }, outcome) {
        state.apply({ kind: "role-request-gone", id });
        state.emit({ type: "role.answered", data: { request: id, from: from.clientId, role, outcome } });
      },
    });
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
    const { id, expiresAt } = this.#of(connection) ?? this.#start(connection, user);
    return { request: id, expiresAt, hosts: this.#hosts(user.id) };
  }

  /** Answers a request. Throws `unknown_request` for one that is no longer open. */
  answer(id: number, allow: boolean): AskResult<"answerRoleRequest"> {
    const { request, asker } = this.#requests.get(id);
    // The change of the role closes the request. The tab that asked may be closed, and another of the same person be open.
    const client = this.#options.clients().connected.find(({ credential }) => credential === asker);
    if (allow) this.#options.clients().changeRole(client?.id ?? request.from.clientId, request.role);
    else {
      this.#pauses.set(asker, this.#now() + ROLE_REFUSED_PAUSE_MS);
      this.#requests.close(id, "denied");
    }
    return { allowed: allow };
  }

  /** Closes the request of a person whose role has changed, by an answer or otherwise. */
  roleChanged(client: Connected): void {
    const request = this.#of(client);
    if (request !== undefined && client.record.role !== "reader") this.#requests.close(request.id, "allowed");
  }

  /** Withdraws the request of a person of whom no client is connected any more. */
  left(client: Connected): void {
    const request = this.#of(client);
    const stays = this.#options.clients().connected.some(({ credential }) => credential === client.credential);
    if (request !== undefined && !stays) this.#requests.close(request.id, "withdrawn");
  }

  [Symbol.dispose](): void {
    this.#requests[Symbol.dispose]();
  }

  #start({ credential }: Connected, user: ShellUser): RoleRequest {
    const now = this.#now();
    for (const [person, until] of this.#pauses) if (until <= now) this.#pauses.delete(person);
    const until = this.#pauses.get(credential);
    if (until !== undefined) {
      throw new RemoteError(
        "too_many_requests",
        `You asked to type a short while ago: ask again in ${formatSeconds(until - now)}.`,
      );
    }
    this.#pauses.set(credential, now + ROLE_REQUEST_PAUSE_MS);
    const make = (id: number, expiresAt: string) => ({ id, from: senderOf(user), role: "writer" as const, expiresAt });
    return this.#requests.open(credential, make, ROLE_REQUEST_TIMEOUT_MS);
  }

  #of({ credential }: Connected): RoleRequest | undefined {
    return this.#requests.find(({ asker }) => asker === credential);
  }

  /** Number of connected clients of the session's owner at which a person can answer. */
  #hosts(asking: ClientId): number {
    const { connected } = this.#options.clients();
    return connected.filter(
      ({ id, record, isGuest }) => id !== asking && record.role === "admin" && !isGuest && hasScreen(record),
    ).length;
  }
}
