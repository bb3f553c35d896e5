import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Options } from "./options/options.ts";
import type { RunningRelay } from "./start-relay.ts";

type Running = Pick<RunningRelay, "session" | "found"> & { readonly relay: { readonly url: string } };

/**
 * The text printed when the relay is up: its address, and four commands to try, which work as printed; the last one
 * prints a link to the session. `bin` is the folder of the commands when they are not on the PATH.
 */
export function nextSteps(
  { relay: { url }, session, found }: Running,
  options: Pick<Options, "data" | "ownData">,
  bin = process.env.PATCHBAY_BIN,
  hasCurl = isOnPath("curl"),
): string {
  const program = (name: string) => commandPath(name, bin);
  const data = options.ownData ? ` --data ${quoted(options.data)}` : "";
  const where = found ? "" : ` --url ${url} --session ${session}`;
  return [
    `Patchbay is up at ${url}`,
    `Session default: ${session}`,
    "",
    "Try next, in a second terminal:",
    `  export SERVICE_TOKEN=$(${program("patchbay")} keys create --name me${data})`,
    hasCurl
      ? `  echo "X-Service-Token: $SERVICE_TOKEN" | curl -H @- ${url}/v1/sessions/${session}/remote/shells`
      : `  ${program("service")} func list-shells${where}`,
    `  ${program("service")} func create-shell${where}`,
    `  ${program("service")} invite${where}`,
    "",
  ].join("\n");
}

/** How a command of Patchbay is called, where its folder is not on the PATH. */
export function commandPath(name: string, bin = process.env.PATCHBAY_BIN): string {
  return bin === undefined ? name : `${bin}/${name}`;
}

/** Whether the environment's PATH has the program; a bare Debian has no curl. */
function isOnPath(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}

/** Quotes a word for a POSIX shell, where needed. */
export function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
