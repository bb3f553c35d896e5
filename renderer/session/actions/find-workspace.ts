import type { Workspace } from "../../../core/layout/layout.ts";
import type { ClientState } from "../../../core/state/client-state.ts";

/**
 * Finds a workspace again after the user was asked about it, by its name and its tiles: its index may be that of another one
 * by then. Returns its index, or -1 if it is gone.
 */
export function findWorkspace({ workspaces }: Pick<ClientState, "workspaces">, before: Workspace): number {
  const same = workspaces.indexOf(before);
  if (same !== -1) return same;
  // One that had no tile may have got its first.
  return workspaces.findIndex(
    ({ name, recent }) =>
      name === before.name && (before.recent.length === 0 || recent.some((key) => before.recent.includes(key))),
  );
}
