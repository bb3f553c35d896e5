import type { Workspace } from "../../../core/layout/layout.ts";
import type { ClientState } from "../../../core/state/client-state.ts";

/**
 * Finds a workspace again after the user was asked about it, by its name and its tiles: its index may be that of another one
 * by then. Returns its index, or -1 if it is gone.
 *
 * @param known all workspaces as they were when the user was asked: several may have one name
 */
export function findWorkspace(
  { workspaces }: Pick<ClientState, "workspaces">,
  before: Workspace,
  known: readonly Workspace[],
): number {
  const same = workspaces.indexOf(before);
  if (same !== -1) return same;
  const isIt = (one: Workspace) => {
    if (before.recent.length > 0) return sharesTile(one, before);
    // One that had no tile may have got its first, which no other one had.
    return !known.includes(one) && !known.some((other) => sharesTile(one, other));
  };
  return workspaces.findIndex((one) => one.name === before.name && isIt(one));
}

function sharesTile({ recent }: Workspace, other: Workspace): boolean {
  return recent.some((key) => other.recent.includes(key));
}
