import {
  defaultTerminalSettings,
  parseTerminalSettings,
  publicName,
  settingText,
  type TerminalSettingName,
  type TerminalSettings,
  terminalSettings,
} from "../../core/protocol/settings.ts";
import { persistedValue } from "./persisted.ts";
import { createStore, type Store } from "./store.ts";

/** A user's settings of terminals, kept on this device and shared by all pages of this origin. */
export interface SettingsStore extends Pick<Store<TerminalSettings>, "get" | "subscribe"> {
  set<Name extends TerminalSettingName>(name: Name, value: TerminalSettings[Name]): void;
  /** Sets a value as the form has it. Returns whether it is one; otherwise nothing changes. */
  setText(name: TerminalSettingName, text: string): boolean;
  reset(): void;
  /**
   * Follows the settings that the app keeps for its terminals, and passes on what is set here. What the app has never had is
   * passed on too: earlier versions kept it in the pages.
   */
  follow(app: AppTerminals): () => void;
}

/** The settings of terminals as the app keeps them. */
export interface AppTerminals {
  /** Texts by name, empty for the default; undefined while they are not known. */
  get(): Readonly<Record<string, string>> | undefined;
  subscribe(changed: () => void): () => void;
  set(name: TerminalSettingName, text: string): void;
}

export function persistedSettings(window: Window): SettingsStore {
  const texts = new Map(terminalSettings.map(({ name }) => [name, persistedText(window, name)] as const));
  const read = () =>
    parseTerminalSettings(Object.fromEntries([...texts].map(([name, text]) => [name, currentText(name, text.get())])));
  const now = createStore<TerminalSettings>(read());
  for (const text of texts.values()) text.subscribe(() => now.set(read()));
  let app: AppTerminals | undefined;
  const write = (name: TerminalSettingName, text: string) => {
    texts.get(name)?.set(text);
    app?.set(name, text);
  };
  return {
    get: now.get,
    subscribe: now.subscribe,
    set: (name, value) => write(name, settingText(value)),
    setText(name, text) {
      const valid = terminalSettings.find((setting) => setting.name === name)?.isValid(text) === true;
      if (valid) write(name, text);
      return valid;
    },
    reset() {
      for (const { name, fallback } of terminalSettings) write(name, fallback);
    },
    follow(followed) {
      app = followed;
      let known: Readonly<Record<string, string>> | undefined;
      const take = () => {
        const kept = followed.get();
        if (kept === undefined) return;
        for (const [name, text] of texts) {
          const own = currentText(name, text.get());
          const told = kept[name];
          if (told !== undefined && told !== known?.[name]) text.set(told);
          else if (told === undefined && known === undefined && own !== "") followed.set(name, own);
        }
        known = kept;
      };
      take();
      return followed.subscribe(take);
    },
  };
}

/** Earlier versions kept a switch as 1 or 0. */
function currentText(name: TerminalSettingName, text: string): string {
  const isSwitch = typeof defaultTerminalSettings[name] === "boolean";
  return isSwitch && text === "1" ? "on" : isSwitch && text === "0" ? "off" : text;
}

/** The stored text of a setting; empty: the default. */
function persistedText(window: Window, name: TerminalSettingName): Store<string> {
  return persistedValue(window, {
    key: `patchbay.${publicName(name)}`,
    parse: (text) => text,
    format: (text) => text,
    fallback: "",
  });
}
