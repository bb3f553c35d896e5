import type { AskResult } from "../../../core/commands/asked.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId, ShellId } from "../../../core/protocol/ids.ts";
import { ADOPT_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import type { OpResult } from "../../../core/protocol/relay-ops.ts";
import type { SessionState } from "./session-state.ts";
import { type SessionShells, type ShellUser, senderOf } from "./shells.ts";

interface AdoptRequestsOptions {
  readonly state: SessionState;
  readonly shells: SessionShells;
  /** Notifies a client that it owns a shell now, so that it shows it. */
  readonly adopted: (client: ClientId, shell: ShellId) => void;
  readonly isConnected: (client: ClientId) => boolean;
}

/** Requests to adopt a shell: admins adopt directly, writers ask the owner (docs/specification.md §5). */
export class AdoptRequests implements Disposable {
  readonly #options: AdoptRequestsOptions;
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #requesters = new Map<number, ShellUser>();
  #nextId = 1;

  constructor(options: AdoptRequestsOptions) {
    this.#options = options;
  }

  adopt(user: ShellUser, id: ShellId): OpResult<"adoptShell"> {
    const { shells, isConnected } = this.#options;
    const { ownerClientId } = shells.get(id);
    const free = ownerClientId === null || ownerClientId === user.id;
    if (!free && user.role !== "admin") return this.#request(user, id, ownerClientId);
    if (ownerClientId !== user.id) shells.setOwner(id, user);
    for (const request of this.#options.state.now.adoptRequests) {
      if (request.shellId === id && !isConnected(request.to)) this.#close(request.id, "expired");
    }
    return { status: "adopted" };
  }

  /** Answers a request, as the owner of the shell or as an admin. */
  answer(user: ShellUser, requestId: number, allow: boolean): AskResult<"answerAdopt"> {
    const request = this.#options.state.now.adoptRequests.find(({ id }) => id === requestId);
    const requester = this.#requesters.get(requestId);
    if (request === undefined || requester === undefined) {
      throw new RemoteError("unknown_request", `No request ${requestId} is open: it was answered, or it lapsed.`);
    }
    const owner = this.#options.shells.get(request.shellId).ownerClientId;
    if (user.role !== "admin" && owner !== user.id) {
      throw new RemoteError(
        "not_your_shell",
        `Shell ${request.shellId} is not this client's: only its owner may answer.`,
      );
    }
    if (allow) this.#options.shells.setOwner(request.shellId, requester);
    this.#close(requestId, allow ? "allowed" : "denied");
    if (allow) this.#options.adopted(requester.id, request.shellId);
    return { allowed: allow };
  }

  /** Closes the requests for a shell that no longer exists. */
  expireFor(shell: ShellId): void {
    for (const { id, shellId } of this.#options.state.now.adoptRequests)
      if (shellId === shell) this.#close(id, "expired");
  }

  /** Closes the requests of a client that has left for good or may no longer adopt. */
  expireFrom(client: ClientId): void {
    for (const { id, from } of this.#options.state.now.adoptRequests)
      if (from.clientId === client) this.#close(id, "expired");
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #request(user: ShellUser, shellId: ShellId, to: ClientId): OpResult<"adoptShell"> {
    const { state } = this.#options;
    const open = state.now.adoptRequests.find(
      (request) => request.shellId === shellId && request.from.clientId === user.id,
    );
    if (open !== undefined) return { status: "requested", request: open.id, ownerClientId: open.to };
    const id = this.#nextId++;
    const timer = setTimeout(() => this.#close(id, "expired"), ADOPT_TIMEOUT_MS);
    this.#timers.set(id, timer);
    this.#requesters.set(id, user);
    state.apply({
      kind: "adopt-request",
      request: {
        id,
        shellId,
        from: senderOf(user),
        to,
        expiresAt: new Date(Date.now() + ADOPT_TIMEOUT_MS).toISOString(),
      },
    });
    state.emit({ type: "adopt.requested", data: { request: id, shellId, from: user.id, to } });
    return { status: "requested", request: id, ownerClientId: to };
  }

  #close(id: number, outcome: "allowed" | "denied" | "expired"): void {
    const { state } = this.#options;
    const request = state.now.adoptRequests.find((candidate) => candidate.id === id);
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#requesters.delete(id);
    if (request === undefined) return;
    state.apply({ kind: "adopt-request-gone", id });
    state.emit({
      type: "adopt.answered",
      data: { shellId: request.shellId, from: request.from.clientId, outcome },
    });
  }
}
