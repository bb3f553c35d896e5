import { RemoteError } from "./errors.ts";
import type { Role, Shell } from "./records.ts";

const rank = { reader: 0, writer: 1, admin: 2 } as const satisfies Record<Role, number>;

/** Reports whether a role is lower than the one needed. */
export function roleForbids(needed: Role, has: Role): boolean {
  return rank[has] < rank[needed];
}

/** Returns the lower of two roles. */
export function lesserRole(one: Role, other: Role): Role {
  return rank[one] <= rank[other] ? one : other;
}

/** Reports whether a client may end a shell, remove it or run it again: its own, and an admin every one. */
export function mayEnd(
  { ownerClientId }: Pick<Shell, "ownerClientId">,
  { id, role }: { readonly id: number; readonly role: Role },
): boolean {
  return role === "admin" || ownerClientId === id;
}

/** @throws RemoteError `role_forbids` if the client's role is lower than the one needed */
export function checkRole(what: string, needed: Role, has: Role): void {
  if (!roleForbids(needed, has)) return;
  throw new RemoteError("role_forbids", `${what} needs the role ${needed}, and the executing client is a ${has}.`);
}
