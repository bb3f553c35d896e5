import { type Pty, spawnPty } from "../../../main/shells/pty.ts";
import type { Stops } from "./stops.mjs";

/** Runs a script of `sh` on a pseudo-terminal with node-pty alone, in this process, at most as long as the benchmark. */
export function startBarePty(stops: Stops, folder: string, script: string): Pty {
  const environment = { PATH: process.env.PATH ?? "" };
  const args = ["-c", script];
  const pty = spawnPty({ program: "/bin/sh", args, cwd: folder, cols: 160, rows: 48, environment });
  let running = true;
  pty.onExit(() => {
    running = false;
  });
  stops.add(() => {
    if (running) pty.kill();
  });
  return pty;
}
