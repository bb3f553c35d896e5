import { RemoteError } from "../../protocol/errors.ts";
import { ShellId, type TileKey } from "../../protocol/ids.ts";
import type { Shell } from "../../protocol/records.ts";
import type { CommandContext } from "../context.ts";

/** The shell given, else the one that the caller sits in; a call from outside must say which. */
export function shellOrSource(context: CommandContext, id: ShellId | undefined): Shell {
  const meant = id ?? context.source;
  if (meant !== undefined) return context.shell(meant);
  throw new RemoteError(
    "invalid_params",
    "params.id: expected the id of a shell, got nothing: only inside a shell it may be left out.",
  );
}

/** The shell in the tile given, else the one that the caller sits in, else the one in the focused tile. */
export function shellInTile(context: CommandContext, given: TileKey | undefined): Shell {
  if (given === undefined && context.source !== undefined) return context.shell(context.source);
  const tile = context.tile(given);
  if (tile.type === "shell") return context.shell(ShellId.parse(tile.id));
  throw new RemoteError("not_a_shell", `Tile ${tile.key} shows a ${tile.type}, not a shell: name a shell tile.`);
}
