import { realpathSync } from "node:fs";
import { sep } from "node:path";
import type { ProcessInfo } from "../../system/processes/process-source.ts";
import type { AgentAdapter } from "./adapter.ts";

/**
 * Where an agent keeps its data, as this process reaches it. For an agent that sees other files (in a container) the path
 * may be another one here, and ends with a separator, by which `realHome` knows it again.
 * @returns undefined where the agent says none, or its files are not to be seen here
 */
export function homeOf(adapter: Pick<AgentAdapter, "home">, process: ProcessInfo): string | undefined {
  const named = adapter.home((name) => process.env(name));
  const findHere = process.foreignFiles?.();
  if (named === undefined || findHere === undefined) return named;
  const here = findHere(named);
  return here && here + sep;
}

/**
 * Resolves an agent's data folder for reading.
 * @throws Error when it cannot be resolved, or leads elsewhere by now for an agent with files of its own: such an agent
 * would choose what this process reads for it
 */
export function realHome(home: string): string {
  const real = realpathSync(home);
  if (home.endsWith(sep) && real + sep !== home) throw new Error("the agent's folder leads elsewhere");
  return real;
}
