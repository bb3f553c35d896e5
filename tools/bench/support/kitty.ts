import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { startVirtualDesktop } from "../../setup/virtual-desktop.mjs";
import type { BenchContext } from "../bench-context.ts";
import { debianProgram, PeerMissing, type PeerProgram } from "./peers.ts";
import { ownEnvironment } from "./served-relay.ts";
import { startProgram } from "./start-program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const READY_WITHIN_MS = 20_000;

/** A program call to time. */
export interface Call extends PeerProgram {
  readonly name: string;
  readonly args: readonly string[];
}

/** Returns the call `kitty @ ls` for a kitty with one window on a display of its own. */
export async function kittyLs({ stops, log, signal }: BenchContext): Promise<Call | PeerMissing> {
  const kitty = await debianProgram("kitty", { log, signal });
  if (kitty instanceof PeerMissing) return kitty;
  const folder = temporaryFolder(stops);
  const display = await startVirtualDesktop({ display: true, bus: false, keyrings: folder, signal }).catch(
    (error: Error) => new PeerMissing(error.message.split("\n")[0] ?? ""),
  );
  if (display instanceof PeerMissing) return display;
  stops.add(display.stop);
  const env = { ...ownEnvironment(folder), ...display.env, ...kitty.env, LIBGL_ALWAYS_SOFTWARE: "1" };
  const address = `unix:${join(folder, "kitty.sock")}`;
  const words = ["--config", "NONE", "-o", "allow_remote_control=yes", "--listen-on", address, "/bin/sh"];
  startProgram(stops, kitty.file, words, { env, cwd: folder, stdio: "ignore" });
  const call = promisify(execFile);
  const [, version = ""] = /kitty (\S+)/.exec((await call(kitty.file, ["--version"], { env })).stdout) ?? [];
  const args = ["@", "--to", address, "ls"];
  for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await delay(100)) {
    const ready = await call(kitty.file, args, { env }).then(
      () => true,
      () => false,
    );
    if (ready) return { name: `kitty ${version} @ ls`, file: kitty.file, args, env };
  }
  return new PeerMissing("kitty opened no window within 20 s");
}
