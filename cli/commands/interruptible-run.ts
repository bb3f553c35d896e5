import type { CallHit, RemoteClient } from "../../client/remote-client.ts";
import type { Result } from "../../core/commands/specs.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { CliError, signalExitCodes } from "../parse/exit-codes.ts";
import type { Io } from "../render/io.ts";

/**
 * `run --wait`: the first Ctrl-C goes to the command in the shell, and the wait goes on for its end; the second leaves,
 * with exit code 130, and the command as it is.
 */
export async function runInterruptibly(
  io: Pick<Io, "program" | "stderr">,
  client: RemoteClient,
  params: Readonly<Record<string, unknown>>,
  onInterrupt: NonNullable<Io["onInterrupt"]>,
): Promise<{ result: unknown; hit: CallHit }> {
  const { tile, shell } = await findTarget(client, params);
  const abort = new AbortController();
  let failure: unknown;
  const leave = (reason: unknown) => {
    failure = reason;
    abort.abort();
  };
  let interrupts = 0;
  const stop = onInterrupt(() => {
    interrupts += 1;
    if (interrupts > 1) {
      leave(new CliError(signalExitCodes.SIGINT, "Left; the command may go on in its shell."));
      return;
    }
    io.stderr.write(`${io.program}: Ctrl-C is sent to the command; once more leaves it alone.\n`);
    client.ask("sendKeys", { id: shell, keys: ["C-c"] }).catch(leave);
  });
  try {
    return await client.ask("runCommand", { ...params, ...tile }, { signal: abort.signal });
  } catch (error) {
    throw failure ?? error;
  } finally {
    stop();
  }
}

/**
 * The shell that the command will run in, by which it can be interrupted, and the tile to say so to the relay: the focus
 * may move while the command runs.
 */
async function findTarget(
  client: RemoteClient,
  { tile }: Readonly<Record<string, unknown>>,
): Promise<{ tile: { tile?: number }; shell: number | undefined }> {
  const tiles = await fetchTiles(client);
  if (tile === undefined && client.sourceShell !== undefined) return { tile: {}, shell: client.sourceShell };
  const found = tiles.find(({ key, active }) => (tile === undefined ? active : key === tile));
  return { tile: found === undefined ? {} : { tile: found.key }, shell: found?.id };
}

/** Empty for a key that may not list tiles: the command still runs, and Ctrl-C can only leave it. */
async function fetchTiles(client: RemoteClient): Promise<Result<"getTiles">> {
  try {
    return await client.call("getTiles", { all: true });
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (error.code === "scope_forbids") return [];
    // A relay of an earlier version lists the tiles of the visible workspace only.
    if (error.code === "invalid_params") return await client.call("getTiles", {});
    throw error;
  }
}
