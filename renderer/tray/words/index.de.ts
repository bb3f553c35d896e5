import { activity } from "./activity.de.ts";
import { agents, costs, policies, prompts } from "./agents.de.ts";
import { browser, connection } from "./browser.de.ts";
import { invite } from "./invite.de.ts";
import { actions, bar, health, here, inbox, requests, running, search, steps, today } from "./now.de.ts";
import { machineUse, panel, people, remotes, sessions } from "./sessions.de.ts";
import { fleet, keys, relay, settings } from "./settings.de.ts";
import { webhooks } from "./webhooks.de.ts";

export const words = {
  actions,
  shell: (id: number) => `Shell ${id}`,
  activity,
  agents,
  bar,
  browser,
  connection,
  costs,
  fleet,
  health,
  here,
  inbox,
  invite,
  keys,
  machineUse,
  panel,
  people,
  policies,
  prompts,
  relay,
  remotes,
  requests,
  running,
  search,
  sessions,
  settings,
  steps,
  today,
  webhooks,
};
