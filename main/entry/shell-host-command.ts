import { join } from "node:path";
import type { HostCommand } from "../shells/host/start-host-process.ts";
import { SHELL_HOST } from "./program-words.ts";

/** The command by which this process, running the build in `dist`, starts its shell host. */
export function shellHostCommand(
  dist: string,
  {
    versions,
    execPath,
    env,
    defaultApp,
  }: Pick<NodeJS.Process, "versions" | "execPath" | "env"> & {
    readonly defaultApp?: boolean;
  } = process,
): HostCommand {
  const module = join(dist, "shell-host", "shell-host.js");
  if (versions.electron === undefined) return { file: execPath, args: [module] };
  if (defaultApp === true) return { file: execPath, args: [module], env: { ELECTRON_RUN_AS_NODE: "1" } };
  // A package cannot run as plain Node, so it runs itself. It never shows a page there, so there is nothing to sandbox.
  // The mount of an AppImage ends with the process that made it, so the host needs its own.
  return { file: env.APPIMAGE ?? execPath, args: [SHELL_HOST, ...HEADLESS_SWITCHES] };
}

/** Switches for Chromium to start without a display and quickly. */
const HEADLESS_SWITCHES = [
  "--no-sandbox",
  "--no-zygote",
  "--ozone-platform=headless",
  "--disable-gpu",
  "--log-level=3",
];
