import { join } from "node:path";
import { firstLine, startProgram } from "./start-program.ts";
import type { Stops } from "./stops.mjs";

export interface BareServer {
  readonly pid: number;
  readonly port: number;
}

/** Starts the relay's baselines in a process of their own; `answer` is the response to a command. */
export async function startBareServer(stops: Stops, answer: unknown = null): Promise<BareServer> {
  // Benchmarks run from `bench`, where their bundles are.
  const script = join(import.meta.dirname, "support", "bare-server.mjs");
  const program = startProgram(stops, process.execPath, [script, JSON.stringify(answer)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const port = Number(await firstLine(program));
  return { pid: program.child.pid ?? 0, port };
}
