import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId } from "../../../core/protocol/ids.ts";
import type { ClientKind } from "../../../core/protocol/records.ts";

export interface Candidate {
  readonly id: ClientId;
  readonly name: string;
  readonly clientKind: ClientKind;
  readonly device: string;
  /** When it last did something by itself, in milliseconds of any one clock. */
  readonly lastActive: number;
}

/** A candidate that says whether it joined by an invite, and is not a client of the session's owner. */
export interface ExecutorCandidate extends Candidate {
  readonly guest: boolean;
}

/** Who executes a command: a client on its screen, or the relay in a client's name or, without one, in that of the session's owner. */
export interface Executor<T> {
  readonly by: "client" | "relay";
  readonly client: T | undefined;
}

interface ExecutorChoice extends ClientChoice {
  /** Whether the command reads or changes its client's screen. */
  readonly onScreen: boolean;
  /** The client of the guest whose shell calls; undefined or null for every other caller. */
  readonly callingGuest: ClientId | null | undefined;
}

interface ClientChoice {
  readonly explicit: number | undefined;
  /** The client that owns the shell from which the call comes. */
  readonly shellOwner: ClientId | undefined;
  readonly scope: "client" | "session";
  /** How the caller would name a client. */
  readonly chooseBy: string;
}

/**
 * Chooses the client that executes a command by the routing order of docs/decisions/0002. At least one client must be
 * connected. Throws `unknown_client` if the named client is not connected, and `ambiguous_client` if several could serve.
 */
export function chooseClient<T extends Candidate>(
  connected: readonly T[],
  { explicit, shellOwner, scope, chooseBy }: ClientChoice,
): T {
  if (explicit !== undefined) return connected.find(({ id }) => id === explicit) ?? unknownClient(explicit, connected);
  const owner = connected.find(({ id }) => id === shellOwner);
  if (owner !== undefined) return owner;
  const [first, ...others] = connected;
  if (first === undefined) throw new RemoteError("no_client", "No client is connected to the session.");
  if (others.length === 0) return first;
  if (scope === "session")
    return connected.find(({ clientKind }) => clientKind === "desktop") ?? mostRecent(first, others);
  throw new RemoteError(
    "ambiguous_client",
    `Several clients are connected: choose one with ${chooseBy}.\n${connected.map(line).join("\n")}`,
  );
}

/**
 * Chooses who executes a command (docs/decisions/0002, 0022 and 0047): the relay, what needs no screen. A guest's client is
 * chosen only for what happens on that guest's own screen; the session's commands are executed in the name of a client of
 * the owner, else of the owner. At least one client must be connected. Throws as `chooseClient` does.
 */
export function chooseExecutor<T extends ExecutorCandidate>(
  connected: readonly T[],
  { onScreen, callingGuest, ...choice }: ExecutorChoice,
): Executor<T> {
  const { explicit, shellOwner, scope } = choice;
  const by = (client: T): Executor<T> => ({ by: onScreen ? "client" : "relay", client });
  if (explicit !== undefined || scope === "client") return by(chooseClient(connected, choice));
  const caller = connected.find(({ id }) => id === callingGuest);
  if (caller !== undefined && caller.id === shellOwner) return by(caller);
  const own = connected.filter(({ guest }) => !guest);
  if (own.length > 0) return by(chooseClient(own, choice));
  return { by: "relay", client: onScreen && connected.length === 1 ? connected[0] : undefined };
}

function unknownClient(id: number, connected: readonly Candidate[]): never {
  const ids = connected.map((client) => client.id).join(", ");
  throw new RemoteError("unknown_client", `Client ${id} is not connected. Connected: ${ids === "" ? "none" : ids}.`);
}

function mostRecent<T extends Candidate>(first: T, others: readonly T[]): T {
  return others.reduce((best, client) => (client.lastActive > best.lastActive ? client : best), first);
}

function line({ id, name, clientKind, device }: Candidate): string {
  return `${id} ${name} ${clientKind} ${device}`;
}
