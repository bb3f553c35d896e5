import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandLineFacts } from "../../preload/channels.ts";
import { commandPath } from "./next-steps.ts";

/**
 * The welcome of the first `patchbay serve` of a data folder, in lines: what the app's first window shows. Undefined for
 * every later one. The app's own welcome is not spent by it.
 */
export function firstServeText(data: string, { state, line, file }: CommandLineFacts): string | undefined {
  const mark = join(data, "welcomed-serve");
  if (existsSync(mark)) return undefined;
  try {
    writeFileSync(mark, "", { mode: 0o600 });
  } catch {
    // Such as a full disk: the lines come again at the next start, which is harmless.
  }
  const connect =
    state === "ready" || line === null
      ? ["  2. Use the command line: `service func --help` lists what it can do."]
      : [`  2. Connect the command line: add to ${file ?? "the start file of your shell"}`, `       ${line}`];
  return [
    "Welcome to Patchbay: live shells on this machine, which you, your scripts, AI agents and people whom you invite",
    "see and use together. Nothing leaves this machine unless you say so.",
    `  1. See them in a browser: \`${commandPath("patchbay")} invite\` prints a link.`,
    ...connect,
    "  3. What shells print is kept in memory only. `service history on` records it on disk, encrypted where there is a keychain.",
    "  4. The page of that link offers notifications. `patchbay serve --client` has a client that works without a page.",
    "",
  ].join("\n");
}
