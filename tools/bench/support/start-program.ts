import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Stops } from "./stops.mjs";

const KILL_AFTER_MS = 5_000;

export interface Program {
  readonly child: ChildProcess;
  /** SIGTERM, then SIGKILL after 5 s; resolves when the process is gone. */
  stop(): Promise<void>;
}

/** Starts a program that runs until it is stopped, at the latest with the benchmark. */
export function startProgram(
  stops: Stops,
  file: string,
  args: readonly string[],
  options: SpawnOptions = { stdio: "ignore" },
): Program {
  const child = spawn(file, args, options);
  const gone = once(child, "exit").catch(() => undefined);
  const stop = stops.add(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
    await gone;
    clearTimeout(timer);
  });
  return { child, stop };
}

/** The first line that a program prints. Rejects when it ends before. */
export async function firstLine({ child }: Program): Promise<string> {
  if (child.stdout === null) throw new Error("the program's output is not piped");
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(`${child.spawnargs.join(" ")} ended before it said anything`);
}
