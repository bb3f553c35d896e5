import { z } from "zod";
import { RemoteError } from "../../protocol/errors.ts";
import { ShellId, type TileKey } from "../../protocol/ids.ts";
import type { Shell } from "../../protocol/records.ts";
import type { CommandContext } from "../context.ts";
import { matchFields, matchShell } from "./match-shell.ts";

/** The two parameters that identify a shell, for every command that acts on one. */
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

/** As `shellTarget`; defaults to the shell that the caller runs in. */
export const shellOrOwnTarget = {
  ...shellTarget,
  id: ShellId.optional().describe("the shell; default: the one you are in"),
};

interface ShellReference {
  readonly id?: ShellId | undefined;
  readonly match?: string | undefined;
}

/** Returns the shell identified by `id` or `match`. */
export function resolveShell(context: CommandContext, { id, match }: ShellReference): Shell {
  if (id !== undefined && match !== undefined) {
    throw new RemoteError("invalid_params", "params.match: expected one of `id` and `match`, got both.");
  }
  if (match !== undefined) return matchShell(context, match);
  if (id !== undefined) return context.shell(id);
  throw new RemoteError("invalid_params", "params.id: expected the id of a shell, or `match`, got nothing.");
}

/** Returns the identified shell, else the one that the caller runs in. Callers outside a shell must identify one. */
export function resolveShellOrSource(context: CommandContext, named: ShellReference): Shell {
  if (named.id !== undefined || named.match !== undefined) return resolveShell(context, named);
  if (context.source !== undefined) return context.shell(context.source);
  throw new RemoteError(
    "invalid_params",
    "params.id: expected the id of a shell, got nothing: only inside a shell it may be left out.",
  );
}

/** Returns the shell of the given tile, else the one that the caller runs in, else the one in the focused tile. */
export function resolveShellInTile(context: CommandContext, given: TileKey | undefined): Shell {
  if (given === undefined && context.source !== undefined) return context.shell(context.source);
  const tile = context.tile(given);
  if (tile.type === "shell") return context.shell(ShellId.parse(tile.id));
  throw new RemoteError("not_a_shell", `Tile ${tile.key} shows a ${tile.type}, not a shell: name a shell tile.`);
}
