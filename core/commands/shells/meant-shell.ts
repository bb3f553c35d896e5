import { z } from "zod";
import { RemoteError } from "../../protocol/errors.ts";
import { ShellId, type TileKey } from "../../protocol/ids.ts";
import type { Shell } from "../../protocol/records.ts";
import type { CommandContext } from "../context.ts";
import { matchFields, matchShell } from "./match-shell.ts";

/** The two ways to name a shell, for every command that acts on one. */
export const shellTarget = {
  id: ShellId.optional().describe("the shell; `match` may name it instead"),
  match: z
    .string()
    .min(3)
    .max(1000)
    .optional()
    .describe(
      `the one shell that fits FIELD:TEXT instead of an id, for example title:server; fields: ${matchFields.join(", ")}; * stands for any characters`,
    ),
};

/** As `shellTarget`, where inside a shell that shell is meant by default. */
export const shellOrOwnTarget = {
  ...shellTarget,
  id: ShellId.optional().describe("the shell; default: the one you are in"),
};

interface Named {
  readonly id?: ShellId | undefined;
  readonly match?: string | undefined;
}

/** The shell that is named, by its id or by what it is. */
export function meantShell(context: CommandContext, { id, match }: Named): Shell {
  if (id !== undefined && match !== undefined) {
    throw new RemoteError("invalid_params", "params.match: expected one of `id` and `match`, got both.");
  }
  if (match !== undefined) return matchShell(context, match);
  if (id !== undefined) return context.shell(id);
  throw new RemoteError("invalid_params", "params.id: expected the id of a shell, or `match`, got nothing.");
}

/** The shell that is named, else the one that the caller sits in; a call from outside must say which. */
export function shellOrSource(context: CommandContext, named: Named): Shell {
  if (named.id !== undefined || named.match !== undefined) return meantShell(context, named);
  if (context.source !== undefined) return context.shell(context.source);
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
