import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { z } from "zod";
import { readRegularFile } from "../../main/system/regular-files.ts";
import { claudeSettingsFile } from "./agent-settings.ts";

const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 100;

const Switches = z.object({
  disableAllHooks: z.boolean().optional().catch(undefined),
  allowManagedHooksOnly: z.boolean().optional().catch(undefined),
});

/** Where the administrator of a machine sets Claude Code's settings (https://code.claude.com/docs/en/settings). */
const claudeManagedFolder =
  process.platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";

/**
 * Returns why hooks of Claude Code do not fire although they are in its settings, as far as files and the environment
 * show it: settings of every level that turn hooks off, and a PATH without `curl`, by which they report.
 */
export function claudeHookObstacles(
  place: Parameters<typeof claudeSettingsFile>[1],
  managedFolder = claudeManagedFolder,
): readonly string[] {
  const managed = [join(managedFolder, "managed-settings.json"), ...filesIn(join(managedFolder, "managed-settings.d"))];
  const local = claudeSettingsFile("project", place);
  const others = [claudeSettingsFile("user", place), join(dirname(local), "settings.json"), local];
  return [
    ...[...managed, ...others].flatMap((file) =>
      readSwitches(file).disableAllHooks ? [`disableAllHooks in ${file} turns all hooks off`] : [],
    ),
    ...managed.flatMap((file) =>
      readSwitches(file).allowManagedHooksOnly
        ? [`allowManagedHooksOnly in ${file} allows only the hooks of the administrator`]
        : [],
    ),
    ...(hasProgram("curl", place.env) ? [] : ["curl, by which the hooks report, is not in PATH"]),
  ];
}

function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return names.slice(0, MOST_FILES).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** What cannot be read turns nothing off that this could name. */
function readSwitches(file: string): z.infer<typeof Switches> {
  try {
    return Switches.safeParse(JSON.parse(readRegularFile(file, MOST_BYTES).toString("utf8"))).data ?? {};
  } catch {
    return {};
  }
}

function hasProgram(name: string, { PATH = "" }: Readonly<Record<string, string | undefined>>): boolean {
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder || ".", name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
