import { z } from "zod";
import { RemoteError } from "../../protocol/errors.ts";
import { givenName } from "../../protocol/given-name.ts";
import { limits } from "../../protocol/limits.ts";
import type { ClientState } from "../../state/client-state.ts";

export const workspaceName = givenName(limits.tileNameLength);

/** Zero-based index of a workspace, as a parameter. */
export const workspaceIndex = z.int().min(0).describe("index of the workspace, counted from 0");

/** @throws RemoteError `unknown_workspace` if no workspace has this index */
export function checkWorkspaceIndex(state: ClientState, index: number): void {
  const { length } = state.workspaces;
  if (index < length) return;
  const known = length === 1 ? "There is only workspace 0" : `There are workspaces 0 to ${length - 1}`;
  throw new RemoteError("unknown_workspace", `No workspace ${index}. ${known}.`);
}

/**
 * Returns the index of the only workspace with this name.
 * @throws RemoteError `unknown_workspace`, or `invalid_request` if several workspaces have the name
 */
export function findWorkspaceByName({ workspaces }: ClientState, name: string): number {
  const found = workspaces.flatMap((workspace, index) => (workspace.name === name ? [index] : []));
  const [only, ...others] = found;
  const shown = JSON.stringify(name);
  if (only === undefined) {
    const known = workspaces.slice(0, 20).map((workspace, index) => `${index} ${workspace.name}`);
    throw new RemoteError("unknown_workspace", `No workspace is called ${shown}. There are: ${known.join(", ")}.`);
  }
  if (others.length === 0) return only;
  throw new RemoteError("invalid_request", `Workspaces ${found.join(", ")} are called ${shown}: give an index.`);
}
