import { z } from "zod";
import type { CommandSpec } from "../../../../core/commands/command.ts";
import type { ClientId, ShellId } from "../../../../core/protocol/ids.ts";
import { checkCall, checkClient, refuse } from "./check-call.ts";
import { checkShells, checkTiles } from "./check-things.ts";
import type { OwnedResources } from "./owned-resources.ts";
import type { Own, Permit } from "./permit.ts";

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

/** What a restricted caller's command may become. */
interface Guard {
  /** The shell that the caller sits in. A shell's token sits in its own, whatever the request says. */
  readonly source: number | undefined;
  /**
   * When the client is chosen: the parameters to execute, and a note of the answer, by which new tiles become the
   * caller's. Throws `scope_forbids`.
   */
  on(client: ClientId): { readonly params: Params; readonly note: (answer: unknown) => void };
}

/** Checks a command against its caller's permit, before any client is asked. Throws `scope_forbids`. */
export function guardCommand({ belongings }: { belongings: OwnedResources }, command: GuardedCommand): Guard {
  const { permit, method, spec, params } = command;
  if (permit === undefined) return { source: command.source, on: () => ({ params, note: nothing }) };
  checkCall(permit, method, spec);
  const { own } = permit;
  const { touches } = spec;
  const onAny = (client: ClientId) => {
    checkClient(permit, method, spec, client);
    return { params, note: nothing };
  };
  if (own === undefined) return { source: command.source, on: onAny };
  const source = sourceOf(command, permit, own);
  if (touches === undefined) return { source, on: onAny };
  const call = { permit, own, belongings, params, method, source: source as ShellId | undefined };
  checkShells(call, touches);
  return {
    source,
    on(client) {
      checkClient(permit, method, spec, client);
      const before = belongings.screen(client);
      return {
        params: checkTiles(call, touches, before),
        note: (answer) => belongings.noteTiles(own, before, tilesIn(answer)),
      };
    },
  };
}

/** For reading, the request may name another shell to be routed by; for changing, that would be another's place. */
function sourceOf({ source, spec, method }: GuardedCommand, permit: Permit, { shell }: Own): number | undefined {
  if (shell === undefined) return source;
  if (source === undefined || source === shell) return shell;
  if (spec.touches === undefined) return source;
  const sentence = `${permit.caller} speaks from shell ${shell} only: ${method} cannot come from shell ${source}.`;
  return refuse(permit, method, sentence);
}

const Answer = z.object({ key: z.int().optional(), tiles: z.array(z.object({ key: z.int() })).default([]) });

/** The tiles that a command's answer names. */
function tilesIn(answer: unknown): number[] {
  const { data } = Answer.safeParse(answer);
  return data === undefined ? [] : [...(data.key === undefined ? [] : [data.key]), ...data.tiles.map(({ key }) => key)];
}

function nothing(): void {}
