import type { CommandLine } from "electron";

/** Chromium's switches that the app sets for itself, because Electron has no setting for what they do. */
const SWITCHES: readonly (readonly [name: string, value?: string])[] = [
  // Chromium's own messages do not concern users; the app reports its errors itself.
  ["log-level", "3"],
  // Electron gives the old commands for copy and paste to every frame and asks no permission handler: any page in a tile
  // could read and replace what the user has copied. What the user presses (Ctrl+V, a menu) does not pass through them.
  ["blink-settings", "domPasteAllowed=false,javaScriptCanAccessClipboard=false"],
  // A signal to the whole process group ends the GPU process first, again and again. Chromium then gives up and crashes,
  // and the shells and the relay are not stopped in order.
  ["disable-gpu-process-crash-limit"],
];

/** Sets the switches of Chromium that the app always runs with. Call before Electron is ready. */
export function setSwitches(commandLine: Pick<CommandLine, "appendSwitch">): void {
  for (const [name, value] of SWITCHES) commandLine.appendSwitch(name, value);
}

interface StartFacts {
  readonly commandLine: Pick<CommandLine, "hasSwitch">;
  readonly packaged: boolean;
  /** Whether the user is root, for whom Chromium has no sandbox. */
  readonly root: boolean;
  /** Whether an inspector of the main process is open, which no package allows (docs/install.md, Fuses). */
  readonly inspected: boolean;
}

/** Returns why the app does not start with the switches that it was given; undefined when it may start. */
export function switchProblem({ commandLine, packaged, root, inspected }: StartFacts): string | undefined {
  if (commandLine.hasSwitch("no-sandbox") && !root) return NO_SANDBOX;
  // A program that inspects the main process has the pages already; only tests do.
  if (!packaged || inspected) return undefined;
  const open = ["remote-debugging-port", "remote-debugging-pipe"].find((name) => commandLine.hasSwitch(name));
  return open === undefined ? undefined : `--${open}: ${DEBUGGING}`;
}

const NO_SANDBOX =
  "--no-sandbox: Patchbay shows pages of the web in tiles and does not start without Chromium's sandbox. An AppImage " +
  "gets this switch where the system does not let programs make user namespaces: allow them, or install the Debian " +
  "package (docs/install.md, AppImage).";
const DEBUGGING =
  "any user of this machine could then act as you in the app's pages, so Patchbay does not start. Start it without this switch.";
