import { existsSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

/**
 * The environment that the shells inherit: that of this program, with the folder of its own `patchbay` and `service`
 * first in PATH. There the command line needs neither a key nor an option, and passes unknown commands on to the
 * system's `service`. `dist`: folder of the built program.
 */
export function shellsEnvironment(dist: string, environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const bin = commandFolder(dist);
  if (!existsSync(bin)) return environment;
  // Windows spells it `Path`.
  const name = Object.keys(environment).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const others = (environment[name] ?? "").split(delimiter).filter((folder) => folder !== "" && folder !== bin);
  return { ...environment, [name]: [bin, ...others].join(delimiter) };
}

/** Leaves out what lets the relay in at its collector (`--otlp`): guests and agents read the environment of their shells. */
export function withoutCollectorKeys(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isKept = ([name]: readonly [string, unknown]) => !/^OTEL_EXPORTER_OTLP_(\w+_)?HEADERS$/.test(name);
  return Object.fromEntries(Object.entries(environment).filter(isKept));
}

/** In a package the program is in resources/app.asar, and its commands beside resources. */
export function commandFolder(dist: string): string {
  const app = dirname(join(dist, "."));
  return basename(app) === "app.asar" ? join(app, "..", "..", "bin") : join(app, "bin");
}
