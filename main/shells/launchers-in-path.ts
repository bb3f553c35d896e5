import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import { agentLaunchers } from "../system/agent-launchers.ts";

/**
 * Puts the folder of the agents' launchers first in PATH, where the user has allowed one. A shell's start-up files may put
 * others before it; the integration reads `PATCHBAY_LAUNCHERS` after them and puts it first again.
 */
export function withLaunchers(
  environment: Readonly<Record<string, string>>,
  { integrated }: { readonly integrated: boolean },
): Readonly<Record<string, string>> {
  const { PATCHBAY_DATA: data, PATH: path } = environment;
  // Hooks are not available on Windows.
  if (data === undefined || process.platform === "win32") return environment;
  const { folder, claudeSettings } = agentLaunchers(data);
  // A delimiter in its name would make two folders of it.
  if (!existsSync(claudeSettings) || folder.includes(delimiter)) return environment;
  const added = { PATH: path === undefined || path === "" ? folder : `${folder}${delimiter}${path}` };
  return { ...environment, ...added, ...(integrated ? { PATCHBAY_LAUNCHERS: folder } : {}) };
}
