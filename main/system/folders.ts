import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import envPaths from "env-paths";

const RELAY_FILE = "relay.json";

/** Returns the data folder: `--data`, else `PATCHBAY_DATA`, else the platform's default. */
export function dataFolder(given: string | undefined, env: NodeJS.ProcessEnv): string {
  const folder = given ?? env.PATCHBAY_DATA;
  return folder === undefined || folder === "" ? platformFolders().data : resolve(folder);
}

/** Where a relay with this data folder announces itself: in that folder, and in the user's default place. */
export function relayFiles(data: string): { readonly own: string; readonly shared: string } {
  return { own: join(data, RELAY_FILE), shared: join(platformFolders().config, RELAY_FILE) };
}

/** Paths of the shell host of this data folder. */
export function shellHostPaths(data: string): {
  readonly file: string;
  readonly socket: string;
  readonly integration: string;
  readonly errors: string;
} {
  return {
    file: join(data, "shell-host.json"),
    socket: privateSocket(data, "shells"),
    integration: join(data, "shell-integration"),
    errors: join(data, "logs", "shell-host.log"),
  };
}

/** Maximum path length of a Unix socket (104 bytes on macOS, 108 elsewhere, including the terminator). */
const LONGEST_SOCKET_PATH = 103;

/** No folder for the sockets of a data folder can be used. The message is a sentence for the user. */
export class SocketFolderError extends Error {
  override readonly name = "SocketFolderError";
}

/**
 * Returns the path of a private Unix socket (on Windows, name of a pipe) of a data folder: in that folder, or in the
 * user's runtime folder when the path is too long.
 *
 * @throws SocketFolderError when that folder is not this user's alone, cannot be created or has too long a path too
 */
export function privateSocket(data: string, name: string): string {
  const mark = createHash("sha256").update(resolve(data)).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\patchbay-${name}-${mark}`;
  const inData = join(data, `${name}.sock`);
  if (Buffer.byteLength(inData) <= LONGEST_SOCKET_PATH) return inData;
  const path = join(runtimeFolder(data), `${name}-${mark}.sock`);
  const bytes = Buffer.byteLength(path);
  if (bytes <= LONGEST_SOCKET_PATH) return path;
  throw new SocketFolderError(
    `The path of the socket ${path} has ${bytes} bytes, and at most ${LONGEST_SOCKET_PATH} are possible: ${WHAT_TO_DO}.`,
  );
}

const WHAT_TO_DO =
  "start with --data and a folder whose path is shorter, or set XDG_RUNTIME_DIR to a folder with a short path that is yours alone";

/** The folder for sockets that do not fit into `data`. A folder that another user could have made is never used. */
function runtimeFolder(data: string): string {
  const { XDG_RUNTIME_DIR: given = "" } = process.env;
  const uid = process.getuid?.() ?? 0;
  const folder = isAbsolute(given) ? join(given, "patchbay") : join(tmpdir(), `patchbay-${uid}`);
  const why = `The path of the data folder ${data} is too long for a socket`;
  let found: Stats;
  try {
    // Not `recursive`, with which Node never returns where the system refuses with ENOENT, as in /proc.
    for (const level of [dirname(folder), folder]) {
      if (lstatSync(level, { throwIfNoEntry: false }) === undefined) mkdirSync(level, { mode: 0o700 });
    }
    found = lstatSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SocketFolderError(`${why}, and ${folder} cannot be created (${code}): ${WHAT_TO_DO}.`);
  }
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return folder;
  const whose = found.isSymbolicLink()
    ? "is a symbolic link"
    : found.uid === uid
      ? "is no folder that is yours alone (mode 700)"
      : `belongs to another user (uid ${found.uid})`;
  throw new SocketFolderError(`${why}, and ${folder} ${whose}: ${WHAT_TO_DO}.`);
}

function platformFolders() {
  return envPaths("patchbay", { suffix: "" });
}
