import { RemoteError } from "../../../../core/protocol/errors.ts";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import type { Touches } from "../../../../core/protocol/touches.ts";
import { refuse } from "./check-call.ts";
import type { OwnedResources, Screen } from "./owned-resources.ts";
import type { Ownership, Permit } from "./permit.ts";

type Params = Readonly<Record<string, unknown>>;

interface Call {
  readonly permit: Permit;
  readonly method: string;
  readonly own: Ownership;
  readonly ownedResources: OwnedResources;
  readonly params: Params;
  /** The shell that the command comes from. */
  readonly source: ShellId | undefined;
}

/**
 * Refuses to change a shell that the caller does not own. Needs no client, unlike `checkTiles`. Throws `scope_forbids`.
 */
export function checkShells(call: Call, touches: Touches | undefined): void {
  if (typeof touches !== "object") return;
  if (touches.shell !== undefined) checkShell(call, numberIn(call.params, touches.shell) ?? call.source);
  if (touches.shellIn !== undefined && numberIn(call.params, touches.shellIn) === undefined) {
    checkShell(call, call.source);
  }
}

/**
 * Refuses to change tiles and workspaces that the caller does not own. Returns the parameters with every default tile
 * filled in, so that the client cannot choose another one meanwhile. Throws `scope_forbids`, or `unknown_tile` for a key
 * that the client does not have.
 */
export function checkTiles(call: Call, touches: Touches | undefined, screen: Screen): Params {
  if (touches === "workspace") checkWorkspace(call, screen, screen.active);
  if (typeof touches !== "object") return call.params;
  const { tile, tiles = [], shellIn, workspace, workspaceName } = touches;
  if (workspaceName !== undefined && call.params[workspaceName] !== undefined) {
    refuse(call.permit, call.method, `${call.permit.caller} names a workspace by its index only.`);
  }
  if (workspace !== undefined) checkWorkspace(call, screen, numberIn(call.params, workspace) ?? screen.active);
  for (const name of tiles) checkTile(call, screen, numberIn(call.params, name));
  if (shellIn !== undefined) {
    const key = numberIn(call.params, shellIn) ?? (call.source === undefined ? screen.focus : undefined);
    const shown = key === undefined ? undefined : tileOn(screen, key);
    if (shown !== undefined) checkShell(call, shown.id);
    return key === undefined ? call.params : { ...call.params, [shellIn]: key };
  }
  if (tile === undefined) return call.params;
  const key = numberIn(call.params, tile) ?? defaultTile(call, screen);
  checkTile(call, screen, key);
  return key === undefined ? call.params : { ...call.params, [tile]: key };
}

/** Refuses to change a shell that a caller with a permit does not own. Throws `scope_forbids`. */
export function checkOwnShell(
  permit: Permit | undefined,
  ownedResources: OwnedResources,
  { method, shell }: { readonly method: string; readonly shell: ShellId },
): void {
  const own = permit?.ownership;
  if (permit === undefined || own === undefined) return;
  checkShell({ permit, own, ownedResources, method, params: {}, source: undefined }, shell);
}

function checkShell({ permit, own, ownedResources, method }: Call, id: number | undefined): void {
  if (id === undefined || ownedResources.ownsShell(own, id)) return;
  refuse(permit, method, `${permit.caller} may change only its own shells, and shell ${id} is not one of them.`);
}

function checkTile({ permit, own, ownedResources, method }: Call, screen: Screen, key: number | undefined): void {
  if (key === undefined) return;
  tileOn(screen, key);
  if (ownedResources.ownsTile(own, screen, key)) return;
  refuse(
    permit,
    method,
    `${permit.caller} may change only the tiles of its own shells, and tile ${key} is not one of them.`,
  );
}

/** The caller owns a workspace while it owns all tiles in it. */
function checkWorkspace({ permit, own, ownedResources, method }: Call, screen: Screen, index: number): void {
  const keys = screen.workspaces[index] ?? [];
  if (keys.length > 0 && keys.every((key) => ownedResources.ownsTile(own, screen, key))) return;
  refuse(
    permit,
    method,
    `${permit.caller} may change a workspace only while all tiles in it are its own, and workspace ${index} is not such a one.`,
  );
}

function tileOn({ tiles }: Screen, key: number): { readonly id: number } {
  const tile = tiles.get(key);
  if (tile !== undefined) return tile;
  throw new RemoteError("unknown_tile", `No tile ${key}. This client has: ${[...tiles.keys()].join(", ") || "none"}.`);
}

/** Returns the default tile: the source shell's, else the focused one. */
function defaultTile({ ownedResources, source }: Call, screen: Screen): number | undefined {
  return (source === undefined ? undefined : ownedResources.tileOf(source, screen)) ?? screen.focus;
}

function numberIn(params: Params, name: string): number | undefined {
  const value = params[name];
  return typeof value === "number" ? value : undefined;
}
