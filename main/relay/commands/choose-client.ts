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

export interface ClientChoice {
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
