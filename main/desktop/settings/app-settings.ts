import path from "node:path";
import { nativeTheme } from "electron";
import { type DesktopSettings, desktopText, withDesktopText } from "../../../core/protocol/desktop-settings.ts";
import type { Setting } from "../../../core/protocol/settings.ts";
import { speakInApp } from "../speech.ts";
import { type FixedOptions, RelayAddressSetting } from "./relay-address-setting.ts";
import { SettingsFile } from "./settings.ts";
import { setStartAtLogin } from "./start-at-login.ts";

interface AppSettingsOptions {
  readonly data: string;
  readonly appFolder: string;
  readonly said: FixedOptions;
  /** The relay's base address. */
  readonly address: () => string;
  readonly changed: () => void;
  readonly log: (line: string) => void;
}

/** The settings of the app and of its terminals: what is kept, and what follows from it at once. */
export class AppSettings {
  /** Where the relay listens from the next start. */
  readonly address: RelayAddressSetting;
  readonly #options: AppSettingsOptions;
  readonly #file: SettingsFile;

  constructor(options: AppSettingsOptions) {
    const { data, said, address, log } = options;
    this.#options = options;
    this.#file = new SettingsFile(path.join(data, "desktop.json"), log);
    this.address = new RelayAddressSetting({ settings: this.#file, said, address });
    this.#show();
  }

  get now(): DesktopSettings {
    return this.#file.now;
  }

  /** Whether this system has a setting of the app. */
  has({ only }: Setting): boolean {
    return only === undefined || process.platform === "darwin";
  }

  /** Returns the text of a setting of the app or of its terminals. */
  text(setting: Setting): string {
    return desktopText(this.now, setting);
  }

  /** Sets a setting of the app or of its terminals to a valid text. Rejects with a RemoteError where it cannot be. */
  async set(setting: Setting, text: string): Promise<void> {
    const next = withDesktopText(this.now, setting, text);
    if (!setting.restart) return this.change(next);
    // An address is checked first: the relay has to be able to listen there at the next start.
    await this.address.set(next.relay);
    this.#options.changed();
  }

  change(change: Partial<DesktopSettings>): void {
    const next = { ...this.now, ...change };
    if (next.startAtLogin !== this.now.startAtLogin) setStartAtLogin(next.startAtLogin, this.#options.appFolder);
    this.#file.set(next);
    this.#show();
    this.#options.changed();
  }

  #show(): void {
    nativeTheme.themeSource = this.now.theme;
    speakInApp(this.now.language);
  }
}
