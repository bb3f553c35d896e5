import { agents, costs, policies, prompts } from "./agents.ts";
import { activity, inbox, panel, people, remotes, sessions } from "./sessions.ts";
import { fleet, keys, relay, settings } from "./settings.ts";

/** The texts of the panel. */
export const words = {
  shell: (id: number) => `shell ${id}`,
  activity,
  agents,
  costs,
  fleet,
  inbox,
  keys,
  panel,
  people,
  policies,
  prompts,
  relay,
  remotes,
  sessions,
  settings,
};
