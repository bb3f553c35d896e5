import type { AskResult } from "../../../core/commands/asked.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId, ShellId } from "../../../core/protocol/ids.ts";
import { ADOPT_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import type { AdoptRequest } from "../../../core/protocol/records.ts";
import type { OpResult } from "../../../core/protocol/relay-ops.ts";
import { Requests } from "./requests.ts";
import type { SessionState } from "./session-state.ts";
import { type ShellUser, senderOf } from "./shell-user.ts";
import type { SessionShells } from "./shells.ts";

interface AdoptRequestsOptions {
  readonly state: SessionState;
  readonly shells: SessionShells;
  /** Notifies a client that it owns a shell now, so that it shows it. */
  readonly adopted: (client: ClientId, shell: ShellId, focus: boolean) => void;
}

interface Asker {
  readonly user: ShellUser;
  /** The tile of the shell is to get the focus. */
  readonly focus: boolean;
}

/** Requests to adopt a shell: admins adopt directly, writers ask the owner (docs/specification.md §5). */
export class AdoptRequests implements Disposable {
  readonly #options: AdoptRequestsOptions;
  readonly #requests: Requests<AdoptRequest, Asker, "allowed" | "denied">;

  constructor(options: AdoptRequestsOptions) {
    this.#options = options;
    const { state } = options;
    this.#requests = new Requests({
      unknown: (id) => `No request ${id} is open: it was answered, or it lapsed.`,
      opened(request) {
        const { id, shellId, from, to } = request;
        state.apply({ kind: "adopt-request", request });
        state.emit({ type: "adopt.requested", data: { request: id, shellId, from: from.clientId, to } });
      },
      closed({ id, shellId, from }, outcome) {
        state.apply({ kind: "adopt-request-gone", id });
        state.emit({ type: "adopt.answered", data: { shellId, from: from.clientId, outcome } });
      },
    });
  }

  adopt(user: ShellUser, id: ShellId, focus = true): OpResult<"adoptShell"> {
    const { shells } = this.#options;
    const { ownerClientId } = shells.get(id);
    const free = ownerClientId === null || ownerClientId === user.id;
    if (!free && user.role !== "admin") return this.#request({ user, focus }, id, ownerClientId);
    if (ownerClientId !== user.id) shells.setOwner(id, user);
    // The owner of before can answer no more: the others have to ask the new one.
    this.#expire(({ shellId, to }) => shellId === id && to !== user.id);
    return { status: "adopted" };
  }

  /** Answers a request, as the owner of the shell or as an admin. */
  answer(user: ShellUser, id: number, allow: boolean): AskResult<"answerAdopt"> {
    const {
      request: { shellId },
      asker: { user: asker, focus },
    } = this.#requests.get(id);
    const owner = this.#options.shells.get(shellId).ownerClientId;
    if (user.role !== "admin" && owner !== user.id) {
      throw new RemoteError("not_your_shell", `Shell ${shellId} is not this client's: only its owner may answer.`);
    }
    if (allow) this.#options.shells.setOwner(shellId, asker);
    this.#requests.close(id, allow ? "allowed" : "denied");
    if (!allow) return { allowed: allow };
    this.#expire((other) => other.shellId === shellId && other.to !== asker.id);
    this.#options.adopted(asker.id, shellId, focus);
    return { allowed: allow };
  }

  /** Closes the requests for a shell that no longer exists. */
  expireFor(shell: ShellId): void {
    this.#expire(({ shellId }) => shellId === shell);
  }

  /** Closes the requests of a client that has left for good or may no longer adopt. */
  expireFrom(client: ClientId): void {
    this.#expire(({ from }) => from.clientId === client);
  }

  [Symbol.dispose](): void {
    this.#requests[Symbol.dispose]();
  }

  #expire(isOver: (request: AdoptRequest) => boolean): void {
    for (const { request } of this.#requests.list()) if (isOver(request)) this.#requests.close(request.id, "expired");
  }

  #request(asker: Asker, shellId: ShellId, to: ClientId): OpResult<"adoptShell"> {
    const { user } = asker;
    const open = this.#requests.find((other) => other.request.shellId === shellId && other.asker.user.id === user.id);
    const make = (id: number, expiresAt: string) => ({ id, shellId, from: senderOf(user), to, expiresAt });
    const { id, to: ownerClientId } = open ?? this.#requests.open(asker, make, ADOPT_TIMEOUT_MS);
    return { status: "requested", request: id, ownerClientId };
  }
}
