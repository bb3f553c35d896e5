import { CliError, exitCodes } from "../parse/exit-codes.ts";
import type { OwnWord } from "../parse/words.ts";

/** Loads a module of the installation by its address. */
export type Load = (file: string) => Promise<unknown>;

/**
 * Words that work on the data folder or host processes: they are carried out by the relay's own modules, which are
 * loaded only here. Answers the exit code; undefined where the module has set it itself.
 */
export async function elsewhere(
  word: OwnWord,
  where: "serve" | "local",
  args: readonly string[],
  load: Load = loadBuilt,
): Promise<number | undefined> {
  const loaded = await load(`../main/${where}.js`);
  const main = typeof loaded === "object" && loaded !== null && "main" in loaded ? loaded.main : undefined;
  if (typeof main !== "function") {
    throw new CliError(exitCodes.refused, `This installation has no \`${word}\`: build or install Patchbay again.`);
  }
  const code: unknown = await (where === "serve" ? main(args) : main(word, args));
  return typeof code === "number" ? code : undefined;
}

async function loadBuilt(file: string): Promise<unknown> {
  // What several commands share is built into a folder below the program's own.
  const program = new URL(import.meta.url.replace(/chunks\/[^/]*$/, ""));
  const { href } = new URL(file, program);
  try {
    return await import(href);
  } catch (error) {
    // Only a missing module means "not there"; what fails inside it must be seen.
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND" && String(error).includes("main/")) return {};
    throw error;
  }
}
