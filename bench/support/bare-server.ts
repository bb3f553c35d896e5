import { join } from "node:path";
import { firstLine, startProgram } from "./start-program.ts";
import type { Stops } from "./stops.mjs";

export interface BareServer {
  readonly pid: number;
  readonly port: number;
}

/** The relay's baselines as a process of their own; `answer` is what a command is answered there. */
export async function startBareServer(stops: Stops, answer: unknown = null): Promise<BareServer> {
  // Benchmarks run from `bench`, where they are bundled to.
  const script = join(import.meta.dirname, "support", "bare-server.mjs");
  const program = startProgram(stops, process.execPath, [script, JSON.stringify(answer)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const port = Number(await firstLine(program));
  return { pid: program.child.pid ?? 0, port };
}
