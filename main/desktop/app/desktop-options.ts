import type { Machines } from "../../../client/machines.ts";
import type { RelayDesk } from "../sessions/relay-for-desktop.ts";
import type { FixedOptions } from "../settings/relay-address-setting.ts";
import type { WelcomeSources } from "./welcome.ts";

/** What the user interface needs of the program that starts it. */
export interface DesktopOptions extends WelcomeSources {
  readonly relay: RelayDesk;
  /** Name of the operating-system user, by which other clients see this one. */
  readonly user: string;
  /** Data folder, which exists. */
  readonly data: string;
  /** Folder of the app with `dist` and `resources`. */
  readonly appFolder: string;
  /** Start in the tray, without a window. */
  readonly hidden: boolean;
  /** Options given on the command line of this run. */
  readonly said: FixedOptions;
  /** The relays of other machines. */
  readonly machines: Machines;
  /** A line for the console. */
  readonly log: (line: string) => void;
  /** A sentence for the console and the log file: something does not work. */
  readonly warn: (sentence: string) => void;
}
