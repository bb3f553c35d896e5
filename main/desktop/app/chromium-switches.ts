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

/** The command line that the app was started with. */
type GivenSwitches = Pick<CommandLine, "hasSwitch">;

/**
 * Returns why a package does not start with the switches that it was given, which would open its pages to other programs;
 * undefined when it may start.
 *
 * @param inspected whether an inspector of the main process is open, which no package allows (docs/install.md#fuses): a
 *   program that has it, as tests do, has the pages already
 */
export function debuggingProblem(
  commandLine: GivenSwitches,
  { packaged, inspected }: { readonly packaged: boolean; readonly inspected: boolean },
): string | undefined {
  const open = ["remote-debugging-port", "remote-debugging-pipe"].find((name) => commandLine.hasSwitch(name));
  if (open === undefined || !packaged || inspected) return undefined;
  return `--${open}: other users and programs of this machine could then act as you in the app's pages, so Patchbay does not start. Start it without this switch.`;
}

/** Returns why the app does not start without Chromium's sandbox; undefined when it has one, and for root, for whom there is none. */
export function sandboxProblem(commandLine: GivenSwitches, { root }: { readonly root: boolean }): string | undefined {
  if (root || !commandLine.hasSwitch("no-sandbox")) return undefined;
  return (
    "--no-sandbox: Patchbay shows pages of the web in tiles, so it does not start without Chromium's sandbox. An AppImage " +
    "gets this switch where the system does not let programs make user namespaces: install the Debian package, or allow " +
    "them (docs/install.md, AppImage)."
  );
}
