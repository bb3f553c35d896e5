import type { SessionId } from "../core/protocol/ids.ts";
import type { MachineRef } from "../core/protocol/machines.ts";
import type { OtherMachine, OtherMachines } from "../core/protocol/other-machines.ts";
import type { MachineOpening } from "./open-session.ts";

/** A relay of another machine, as windows use it. */
export interface Machine extends OtherMachine {
  readonly ref: MachineRef;
  /** Names the machine's key in the keychain and the places of its windows; a remote keeps it when it is renamed. */
  readonly id: string;
  /** Base address below which a browser finds its sessions. */
  readonly url: string;
  /** When it was last heard of (ISO 8601). */
  readonly lastSeen: string;
  hasKey(): Promise<boolean>;
  /**
   * Finds a session of the machine by its id or name. Needs the key where only the machine knows its sessions.
   *
   * @throws RemoteError where there is none, and while the machine is away
   */
  findSession(wanted: string): Promise<{ readonly id: SessionId; readonly name: string }>;
  /** Connects with the machine's key. Rejects with an Error for the user while the machine is away. */
  connect(session: SessionId): Promise<MachineOpening>;
}

/** The machines whose sessions this app shows. */
export interface Machines extends OtherMachines {
  find(ref: MachineRef): Machine | undefined;
  /** Returns the remote of a name, else the relay of the fleet; undefined for neither. */
  named(name: string): Machine | undefined;
}
