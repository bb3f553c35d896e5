import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId } from "../../../core/protocol/ids.ts";
import type { Role, Shell } from "../../../core/protocol/records.ts";
import { mayEnd } from "../../../core/protocol/roles.ts";

/** A client as far as shells care. */
export interface ShellUser {
  readonly id: ClientId;
  readonly name: string;
  readonly role: Role;
  /** Set for a guest, whose name is the guest's own choice. */
  readonly guest?: true | undefined;
}

/** Returns how others see who sent a message or a request. */
export function senderOf({ id, name, guest }: ShellUser): { clientId: ClientId; name: string; guest?: true } {
  return { clientId: id, name, ...(guest === undefined ? {} : { guest }) };
}

/** Returns a shell if the client may end it, as a part of an action. Throws `not_your_shell`. */
export function endableBy(user: ShellUser, shell: Shell, action: "end it" | "run it again"): Shell {
  if (mayEnd(shell, user)) return shell;
  const whose = shell.ownerClientId === null ? "nobody's" : `client ${shell.ownerClientId}'s`;
  throw new RemoteError("not_your_shell", `Shell ${shell.id} is ${whose}: only an admin may ${action}.`);
}
