import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/**
 * The relay of the fleet that passed a request on. In such a request the digest of each credential stands in its place,
 * after the fleet has checked that the caller has the credential.
 */
export interface FleetPeer {
  /** Name of the relay. */
  readonly name: string;
}

/** Returns the address that a request of the fleet comes from, in place of one of the network. */
export function addressOf(peer: FleetPeer): string {
  return `fleet ${peer.name}`;
}

/** A relay cannot join a fleet, or the files of one cannot be written; the message is for the user. */
export class FleetError extends Error {
  override readonly name = "FleetError";
}

const peers = new WeakMap<Duplex, FleetPeer>();

/** Marks a connection of this process as one that carries requests of another relay. */
export function markFleetPeer(socket: Duplex, peer: FleetPeer): void {
  peers.set(socket, peer);
}

/** Returns the relay that passed a request on; undefined for a request of any other caller. */
export function fleetPeerOf({ socket }: Pick<IncomingMessage, "socket">): FleetPeer | undefined {
  return peers.get(socket);
}
