import { join } from "node:path";
import type { HostCommand } from "../shells/host/start-host-process.ts";
import { SHELL_HOST } from "./program-words.ts";

/** How this process, which runs the build in `dist`, starts the process that holds its shells. */
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
  // A package has no switch that makes Node of it, so it runs itself. No page is ever shown there: nothing to sandbox.
  // The mount of an AppImage goes with the process that made it, so the host needs its own.
  return { file: env.APPIMAGE ?? execPath, args: [SHELL_HOST, ...HEADLESS_SWITCHES] };
}

/** What Chromium needs to hear to start without a display and at once. */
const HEADLESS_SWITCHES = [
  "--no-sandbox",
  "--no-zygote",
  "--ozone-platform=headless",
  "--disable-gpu",
  "--log-level=3",
];
