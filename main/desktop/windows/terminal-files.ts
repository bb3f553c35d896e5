import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { RemoteError } from "../../../core/protocol/errors.ts";

/** Opens and shows files; Electron's `shell`. */
interface FileOpener {
  /** Resolves with an error's text, or an empty one. */
  openPath(file: string): Promise<string>;
  showItemInFolder(file: string): void;
}

/** Where a text from a terminal is a path. */
export interface PathBase {
  /** The shell's folder; empty if it is not known. */
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

interface FoundFile {
  /** Without symbolic links. */
  readonly file: string;
  readonly isFile: boolean;
  /** Whether any user may execute it, as far as the file system says so. */
  readonly executable: boolean;
}

/** Kinds of files that no system's opener runs. */
const PASSIVE = words(`
  txt text md markdown rst adoc log csv tsv json jsonc json5 ndjson yaml yml toml ini conf cfg lock diff patch tex bib sql proto
  graphql css scss less c h cc cpp cxx hpp hh rs go java kt kts scala swift cs zig ts mts cts tsx vue svelte tf
  png jpg jpeg gif webp bmp tif tiff avif heic pdf mp3 wav flac ogg opus m4a mp4 m4v mov mkv webm`);
/** Scripts that only Windows and macOS run when they are opened; Linux opens them in an editor unless they are executable. */
const SCRIPTS = words("js mjs cjs jsx py rb pl pm lua sh bash zsh fish php r jl ex exs hs ml clj");

/** Tells which texts are paths of existing files and folders. */
export async function findFiles(paths: readonly string[], base: PathBase): Promise<boolean[]> {
  const there: boolean[] = [];
  // One after the other: a file system that does not answer blocks one of Node's few threads for files, not all.
  for (const text of paths) there.push((await findFile(text, base)) !== undefined);
  return there;
}

/**
 * Opens a file with the system's program for its kind. Programs, and everything that some system's opener would run, are
 * shown in the file manager instead (`shown`): what a terminal prints must not decide what is executed. So are folders,
 * because a folder may be a program, too (macOS).
 * @throws `invalid_request` if there is no such file any more, `internal` if the system opens none of its kind
 */
export async function openFile(text: string, base: PathBase, opener: FileOpener): Promise<"opened" | "shown"> {
  const found = await findFile(text, base);
  if (found === undefined) throw new RemoteError("invalid_request", `There is no file ${text}.`);
  if (!found.isFile || found.executable || !isPassive(found.file, base.platform)) {
    opener.showItemInFolder(found.file);
    return found.isFile ? "shown" : "opened";
  }
  const problem = await opener.openPath(found.file);
  if (problem !== "") throw new RemoteError("internal", `The system did not open ${found.file}: ${problem}`);
  return "opened";
}

async function findFile(text: string, base: PathBase): Promise<FoundFile | undefined> {
  const wanted = absolutePath(text, base);
  if (wanted === undefined) return undefined;
  try {
    const file = await realpath(wanted);
    const facts = await stat(file);
    if (!facts.isFile() && !facts.isDirectory()) return undefined;
    // Windows has no such bits; there the kind of the file alone decides.
    const executable = base.platform !== "win32" && (facts.mode & 0o111) !== 0;
    return { file, isFile: facts.isFile(), executable };
  } catch {
    return undefined;
  }
}

function absolutePath(text: string, { cwd, home, platform }: PathBase): string | undefined {
  if (text === "" || /\p{Cc}/u.test(text)) return undefined;
  // Looking for a file on another machine would send it the user's credentials.
  if (platform === "win32" && /^[\\/]{2}/.test(text)) return undefined;
  if (text === "~" || text.startsWith("~/")) return path.join(home, text.slice(1));
  if (path.isAbsolute(text)) return path.normalize(text);
  return cwd === "" ? undefined : path.resolve(cwd, text);
}

function isPassive(file: string, platform: NodeJS.Platform): boolean {
  const kind = path.extname(file).slice(1).toLowerCase();
  return PASSIVE.has(kind) || (platform === "linux" && SCRIPTS.has(kind));
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
