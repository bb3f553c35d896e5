import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** `LD_DEBUG=files` of the dynamic loader: who asked for which file, found or not, unless it was loaded already. */
const ASKED = /file=(\S+) \[\d+\];\s+(?:needed by|dynamically loaded by) (.+?) \[\d+\]/g;

export interface LoadedLibrary {
  /** As it was asked for: a name, or a path. */
  readonly file: string;
  /** Path of the program or library that asked for it. */
  readonly by: string;
}

/** What the programs that ran with LD_DEBUG_OUTPUT in this folder asked the dynamic loader for. */
export async function askedOfLoader(folder: string): Promise<LoadedLibrary[]> {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), "latin1")));
  return texts.flatMap((text) => [...text.matchAll(ASKED)].map(([, file = "", by = ""]) => ({ file, by })));
}
