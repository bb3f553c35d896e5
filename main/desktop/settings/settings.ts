import { readFileSync } from "node:fs";
import { DesktopSettings } from "../../../core/protocol/desktop-settings.ts";
import { errorText } from "../../../core/protocol/error-text.ts";
import { writeAtomically } from "../../system/write-atomically.ts";

const defaults: DesktopSettings = {
  theme: "system",
  language: "system",
  startAtLogin: false,
  notify: { waiting: true, finished: true, failed: true, ended: false, budget: true, messages: true },
  quiet: null,
  relay: { port: null, outside: false },
  terminals: {},
};

/** The user's settings of this desktop, in one small file. A damaged file counts as missing. */
export class SettingsFile {
  readonly #file: string;
  readonly #log: (line: string) => void;
  #now: DesktopSettings;

  constructor(file: string, log: (line: string) => void) {
    this.#file = file;
    this.#log = log;
    this.#now = readSettings(file);
  }

  get now(): DesktopSettings {
    return this.#now;
  }

  set(next: DesktopSettings): void {
    this.#now = next;
    try {
      writeAtomically(this.#file, JSON.stringify(next, undefined, 2));
    } catch (error) {
      this.#log(`The settings could not be saved: ${errorText(error)}`);
    }
  }
}

/** Reads the saved settings; the defaults when there are none. */
export function readSettings(file: string): DesktopSettings {
  try {
    return DesktopSettings.safeParse(JSON.parse(readFileSync(file, "utf8"))).data ?? defaults;
  } catch {
    return defaults;
  }
}
