import { spoken } from "../../ui/language.ts";
import { activity } from "./activity.ts";
import { agents, costs, policies, prompts } from "./agents.ts";
import { browser, connection } from "./browser.ts";
import { invite } from "./invite.ts";
import { actions, bar, health, here, inbox, requests, running, search, steps, today } from "./now.ts";
import { machineUse, panel, people, remotes, sessions } from "./sessions.ts";
import { fleet, keys, relay, settings } from "./settings.ts";
import { webhooks } from "./webhooks.ts";

/** The texts of the panel. */
export const words = {
  actions,
  shell: (id: number) => `shell ${id}`,
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

spoken(words, {
  de: () => import("./index.de.ts").then((german) => german.words),
  ja: () => import("./index.ja.ts").then((japanese) => japanese.words),
});
