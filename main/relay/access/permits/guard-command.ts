import { z } from "zod";
import type { CommandSpec } from "../../../../core/commands/command.ts";
import type { ClientId, ShellId } from "../../../../core/protocol/ids.ts";
import { checkCall, checkClient, refuse } from "./check-call.ts";
import { checkShells, checkTiles } from "./check-things.ts";
import type { OwnedResources } from "./owned-resources.ts";
import type { Ownership, Permit } from "./permit.ts";

type Params = Readonly<Record<string, unknown>>;

interface GuardedCommand {
  readonly permit?: Permit | undefined;
  readonly method: string;
  readonly spec: CommandSpec;
  /** Parsed. */
  readonly params: Params;
  /** The shell that the request says it comes from. */
  readonly source?: number | undefined;
}

/** What a caller's command is limited to. */
interface CommandGuard {
  /** The shell that the command comes from; for a shell's token always its own shell. */
  readonly source: number | undefined;
  /**
   * Checks the chosen client. Returns the parameters to execute, and a function that records the tiles of the command's
   * result as the caller's own. Throws `scope_forbids`.
   */
  forClient(client: ClientId): { readonly params: Params; readonly recordResult: (result: unknown) => void };
}

/** Checks a command against its caller's permit, before any client is asked. Throws `scope_forbids`. */
export function guardCommand(
  { ownedResources }: { ownedResources: OwnedResources },
  command: GuardedCommand,
): CommandGuard {
  const { permit, method, spec, params } = command;
  if (permit === undefined) return { source: command.source, forClient: () => ({ params, recordResult: nothing }) };
  checkCall(permit, method, spec);
  checkMatch(permit, method, params);
  const { ownership: own } = permit;
  const { touches } = spec;
  const onAny = (client: ClientId) => {
    checkClient(permit, method, spec, client);
    return { params, recordResult: nothing };
  };
  if (own === undefined) return { source: command.source, forClient: onAny };
  const source = sourceOf(command, permit, own);
  if (touches === undefined) return { source, forClient: onAny };
  const call = { permit, own, ownedResources, params, method, source: source as ShellId | undefined };
  checkShells(call, touches);
  return {
    source,
    forClient(client) {
      checkClient(permit, method, spec, client);
      const before = ownedResources.screen(client);
      return {
        params: checkTiles(call, touches, before),
        recordResult: (result) => ownedResources.recordTiles(own, before, tilesIn(result)),
      };
    },
  };
}

/** Refuses to find a shell by its title or folder for a caller who would guess the secrets in it by what is found. */
function checkMatch(permit: Permit, method: string, { match }: Params): void {
  if (!permit.hidesSecrets || match === undefined) return;
  const sentence = `${permit.caller} is shown no secrets, and what a match finds would tell of one letter by letter: name the shell by its id.`;
  refuse(permit, method, sentence);
}

/** Returns the source shell. A reading command may name another shell for its routing; a changing one may not. */
function sourceOf({ source, spec, method }: GuardedCommand, permit: Permit, { shell }: Ownership): number | undefined {
  if (shell === undefined) return source;
  if (source === undefined || source === shell) return shell;
  if (spec.touches === undefined) return source;
  const sentence = `${permit.caller} speaks from shell ${shell} only: ${method} cannot come from shell ${source}.`;
  return refuse(permit, method, sentence);
}

const TilesResult = z.object({ key: z.int().optional(), tiles: z.array(z.object({ key: z.int() })).default([]) });

/** Returns the tiles that a command's result names. */
function tilesIn(result: unknown): number[] {
  const { data } = TilesResult.safeParse(result);
  return data === undefined ? [] : [...(data.key === undefined ? [] : [data.key]), ...data.tiles.map(({ key }) => key)];
}

function nothing(): void {}
