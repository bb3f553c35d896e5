import type { ShownSetting, settingOperations } from "../../../core/operations/settings.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import {
  publicName,
  type RelaySettingName,
  type Setting,
  type SettingSection,
  settingList,
  settingsByPublicName,
  settingText,
  shownText,
  valuesOf,
} from "../../../core/protocol/settings.ts";
import type { Budgets } from "../budgets/budgets.ts";
import type { Handlers } from "../calls/calls.ts";

/** The settings of the desktop app and its terminals. */
export interface AppSettings {
  /** Whether this system has a setting. */
  has(setting: Setting): boolean;
  text(setting: Setting): string;
  /** Sets a valid text. Rejects with a RemoteError where it cannot be. */
  set(setting: Setting, text: string): void | Promise<void>;
}

interface SettingHandlersOptions {
  readonly budgets: Pick<Budgets, "limits" | "setLimits">;
  /** Returns the settings of the app; undefined where the relay runs without it. */
  readonly app: () => AppSettings | undefined;
}

const budgetOf: Readonly<Record<RelaySettingName, "day" | "session">> = {
  budgetDay: "day",
  budgetSession: "session",
};
const budgetByName: ReadonlyMap<string, "day" | "session"> = new Map(Object.entries(budgetOf));

export function settingHandlers({ budgets, app }: SettingHandlersOptions): Handlers<keyof typeof settingOperations> {
  const textOf = (setting: Setting): string => {
    const budget = budgetByName.get(setting.name);
    if (budget !== undefined) return settingText(budgets.limits()[budget] ?? setting.fallback);
    return app()?.text(setting) ?? setting.fallback;
  };
  const shown = (setting: Setting): ShownSetting => ({
    name: publicName(setting.name),
    value: shownText(setting, textOf(setting)),
    default: shownText(setting, setting.fallback),
    values: valuesOf(setting),
    summary: setting.label,
    section: setting.section,
    appliesTo: setting.place,
    restart: setting.restart === true,
  });
  const isHere = (setting: Setting) => setting.place === "relay" || app()?.has(setting) === true;
  const find = (name: string): Setting => {
    const setting = settingsByPublicName.get(name);
    if (setting === undefined) throw new RemoteError("invalid_params", `There is no setting ${JSON.stringify(name)}.`);
    if (isHere(setting)) return setting;
    const where = app() === undefined ? "the desktop app, and this relay runs without it" : "another system";
    throw new RemoteError("invalid_request", `The setting ${name} belongs to ${where}.`);
  };
  const set = async (setting: Setting, text: string): Promise<ShownSetting> => {
    const budget = budgetByName.get(setting.name);
    if (budget === undefined) await app()?.set(setting, text);
    else budgets.setLimits({ [budget]: text === setting.fallback ? null : Number(text) });
    return shown(setting);
  };
  return {
    listSettings: ({ section }) =>
      settingList.filter((setting) => isIn(setting, section) && isHere(setting)).map(shown),
    getSetting: ({ name }) => shown(find(name)),
    async setSetting({ name, value }) {
      const setting = find(name);
      const text = value.trim();
      if (!setting.isValid(text)) {
        throw new RemoteError("invalid_params", `value: expected ${valuesOf(setting)}, got ${JSON.stringify(value)}.`);
      }
      return set(setting, text);
    },
    resetSetting({ name }) {
      const setting = find(name);
      return set(setting, setting.fallback);
    },
  };
}

function isIn({ section }: Setting, wanted: SettingSection | undefined): boolean {
  return wanted === undefined || section === wanted;
}
