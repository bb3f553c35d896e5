import { existsSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

/**
 * What the shells of this program inherit: its environment, with the folder of its own `patchbay` and `service` first in
 * PATH. There the command line needs neither a key nor an option; words that are not its own go on to the system's
 * `service`. `dist`: folder of the built program.
 */
export function shellsEnvironment(dist: string, environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const bin = commandFolder(dist);
  if (!existsSync(bin)) return environment;
  // Windows writes it `Path`.
  const name = Object.keys(environment).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const others = (environment[name] ?? "").split(delimiter).filter((folder) => folder !== "" && folder !== bin);
  return { ...environment, [name]: [bin, ...others].join(delimiter) };
}

/** In a package the program lies in resources/app.asar, and its commands beside resources. */
function commandFolder(dist: string): string {
  const app = dirname(join(dist, "."));
  return basename(app) === "app.asar" ? join(app, "..", "..", "bin") : join(app, "bin");
}
