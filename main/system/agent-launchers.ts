import { join } from "node:path";

/** The folder of launchers in a data folder. A launcher knows others by this name. */
const FOLDER = "agent-launchers";

/** Where agents are connected for single runs: launchers, and what each passes on to its agent. */
interface AgentLaunchers {
  /** Precedes the other folders of PATH in the shells of a relay, once the user has allowed one of the launchers. */
  readonly folder: string;
  /** The settings for Claude Code. That this file exists is the user's permission. */
  readonly claudeSettings: string;
}

/** Returns where the launchers of a data folder are. */
export function agentLaunchers(data: string): AgentLaunchers {
  const folder = join(data, FOLDER);
  return { folder, claudeSettings: join(folder, "claude.json") };
}
