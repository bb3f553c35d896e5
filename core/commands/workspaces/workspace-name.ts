import { z } from "zod";
import { RemoteError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { ClientState } from "../../state/client-state.ts";

export const workspaceName = z.string().min(1).max(limits.tileNameLength);

/** Position of a workspace, counted from 0, as the commands take it. */
export const workspaceIndex = z.int().min(0).describe("index of the workspace, counted from 0");

/** Refuses an index that no workspace has. */
export function checkWorkspace(state: ClientState, index: number): void {
  const { length } = state.workspaces;
  if (index < length) return;
  const known = length === 1 ? "There is only workspace 0" : `There are workspaces 0 to ${length - 1}`;
  throw new RemoteError("unknown_workspace", `No workspace ${index}. ${known}.`);
}

/** Index of the one workspace with that name. Throws `unknown_workspace`, `invalid_request` where several have it. */
export function workspaceNamed({ workspaces }: ClientState, name: string): number {
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
