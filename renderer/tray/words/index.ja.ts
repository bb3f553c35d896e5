import { activity } from "./activity.ja.ts";
import { agents, costs, policies, prompts } from "./agents.ja.ts";
import { browser, connection } from "./browser.ja.ts";
import { invite } from "./invite.ja.ts";
import { actions, bar, health, here, inbox, requests, running, search, steps, today } from "./now.ja.ts";
import { machineUse, panel, people, remotes, sessions } from "./sessions.ja.ts";
import { fleet, keys, relay, settings } from "./settings.ja.ts";
import { webhooks } from "./webhooks.ja.ts";

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
