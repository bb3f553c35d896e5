import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CLAUDE_LAUNCHER_NAME, claudeLauncher } from "../agents/hooks/claude-launcher.ts";
import { HOOK_SCRIPT_NAME, hookScript } from "../agents/hooks/hook-script.ts";
import { OPENCODE_PLUGIN_NAME, opencodePlugin } from "../agents/hooks/opencode-plugin.ts";
import { agentLaunchers } from "../system/agent-launchers.ts";
import { writeIfOther } from "../system/write-atomically.ts";

/** Writes what connected agents run into the data folder: of this version, whatever installation wrote it before. */
export function writeAgentPrograms(data: string): void {
  writeIfOther(join(data, HOOK_SCRIPT_NAME), hookScript);
  writeIfOther(join(data, OPENCODE_PLUGIN_NAME), opencodePlugin);
  const { folder } = agentLaunchers(data);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeIfOther(join(folder, CLAUDE_LAUNCHER_NAME), claudeLauncher, { mode: 0o700 });
}
