import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import type { Io } from "../render/io.ts";
import { loadBundle } from "./load-bundle.ts";

/**
 * Loads one of the relay's own modules, which work on the data folder or host processes. They are bundled apart from the
 * command line, and loaded only here.
 *
 * @throws CliError where this installation lacks the module
 */
export async function loadMainModule<M extends object>(
  { loadModule = importBuilt }: Pick<Io, "loadModule">,
  name: "serve" | "local",
  isModule: (loaded: object) => loaded is M,
): Promise<M> {
  const loaded = await loadModule(name);
  if (typeof loaded === "object" && loaded !== null && isModule(loaded)) return loaded;
  throw new CliError(
    exitCodes.refused,
    `This installation has no module main/${name}.cjs: build or install Patchbay again.`,
  );
}

async function importBuilt(name: string): Promise<unknown> {
  // Chunks that several modules share are in a folder below the program's own.
  const program = new URL(import.meta.url.replace(/chunks\/[^/]*$/, ""));
  const file = fileURLToPath(new URL(`../main/${name}.cjs`, program));
  // Only the module itself may be missing; a failure inside it must be reported.
  return existsSync(file) ? loadBundle(file) : {};
}
