import { z } from "zod";
import { settingSections, settingsByPublicName } from "../protocol/settings.ts";
import { operation } from "./operation.ts";

const ShownSetting = z.object({
  name: z.string(),
  value: z.string(),
  default: z.string(),
  values: z.string().describe("what it may be"),
  summary: z.string(),
  section: z.enum(settingSections),
  appliesTo: z
    .enum(["app", "terminals", "relay"])
    .describe("the desktop app, the terminals in its windows (a browser keeps its own), or the relay"),
  restart: z.boolean().describe("whether it takes effect at the next start"),
});
export type ShownSetting = z.infer<typeof ShownSetting>;

const Name = z.enum([...settingsByPublicName.keys()]).describe("as `settings list` shows it");

/** Settings decide what the owner sees and is told: a program is not to change them on its own. */
const ownersChoice = {
  access: "unrestricted",
  owner: "relay",
  closedToShells: true,
  closedToAutomation: true,
  effect: "change",
} as const;

/** The settings of the app, its terminals and the relay (core/protocol/settings.ts). */
export const settingOperations = {
  listSettings: operation({
    summary: "List the settings with their values",
    details:
      "Those of the desktop app and of its terminals are absent where the relay runs without the app. A browser keeps the settings of its terminals itself.",
    params: z.object({ section: z.enum(settingSections).optional() }),
    result: z.array(ShownSetting),
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "settings" },
    cli: {
      word: "settings",
      action: "list",
      isDefault: true,
      wordSummary: "show and change the settings of the app, its terminals and the relay",
      columns: ["name", "value", "default", "values", "summary"],
      examples: ["settings", "settings list --section terminal"],
    },
  }),
  getSetting: operation({
    summary: "Show a setting",
    params: z.object({ name: Name }),
    result: ShownSetting,
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "settings/:name" },
    cli: { word: "settings", action: "get", args: ["name"], shows: "value", examples: ["settings get font-size"] },
  }),
  setSetting: operation({
    summary: "Change a setting",
    details:
      "It applies at once, unless `restart` says that it takes effect at the next start. A new `budget-day` or `budget-session` only warns; `budget set` sets budgets that hold.",
    params: z.object({ name: Name, value: z.string().max(200).describe("as text: `on`, `14`, `dark`") }),
    result: ShownSetting,
    ...ownersChoice,
    frequent: true,
    http: { method: "PUT", path: "settings/:name" },
    cli: {
      word: "settings",
      action: "set",
      args: ["name", "value"],
      shows: "value",
      examples: ["settings set theme dark", "settings set font-size 14", "settings set quiet-hours 22:00-07:00"],
    },
    panel: true,
  }),
  resetSetting: operation({
    summary: "Set a setting back to its default",
    params: z.object({ name: Name }),
    result: ShownSetting,
    ...ownersChoice,
    http: { method: "DELETE", path: "settings/:name" },
    cli: { word: "settings", action: "reset", args: ["name"], shows: "value", examples: ["settings reset font-size"] },
  }),
} as const;
