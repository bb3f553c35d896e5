import { z } from "zod";
import { ShellId } from "../../core/protocol/ids.ts";

const Created = z.object({ shellId: ShellId });

/** The shell in a command's result, if it made one. */
export function newShellId(result: unknown): ShellId | undefined {
  return Created.safeParse(result).data?.shellId;
}
