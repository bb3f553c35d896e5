import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import envPaths from "env-paths";

const RELAY_FILE = "relay.json";

/** Where Patchbay keeps its data: `--data`, else `PATCHBAY_DATA`, else the platform's own place. */
export function dataFolder(given: string | undefined, env: NodeJS.ProcessEnv): string {
  const folder = given ?? env.PATCHBAY_DATA;
  return folder === undefined || folder === "" ? platformFolders().data : resolve(folder);
}

/** Where a relay with this data folder says that it runs: in that folder, and where the user's programs look first. */
export function relayFiles(data: string): { readonly own: string; readonly shared: string } {
  return { own: join(data, RELAY_FILE), shared: join(platformFolders().config, RELAY_FILE) };
}

/** Where the process that holds the shells of this data folder is found, and what it keeps. */
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

/** The kernel takes no longer path for a Unix socket (104 bytes on macOS, 108 elsewhere, one of them for the end). */
const LONGEST_SOCKET_PATH = 103;

/**
 * Path of a Unix socket (on Windows, name of a pipe) of a data folder, which exists: in that folder, which only the user
 * can enter; where its path is too long, in a folder of the user's own for such things. Throws when that is not private.
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
