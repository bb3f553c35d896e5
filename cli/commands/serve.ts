import { loadMainModule } from "../connect/main-module.ts";
import { exitCodes } from "../parse/exit-codes.ts";
import { relayParser } from "../parse/relay-options.ts";
import { printsHelp } from "../parse/word-parser.ts";
import type { Io } from "../render/io.ts";

/** What main/entry/headless.ts exports. */
export interface ServeModule {
  /** Runs the relay until it is told to stop. Returns the exit code. */
  main(args: readonly string[]): Promise<number>;
}

/** `patchbay serve`: runs the relay in this process. Returns the exit code. */
export async function serveCommand(io: Io, words: readonly string[]): Promise<number> {
  if (printsHelp(io, relayParser(io.program), words)) return exitCodes.ok;
  const { main } = await loadMainModule(io, "serve", isServeModule);
  return main(words);
}

function isServeModule(loaded: object): loaded is ServeModule {
  return "main" in loaded;
}
