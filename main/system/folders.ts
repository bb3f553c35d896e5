import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
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

/**
 * Path of a private Unix socket (on Windows, name of a pipe) for an existing data folder: in that folder, or in the
 * user's runtime folder when the path is too long. Throws when that folder is not private.
 */
export function privateSocket(data: string, name: string): string {
  const mark = createHash("sha256").update(resolve(data)).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\patchbay-${name}-${mark}`;
  const inData = join(data, `${name}.sock`);
  if (Buffer.byteLength(inData) <= LONGEST_SOCKET_PATH) return inData;
  const folder = runtimeFolder();
  return join(folder, `${name}-${mark}.sock`);
}

function runtimeFolder(): string {
  const { XDG_RUNTIME_DIR: given = "" } = process.env;
  const uid = process.getuid?.() ?? 0;
  const folder = isAbsolute(given) ? join(given, "patchbay") : join(tmpdir(), `patchbay-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return folder;
  throw new Error(`The folder ${folder} is not private: give it to you alone with mode 700, or remove it.`);
}

function platformFolders() {
  return envPaths("patchbay", { suffix: "" });
}
