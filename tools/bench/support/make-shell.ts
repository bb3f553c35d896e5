import { z } from "zod";
import { ShellId } from "../../../core/protocol/ids.ts";
import type { ServedRelay } from "./served-relay.ts";

const Tile = z.object({ shellId: ShellId, key: z.int() });

/** Creates a shell in a tile of its own and waits for its prompt. */
export async function makeShell(relay: ServedRelay): Promise<z.infer<typeof Tile>> {
  const tile = Tile.parse(await relay.command("createShell"));
  await relay.command("runCommand", { tile: tile.key, command: "true", wait: true });
  return tile;
}
